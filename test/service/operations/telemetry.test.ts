// OpenTelemetry: a collector on loopback gets spans, metrics, and log lines, and only chosen recipients get a client's trace.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { fetchAccessToken, startServiceProcess } from '#test/story/service-process.ts';
import { startCallbackEndpoint } from '../callback-endpoint.ts';
import { apiCaller, temporaryFolder, turin } from '../monitor-service.ts';

const forecast = readFileSync(
  new URL('../../fixtures/open-meteo/clear-night-then-overcast-alps.json', import.meta.url),
  'utf8',
);

type Received = { path: string; headers: IncomingHttpHeaders; body: Buffer };

async function listen(answer: string) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) });
      response.setHeader('content-type', 'application/json').end(answer);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

type AnyValue = { stringValue?: string; intValue?: number };
type OtlpSpan = {
  traceId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: AnyValue }[];
};

/** https://github.com/open-telemetry/opentelemetry-proto, ExportTraceServiceRequest as JSON. */
function spansOf(received: readonly Received[]): OtlpSpan[] {
  return bodiesOf<{ resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[] }>(received, 'traces').flatMap(
    ({ resourceSpans }) => resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  );
}

type Point = {
  attributes: { key: string; value: AnyValue }[];
  asDouble?: number;
  count?: number;
  sum?: number;
  bucketCounts?: number[];
  explicitBounds?: number[];
};
type OtlpMetric = {
  name: string;
  sum?: { dataPoints: Point[]; isMonotonic: boolean };
  gauge?: { dataPoints: Point[] };
  histogram?: { dataPoints: Point[] };
};

/** The last ones that were sent. */
function metricsOf(received: readonly Received[]): OtlpMetric[] {
  type Body = { resourceMetrics: { scopeMetrics: { metrics: OtlpMetric[] }[] }[] };
  const last = bodiesOf<Body>(received, 'metrics').at(-1);
  return (last?.resourceMetrics ?? []).flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics));
}

type OtlpLine = {
  body: AnyValue;
  severityText: string;
  traceId?: string;
  attributes: { key: string; value: AnyValue }[];
};

function linesOf(received: readonly Received[]): OtlpLine[] {
  type Body = { resourceLogs: { scopeLogs: { logRecords: OtlpLine[] }[] }[] };
  return bodiesOf<Body>(received, 'logs').flatMap(({ resourceLogs }) =>
    resourceLogs.flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }) => logRecords)),
  );
}

function bodiesOf<Body>(received: readonly Received[], signal: string): Body[] {
  const ofSignal = received.filter(({ path }) => path === `/v1/${signal}`);
  return ofSignal.map(({ body }) => JSON.parse(body.toString('utf8')) as Body);
}

async function start(environment: Readonly<Record<string, string>>) {
  const [collector, provider] = await Promise.all([listen('{}'), listen(forecast)]);
  // The recorded weather is dry. At any other time it would be out of date, and the simulation, which may rain, would replace it.
  const clock = '2025-02-05T21:15:00';
  const service = await startServiceProcess(['--data', await temporaryFolder(), '--clock', clock], {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=collector-key',
    OTEL_BSP_SCHEDULE_DELAY: '50',
    // On a busy machine the last exports may take longer than the usual 2 s.
    OTEL_BSP_EXPORT_TIMEOUT: '30000',
    OTEL_METRIC_EXPORT_TIMEOUT: '30000',
    OTEL_BLRP_EXPORT_TIMEOUT: '30000',
    RAINBELL_OPEN_METEO_URL: provider.url,
    RAINBELL_OPEN_METEO_API_KEY: 'provider-key',
    ...environment,
  });
  onTestFinished(async () => void (await service.stop()));
  const token = await fetchAccessToken(service.introduction);
  const { baseUrl } = service.introduction;
  const sendRequest = (method: string, path: string, traceparent: string) =>
    fetch(`${baseUrl}${path}`, { method, headers: { authorization: `Bearer ${token}`, traceparent } });
  const endpoint = await startCallbackEndpoint();
  async function addMonitor(): Promise<string> {
    const monitor = { monitor_type: 'precipitation', callback_uri: endpoint.url, geo: turin };
    const { json } = await apiCaller(baseUrl, token)('POST', '/v2/monitors/', monitor);
    return (json as { id: string }).id;
  }
  return { collector, provider, service, sendRequest, endpoint, addMonitor, call: apiCaller(baseUrl, token) };
}

const ofClient = (digit: string) => ({ id: digit.repeat(32), header: `00-${digit.repeat(32)}-${'c'.repeat(16)}-01` });
const weather = (place: { lat: number; lng: number }) =>
  `/v2/weather/?location_lat=${place.lat}&location_lng=${place.lng}`;
const traceOf = (headers: IncomingHttpHeaders | undefined) => String(headers?.['traceparent']).split('-')[1];

