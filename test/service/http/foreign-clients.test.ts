// What clients of other people's making do, over bare sockets and real HTTP.
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { errorBodySchema, type ServiceErrorCode } from '#contract/service-api/service-errors.ts';
import { startMonitorService } from '#test/service/monitor-service.ts';

/** Sends a text as it is, and returns everything that comes back until the service closes. */
async function send(baseUrl: string, request: string): Promise<{ status: number; head: string; body: string }> {
  const { port, hostname } = new URL(baseUrl);
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
const lengths = 'Content-Length: 1\r\nTransfer-Encoding: chunked';
const odd: readonly [what: string, request: string, status: number, code: ServiceErrorCode][] = [
  ['a bad escape', `GET /v2/%zz HTTP/1.1\r\nHost: a\r\n${close}`, 400, 'invalid_request'],
  ['an unknown method', `BREW /v2/weather/ HTTP/1.1\r\nHost: a\r\n${close}`, 405, 'method_not_allowed'],
  ['no HTTP', 'hello there\r\n\r\n', 400, 'invalid_request'],
  ['two lengths', `POST /token/ HTTP/1.1\r\nHost: a\r\n${lengths}\r\n${close}`, 400, 'invalid_request'],
  ['20 kB of URL', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n${close}`, 431, 'headers_too_large'],
  ['no Host', `GET /v2/monitors/ HTTP/1.1\r\n${close}`, 400, 'invalid_request'],
  ['two Hosts', `GET /v2/monitors/ HTTP/1.1\r\nHost: a\r\nhost: b\r\n${close}`, 400, 'invalid_request'],
  [
    'an encoded body',
    `POST /v2/monitors/ HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\n${close}`,
    415,
    'unsupported_media_type',
  ],
];

it('a request that no route sees gets the documented error', async () => {
  const { baseUrl } = await startMonitorService();
  for (const [what, request, status, code] of odd) {
    const response = await send(baseUrl, request);
    expect([what, response.status]).toEqual([what, status]);
    expect(response.head).toContain('content-type: application/json; charset=utf-8');
    const { error, error_description: description } = errorBodySchema.parse(JSON.parse(response.body));
    expect([what, error]).toEqual([what, code]);
    expect(description).toMatch(/^[\x20-\x7e]+\.$/);
  }
  // HTTP/1.0 knows no Host.
  expect((await send(baseUrl, 'GET /v2/monitors/ HTTP/1.0\r\n\r\n')).status).toBe(401);
});

it('OPTIONS returns the methods of a path', async () => {
  const { baseUrl } = await startMonitorService();
  const options = async (path: string) => {
    const response = await fetch(baseUrl + path, { method: 'OPTIONS' });
    return [response.status, response.headers.get('allow'), await response.text()];
  };
  expect(await options('/v2/monitors/')).toEqual([204, 'GET, HEAD, POST, OPTIONS', '']);
  expect(await options('/v2/monitors/precipitation_1')).toEqual([204, 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS', '']);
});
