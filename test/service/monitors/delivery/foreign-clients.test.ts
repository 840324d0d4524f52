// What clients and receivers of other people's making do, over bare sockets and real HTTP.
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { errorBodySchema, type ServiceErrorCode } from '#contract/service-api/service-errors.ts';
import { attempts, eventOf, rainOn } from './delivery-harness.ts';
import { eventually } from '#test/service/eventually.ts';
import { startMonitorService, type MonitorService } from '#test/service/monitor-service.ts';
import { oddResponses, startRawReceiver } from './raw-receiver.ts';

/** Sends a text as it is, and returns everything that comes back until the service closes. */
async function send(service: MonitorService, request: string): Promise<{ status: number; head: string; body: string }> {
  const { port, hostname } = new URL(service.baseUrl);
  const text = await new Promise<string>((resolve, reject) => {
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.write(request));
    socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
    socket.on('end', () => resolve(received)).on('error', reject);
  });
  const [head = '', body = ''] = text.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head: head.toLowerCase(), body };
}

const close = 'Connection: close\r\n\r\n';

describe('a request that no route sees', () => {
  it.each<[string, string, number, ServiceErrorCode]>([
    ['a bad escape', `GET /v2/%zz HTTP/1.1\r\nHost: a\r\n${close}`, 400, 'invalid_request'],
    ['an unknown method', `BREW /v2/weather/ HTTP/1.1\r\nHost: a\r\n${close}`, 405, 'method_not_allowed'],
    ['no HTTP', 'hello there\r\n\r\n', 400, 'invalid_request'],
    [
      'two lengths',
      `POST /token/ HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n${close}`,
      400,
      'invalid_request',
    ],
    ['20 kB of URL', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n${close}`, 431, 'headers_too_large'],
    ['no Host', `GET /v2/monitors/ HTTP/1.1\r\n${close}`, 400, 'invalid_request'],
    ['two Hosts', `GET /v2/monitors/ HTTP/1.1\r\nHost: a\r\nhost: b\r\n${close}`, 400, 'invalid_request'],
    [
      'an encoded body',
      `POST /v2/monitors/ HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\n${close}`,
      415,
      'unsupported_media_type',
    ],
  ])('gets the documented error for %s', async (_name, request, status, code) => {
    const response = await send(await startMonitorService(), request);
    expect(response.status).toBe(status);
    expect(response.head).toContain('content-type: application/json; charset=utf-8');
    const { error, error_description: description } = errorBodySchema.parse(JSON.parse(response.body));
    expect(error).toBe(code);
    expect(description).toMatch(/^[\x20-\x7e]+\.$/);
  });

  it('may be HTTP/1.0 without Host', async () => {
    expect((await send(await startMonitorService(), 'GET /v2/monitors/ HTTP/1.0\r\n\r\n')).status).toBe(401);
  });

  it('gets the methods by OPTIONS without an origin', async () => {
    const { baseUrl } = await startMonitorService();
    const options = async (path: string) => {
      const response = await fetch(baseUrl + path, { method: 'OPTIONS' });
      return [response.status, response.headers.get('allow'), await response.text()];
    };
    expect(await options('/v2/monitors/')).toEqual([204, 'GET, HEAD, POST, OPTIONS', '']);
    expect(await options('/v2/monitors/precipitation_1')).toEqual([204, 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS', '']);
    const preflight = await fetch(`${baseUrl}/v2/monitors/`, {
      method: 'OPTIONS',
      headers: { origin: 'https://example.org', 'access-control-request-method': 'POST' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([
      204,
      'GET, HEAD, POST, PUT, PATCH, DELETE',
    ]);
  });
});

describe('a client that', () => {
  it('asks whether the monitors changed gets 304 until they did', async () => {
    const service = await startMonitorService();
    const id = await service.addMonitor('http://127.0.0.1:9/a');
    for (const path of ['/v2/monitors/', `/v2/monitors/${id}/`]) {
      const etag = (await service.call('GET', path)).headers.get('etag') ?? '';
      const again = () => service.call('GET', path, undefined, { 'if-none-match': etag });
      expect(await again()).toMatchObject({ status: 304, text: '' });
      const changed = { callback_uri: `http://127.0.0.1:9/${path.length}` };
      expect((await service.call('PATCH', `/v2/monitors/${id}/`, changed)).status).toBe(202);
      expect((await again()).status).toBe(200);
    }
  });

  it('posts a monitor that it just read gets a new one', async () => {
    const service = await startMonitorService();
    const id = await service.addMonitor('http://127.0.0.1:9/a');
    const { json } = await service.call('GET', `/v2/monitors/${id}/`);
    const copy = await service.call('POST', '/v2/monitors/', json);
    expect(copy.status).toBe(201);
    expect((copy.json as { id: string }).id).not.toBe(id);
    expect((await service.call('POST', '/v2/monitors/', { ...(json as object), id: 7 })).status).toBe(400);
  });
});

describe('a callback counts as delivered', () => {
  it.each(oddResponses)('%s', async (_name, pieces, end) => {
    const service = await startMonitorService();
    const receiver = await startRawReceiver(pieces, end);
    const id = await rainOn(service, receiver);
    await eventually(async () => expect(await eventOf(service, id)).toMatchObject({ state: 'delivered' }));
    expect(await attempts(service, id, 1)).toMatchObject([{ http_status: 200, error: null, answer: 'ok' }]);
    expect(receiver.requests()).toBe(1);
  });
});
