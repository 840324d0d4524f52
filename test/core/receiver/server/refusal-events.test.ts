// What is noted of a request that node:http refuses, and what is sent, for each state of its connection.
import { createServer, type IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { Refusal } from '#core/receiver/refusals/refusal-log.ts';
import { refusalOf, watchRefusals } from '#core/receiver/refusals/refused-requests.ts';

type Given = { error?: object; socket?: object };
const badHead = 'nonsense\r\n\r\n';
const parseError = (packet: string | number[] = badHead, code = 'HPE_INVALID_METHOD') => ({
  code,
  rawPacket: typeof packet === 'string' ? Buffer.from(packet, 'latin1') : Buffer.from(packet),
});

function fail({ error = parseError(), socket: changes = {} }: Given, event = 'clientError') {
  const refusals: Refusal[] = [];
  const written: string[] = [];
  const server = createServer();
  const { isRefused } = watchRefusals(server, (refusal) => void refusals.push(refusal));
  let destroys = 0;
  const socket = {
    writable: true,
    bytesRead: 7,
    remoteAddress: '192.0.2.7',
    write: (text: string) => void written.push(text),
    destroy: () => void (destroys += 1),
    ...changes,
  };
  server.emit(event, Object.assign(new Error('it failed'), error), socket);
  const [refusal] = refusals;
  return {
    destroys,
    isRefused: isRefused(socket as never),
    written: written.join('').split('\r\n')[0],
    refused: refusal && [refusal.reason, refusal.status, refusal.firstBytes.toString('latin1')],
    remoteAddress: refusal?.remoteAddress,
  };
}

const request = (changes: object = {}) =>
  ({
    method: 'POST',
    url: '/\xe9',
    httpVersion: '1.1',
    rawHeaders: ['Host', 'a'],
    socket: { remoteAddress: '192.0.2.8' },
    complete: false,
    ...changes,
  }) as IncomingMessage;
const read = 'POST /\xe9 HTTP/1.1\r\nHost: a\r\n\r\n';

test.each<[string, Given, (string | number)[] | undefined, string]>([
  ['text', {}, ['malformed', 400, badHead], 'HTTP/1.1 400 Bad Request'],
  ['text without its bytes', { error: { code: 'HPE_X' } }, ['malformed', 400, ''], 'HTTP/1.1 400 Bad Request'],
  ['text over a closed connection', { socket: { writable: false } }, ['malformed', 0, badHead], ''],
  ['text behind a response', { socket: { _httpMessage: { headersSent: true } } }, ['malformed', 0, badHead], ''],
  [
    'text before a response',
    { socket: { _httpMessage: { headersSent: false } } },
    ['malformed', 400, badHead],
    'HTTP/1.1 400 Bad Request',
  ],
  ['a TLS record', { error: parseError([22, 3]) }, ['tls-on-http', 400, '\x16\x03'], 'HTTP/1.1 400 Bad Request'],
  ['another record', { error: parseError([21, 3]) }, ['malformed', 400, '\x15\x03'], 'HTTP/1.1 400 Bad Request'],
  ['another version', { error: parseError([22, 4]) }, ['malformed', 400, '\x16\x04'], 'HTTP/1.1 400 Bad Request'],
  [
    'a long head',
    { error: parseError('GET /l', 'HPE_HEADER_OVERFLOW') },
    ['head-too-long', 431, 'GET /l'],
    'HTTP/1.1 431 Request Header Fields Too Large',
  ],
  [
    'long chunk extensions',
    { error: parseError('1;x', 'HPE_CHUNK_EXTENSIONS_OVERFLOW') },
    ['malformed', 413, '1;x'],
    'HTTP/1.1 413 Payload Too Large',
  ],
  [
    'half a request',
    { error: parseError('GET /', 'HPE_INVALID_EOF_STATE') },
    ['unfinished', 400, 'GET /'],
    'HTTP/1.1 400 Bad Request',
  ],
  [
    'a slow request',
    { error: { code: 'ERR_HTTP_REQUEST_TIMEOUT' } },
    ['timeout', 408, ''],
    'HTTP/1.1 408 Request Timeout',
  ],
  ['nothing in time', { error: { code: 'ERR_HTTP_REQUEST_TIMEOUT' }, socket: { bytesRead: 0 } }, undefined, ''],
  ['a reset', { error: { code: 'ECONNRESET' } }, undefined, ''],
  ['an unknown failure', { error: {} }, undefined, ''],
  [
    'a wrong chunk',
    { error: parseError('zz'), socket: { parser: { incoming: request() } } },
    ['malformed', 400, `${read}zz`],
    'HTTP/1.1 400 Bad Request',
  ],
  [
    'a wrong chunk, with its head in the same packet',
    { error: parseError(`...${read}zz`), socket: { parser: { incoming: request() } } },
    ['malformed', 400, `${read}zz`],
    'HTTP/1.1 400 Bad Request',
  ],
  [
    'a wrong chunk, with its head at the start of the packet',
    { error: parseError(`${read}zz`), socket: { parser: { incoming: request() } } },
    ['malformed', 400, `${read}zz`],
    'HTTP/1.1 400 Bad Request',
  ],
  [
    'text after a request',
    { socket: { parser: { incoming: request({ complete: true }) } } },
    ['malformed', 400, badHead],
    'HTTP/1.1 400 Bad Request',
  ],
  [
    'text to a new parser',
    { socket: { parser: { incoming: null } } },
    ['malformed', 400, badHead],
    'HTTP/1.1 400 Bad Request',
  ],
])('%s is noted, and answered if possible', (_, given, refused, written) => {
  const result = fail(given);
  expect([result.refused, result.written, result.destroys]).toEqual([refused, written, 1]);
  expect(result.isRefused).toBe(refused !== undefined);
});

test.each([
  [{}, '192.0.2.7'],
  // A connection over TLS may have lost its address, and the one below it still has it.
  [{ remoteAddress: undefined, _parent: { remoteAddress: '192.0.2.9' } }, '192.0.2.9'],
  [{ remoteAddress: undefined, _parent: null }, ''],
])('notes the address of %j', (socket, remoteAddress) => {
  expect(fail({ socket }).remoteAddress).toBe(remoteAddress);
});

test.each([
  ['ERR_SSL_HTTP_REQUEST', ['http-on-https', 0, '']],
  ['ERR_SSL_OTHER', ['tls-handshake', 0, 'ERR_SSL_OTHER']],
  ['E'.repeat(300), ['tls-handshake', 0, 'E'.repeat(200)]],
  [undefined, ['tls-handshake', 0, 'it failed']],
])('notes a handshake that failed with %s', (code, refused) => {
  const result = fail({ error: { code } }, 'tlsClientError');
  expect([result.refused, result.destroys, result.written]).toEqual([refused, 1, '']);
});

test('responds to CONNECT, and bears a reset after it', () => {
  const server = createServer();
  const refusals: Refusal[] = [];
  watchRefusals(server, (refusal) => void refusals.push(refusal));
  const stream = new PassThrough();
  server.emit('connect', request({ method: 'CONNECT' }), stream);
  expect(String(stream.read())).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n/);
  expect(refusals).toMatchObject([{ reason: 'connect', status: 405, remoteAddress: '192.0.2.8' }]);
  stream.emit('error', new Error('reset'));
  expect(stream.destroyed).toBe(true);
});

const bytes = (changes: object, body?: readonly Buffer[]) =>
  refusalOf('timeout', 408, request(changes), body).firstBytes.length;

test('copies a limited part of a long request', () => {
  expect(bytes({ url: 'x'.repeat(5000), rawHeaders: [] })).toBe('POST  HTTP/1.1\r\n\r\n'.length + 4096);
  expect(bytes({ rawHeaders: ['A', 'x'.repeat(2000)] }) - bytes({ rawHeaders: [] })).toBe('A: \r\n'.length + 1024);
  const many = Array.from({ length: 300 }, () => 'a');
  expect(bytes({ rawHeaders: many }) - bytes({ rawHeaders: [] })).toBe(100 * 'a: a\r\n'.length);
  const body = [Buffer.alloc(2000), Buffer.alloc(5)];
  expect(bytes({}, body) - bytes({})).toBe(1024);
});

test('omits what is unknown', () => {
  const unknown = { method: undefined, url: undefined, rawHeaders: [], socket: {} };
  const { firstBytes, remoteAddress } = refusalOf('timeout', 408, request(unknown));
  expect([firstBytes.toString(), remoteAddress]).toEqual(['  HTTP/1.1\r\n\r\n', '']);
});