it('follows a client to provider and receiver, gives each event a trace of its own, and sends metrics and log lines', async () => {
  const { collector, provider, service, sendRequest, endpoint, addMonitor, call } = await start({
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    RAINBELL_TRACE_PROPAGATE: 'providers,callbacks',
    RAINBELL_ACCESS_LOG: 'on',
  });
  const [asking, testing] = [ofClient('a'), ofClient('b')];
  expect((await sendRequest('GET', weather({ lat: 46.5, lng: 9.8 }), asking.header)).status).toBe(200);
  expect(provider.received.map(({ headers }) => traceOf(headers))).toContain(asking.id);

  const monitor = await addMonitor();
  expect((await sendRequest('POST', `/v2/monitors/${monitor}/test-event/`, testing.header)).status).toBe(202);
  const [tested] = await endpoint.waitFor(1);
  expect(traceOf(tested?.headers)).toBe(testing.id);

  await call('POST', '/sandbox/scenarios', { center: turin, minutes: 60 });
  const [, event] = await endpoint.waitFor(2);
  const eventId = String(event?.headers['webhook-id']);
  expect(`evt_${traceOf(event?.headers)}`).toBe(eventId);

  expect(await service.stop()).toBe(0);
  expect(new Set(collector.received.map(({ path, headers }) => [path, headers['api-key']].join(' ')))).toEqual(
    new Set(['/v1/traces collector-key', '/v1/metrics collector-key', '/v1/logs collector-key']),
  );
  const spans = spansOf(collector.received);
  const inTrace = (id: string) => spans.filter(({ traceId }) => traceId === id).map(({ name }) => name);
  expect(inTrace(asking.id)).toEqual(expect.arrayContaining(['GET /v2/weather/', 'request weather']));
  expect(inTrace(testing.id).toSorted()).toEqual(['POST /v2/monitors/:monitor_id/test-event/', 'deliver event']);
  expect(inTrace(String(traceOf(event?.headers)))).toEqual(['deliver event']);
  const sweeps = spans.filter(({ name }) => name === 'sweep');
  expect(sweeps.length).toBeGreaterThan(0);
  expect(sweeps.every(({ parentSpanId = '' }) => parentSpanId === '')).toBe(true);
  const attributes = spans.find(({ traceId }) => eventId.endsWith(traceId))?.attributes;
  expect(Object.fromEntries((attributes ?? []).map(({ key, value }) => [key, value]))).toEqual({
    'rainbell.event_id': { stringValue: eventId },
    'rainbell.monitor_id': { stringValue: monitor },
    'rainbell.attempt': { intValue: 1 },
    'server.address': { stringValue: '127.0.0.1' },
    'http.response.status_code': { intValue: 204 },
  });

  const metrics = Object.fromEntries(metricsOf(collector.received).map((metric) => [metric.name, metric]));
  const requests = metrics['rainbell_http_request_duration_seconds']?.histogram?.dataPoints ?? [];
  const weatherRequests = requests.find(({ attributes }) =>
    attributes.some(({ value }) => value.stringValue === '/v2/weather/'),
  );
  expect(weatherRequests?.count).toBe(1);
  expect(weatherRequests?.bucketCounts?.reduce((sum, count) => sum + count, 0)).toBe(1);
  expect(weatherRequests?.bucketCounts).toHaveLength((weatherRequests?.explicitBounds?.length ?? 0) + 1);
  expect(metrics['rainbell_watched_cells']?.gauge?.dataPoints.map(({ asDouble }) => asDouble)).toEqual([1]);
  expect(metrics['rainbell_weather_cache_misses']?.sum?.isMonotonic).toBe(true);
  // What the airport's host still gets in this minute, of 60.
  const left = metrics['rainbell_provider_requests_left']?.gauge?.dataPoints.find(({ attributes }) =>
    attributes.some(({ value }) => value.stringValue === 'metar'),
  );
  expect(left?.asDouble).toSatisfy((requestsLeft: number) => requestsLeft > 0 && requestsLeft <= 60);

  const lines = linesOf(collector.received);
  expect(lines.map(({ body }) => body.stringValue)).toContain('the service is ready');
  // A line of a request is in its trace.
  const access = lines.filter(({ body, traceId }) => body.stringValue === 'request' && traceId === asking.id);
  expect(access.map(({ severityText }) => severityText)).toEqual(['INFO']);
  // Neither keys nor locations, which are in the URLs of requests.
  const text = collector.received.map(({ body }) => body.toString('utf8')).join('\n');
  expect(text).not.toMatch(/provider-key|collector-key|46\.5|location_lat|Bearer|whsec/);
});

it('sends no traceparent by default, and exports protobuf by default, only what is not turned off', async () => {
  const { collector, provider, sendRequest, endpoint, addMonitor } = await start({
    OTEL_METRICS_EXPORTER: 'none',
    OTEL_BLRP_SCHEDULE_DELAY: '20',
  });
  const client = ofClient('d');
  expect((await sendRequest('GET', weather({ lat: 46.5, lng: 9.8 }), client.header)).status).toBe(200);
  const monitor = await addMonitor();
  await sendRequest('POST', `/v2/monitors/${monitor}/test-event/`, client.header);
  await endpoint.waitFor(1);
  expect(provider.received.length).toBeGreaterThan(0);
  const outgoing = [...provider.received, ...endpoint.received].map(({ headers }) => headers['traceparent']);
  expect(new Set(outgoing)).toEqual(new Set([undefined]));
  const id = Buffer.from(client.id, 'hex');
  await expect.poll(() => collector.received.some(({ body }) => body.includes(id))).toBe(true);
  const paths = () => new Set(collector.received.map(({ path }) => path));
  await expect.poll(paths).toEqual(new Set(['/v1/traces', '/v1/logs']));
  const types = collector.received.map(({ headers }) => headers['content-type']);
  expect(new Set(types)).toEqual(new Set(['application/x-protobuf']));
});

it.each([
  [{ OTEL_TRACES_EXPORTER: 'zipkin' }, 'OTEL_TRACES_EXPORTER must be otlp, console, or none. It was "zipkin".'],
  [
    { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    'OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf or http/json. It was "grpc".',
  ],
  [{ OTEL_LOGS_EXPORTER: 'console' }, 'OTEL_LOGS_EXPORTER must be otlp or none. It was "console".'],
  [{ RAINBELL_TRACE_PROPAGATE: 'everyone' }, 'RAINBELL_TRACE_PROPAGATE must be providers, callbacks, or both.'],
])('refuses %o', async (environment, sentence) => {
  await expect(start(environment)).rejects.toThrow(sentence);
});
