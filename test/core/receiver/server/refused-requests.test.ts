// Requests that node:http refuses: what the sender gets, and what is noted of them.
import { expect, test } from 'vitest';
import { openRaw } from '#test/core/raw-http.ts';
import { startRunning } from './running-receiver.ts';

/** What is noted of the newest request, once as many are. */
async function noted({ pages }: Awaited<ReturnType<typeof startRunning>>, total = 1) {
  await expect.poll(() => pages.counts().total).toBe(total);
  const { refusal, answeredStatus, method, target, remoteAddress, httpVersion, body } = pages.get(total) ?? {};
  const text = body?.toString('latin1');
  return { reason: refusal?.reason, answeredStatus, method, target, remoteAddress, httpVersion, body: text };
}

const host = 'Host: a\r\n';
const chunked = `POST /c HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n`;
const hello = '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03';
const lengths = `POST /2 HTTP/1.1\r\n${host}${'Content-Length: 1\r\n'.repeat(2)}\r\nx`;
const both = `POST /b HTTP/1.1\r\n${host}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`;
const expecting = `POST /e HTTP/1.1\r\n${host}Expect: cake\r\nContent-Length: 1\r\n\r\n`;

/** What is sent, and what is noted of it: the reason, the status, and of its head the method, the target, and the version. */
const refused: [string, string, number, string?, string?, string?][] = [
  ['nonsense\r\n\r\n', 'malformed', 400],
  ['post /p\r\n\r\n', 'malformed', 400],
  [`GET /h HTTP/1.1\r\n${host}a b: c\r\n\r\n`, 'bad-header', 400, 'GET', '/h', '1.1'],
  // Folded.
  [`GET /f HTTP/1.1\r\n${host}a: b\r\n c\r\n\r\n`, 'bad-header', 400, 'GET', '/f', '1.1'],
  [`GET /n HTTP/1.0\r\n${host}a: \0\r\n\r\n`, 'bad-header', 400, 'GET', '/n', '1.0'],
  [`FROB /m HTTP/1.1\r\n${host}\r\n`, 'unknown-method', 400, 'FROB', '/m', '1.1'],
  // UTF-8.
  [`GET /\xc3\xbc HTTP/1.1\r\n${host}\r\n`, 'bad-target', 400, 'GET', '/ü', '1.1'],
  [lengths, 'bad-length', 400, 'POST', '/2', '1.1'],
  [both, 'bad-length', 400, 'POST', '/b', '1.1'],
  [`${chunked}zz\r\n`, 'malformed', 400, 'POST', '/c', '1.1'],
  // A long chunk extension.
  [`${chunked}1;${'x'.repeat(20_000)}`, 'malformed', 413, 'POST', '/c', '1.1'],
  [`GET /l HTTP/1.1\r\nA: ${'x'.repeat(17_000)}`, 'head-too-long', 431, 'GET', '/l', '1.1'],
  [hello, 'tls-on-http', 400],
  [`CONNECT a.test:1 HTTP/1.1\r\n${host}\r\n`, 'connect', 405, 'CONNECT', 'a.test:1', '1.1'],
  [expecting, 'unexpected-expectation', 417, 'POST', '/e', '1.1'],
];

test('what node:http refuses gets a response that closes the connection, and is noted with its first bytes', async () => {
  const running = await startRunning();
  for (const [index, [text, reason, status, method = '', target = '', version = '']] of refused.entries()) {
    const sent = await openRaw(running.port, text).answer;
    expect(sent).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^]*Connection: close`, 'i'));
    expect(await noted(running, index + 1)).toEqual({
      reason,
      answeredStatus: status,
      method,
      target,
      remoteAddress: '127.0.0.1',
      httpVersion: version,
      body: text.slice(0, 1024),
    });
  }
  expect((await running.post()).status).toBe(200);
});

/** Still long for a busy machine. */
const quick = { headersTimeout: 200, requestTimeout: 250, checkingInterval: 20 };

test.each([
  // How much of an unfinished head was received is unknown.
  ['head', 'POST /slow HTTP/1.1\r\nHost: a\r\n', ''],
  ['body', 'POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc', '/slow'],
])('a request whose %s does not end gets 408', async (_, text, target) => {
  const running = await startRunning({ limits: quick });
  expect(await openRaw(running.port, text).answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  expect(await noted(running)).toMatchObject({ reason: 'timeout', answeredStatus: 408, target });
});

test('a connection without a request is closed without a note', async () => {
  const running = await startRunning({ limits: quick });
  const { answer } = openRaw(running.port, '');
  expect(await answer).toBe('');
  await running.close();
  expect(running.pages.counts().total).toBe(0);
});
