// Requests that node:http refuses: what the sender gets, and what is noted of them.
import { request as httpsRequest } from 'node:https';
import { expect, test } from 'vitest';
import { makeAuthority, makeLeaf } from '#core/receiver/access/receiver-certificate.ts';
import { openRaw } from '#test/core/raw-http.ts';
import { startRunning } from './running-receiver.ts';

type Running = Awaited<ReturnType<typeof startRunning>>;

/** What is noted of the oldest request, once it is. */
async function noted(running: Running) {
  await expect.poll(() => running.pages.counts().total).toBeGreaterThan(0);
  const { refusal, answeredStatus, method, target, remoteAddress, body } = running.pages.get(1) ?? {};
  return { reason: refusal?.reason, answeredStatus, method, target, remoteAddress, body: body?.toString('latin1') };
}

const host = 'Host: a\r\n';
const chunked = `POST /c HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n`;
const hello = '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03';

test.each([
  ['that is not HTTP', 'nonsense\r\n\r\n', '400 Bad Request', 'malformed', 400, '', ''],
  [
    'with a wrong header',
    `GET /h HTTP/1.1\r\n${host}a b: c\r\n\r\n`,
    '400 Bad Request',
    'bad-header',
    400,
    'GET',
    '/h',
  ],
  ['with a folded header', `GET /f HTTP/1.1\r\n${host}a: b\r\n c\r\n\r\n`, '400 Bad', 'bad-header', 400, 'GET', '/f'],
  ['with NUL in a header', `GET /n HTTP/1.1\r\n${host}a: \0\r\n\r\n`, '400 Bad', 'bad-header', 400, 'GET', '/n'],
  ['with an unknown method', `FROB /m HTTP/1.1\r\n${host}\r\n`, '400 Bad', 'unknown-method', 400, 'FROB', '/m'],
  ['with a path in UTF-8', `GET /\xc3\xbc HTTP/1.1\r\n${host}\r\n`, '400 Bad', 'bad-target', 400, 'GET', '/ü'],
  [
    'with two lengths',
    `POST /2 HTTP/1.1\r\n${host}${'Content-Length: 1\r\n'.repeat(2)}\r\nx`,
    '400 Bad',
    'bad-length',
    400,
    'POST',
    '/2',
  ],
  [
    'with a length and chunks',
    `POST /b HTTP/1.1\r\n${host}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
    '400 Bad',
    'bad-length',
    400,
    'POST',
    '/b',
  ],
  ['with a wrong chunk', `${chunked}zz\r\n`, '400 Bad Request', 'malformed', 400, 'POST', '/c'],
  ['with a long chunk extension', `${chunked}1;${'x'.repeat(20_000)}`, '413 Payload', 'malformed', 413, 'POST', '/c'],
  ['with a long head', `GET /l HTTP/1.1\r\nA: ${'x'.repeat(17_000)}`, '431 Request', 'head-too-long', 431, 'GET', '/l'],
  ['over TLS', hello, '400 Bad Request', 'tls-on-http', 400, '', ''],
  ['to a proxy', `CONNECT a.test:1 HTTP/1.1\r\n${host}\r\n`, '405 Method', 'connect', 405, 'CONNECT', 'a.test:1'],
  [
    'that expects something else',
    `POST /e HTTP/1.1\r\n${host}Expect: cake\r\nContent-Length: 1\r\n\r\n`,
    '417 Expectation Failed',
    'unexpected-expectation',
    417,
    'POST',
    '/e',
  ],
])('a request %s', async (_, text, status, reason, answeredStatus, method, target) => {
  const running = await startRunning();
  const sent = await openRaw(running.port, text).answer;
  expect(sent).toMatch(new RegExp(`^HTTP/1\\.1 ${status}[^]*Connection: close`, 'i'));
  const row = await noted(running);
  expect(row).toMatchObject({ reason, answeredStatus, method, target, remoteAddress: '127.0.0.1' });
  expect(row.body).toBe(text.slice(0, 1024));
  expect(running.pages.counts().total).toBe(1);
  expect((await running.post()).status).toBe(200);
});

test('a request with a wrong body is noted with its head, once', async () => {
  const running = await startRunning();
  const raw = openRaw(running.port, chunked);
  // The head was read when another request is answered.
  await running.post();
  raw.socket.write('zz\r\n');
  expect(await raw.answer).toMatch(/^HTTP\/1\.1 400 /);
  await expect.poll(() => running.pages.counts().total).toBe(2);
  expect(running.pages.get(2)?.body.toString()).toBe(`${chunked}zz\r\n`);
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

test('a sender that does not trust the certificate is noted', async () => {
  const running = await startRunning();
  const tls = await makeLeaf(await makeAuthority(Date.now()), [], Date.now());
  const port = await running.call('listen', 0, { tls, lanToken: null });
  const problem = await new Promise((resolve) => {
    httpsRequest(`https://127.0.0.1:${port}/`, { agent: false })
      .on('error', (error) => resolve('code' in error))
      .end();
  });
  expect(problem).toBe(true);
  expect(await noted(running)).toMatchObject({
    reason: 'tls-handshake',
    answeredStatus: 0,
    remoteAddress: '127.0.0.1',
  });
});

test('a head is kept as it was written', async () => {
  const running = await startRunning();
  const heads = ['\r\nPOST /a HTTP/1.1\r\nhOST:a\r\nX:  b \r\n\r\n', 'GET /b HTTP/1.0\r\nA:1\r\n\r\n'];
  for (const head of heads) {
    const { answer, socket } = openRaw(running.port, head);
    await expect.poll(() => running.pages.counts().total).toBe(heads.indexOf(head) + 1);
    socket.end();
    await answer;
  }
  const shown = [1, 2].map((id) => running.pages.get(id)?.head());
  expect(shown).toEqual(heads.map((head) => ({ base64: btoa(head), isExact: true })));
});
