// Requests that no well-meaning program sends: floods of headers, endless bodies, games with chunks, and the shapes that make
// two servers disagree about where a request ends (request smuggling, RFC 9112 §11.2).
import { once } from 'node:events';
import { connect } from 'node:net';
import { get } from './anonymous-requests.ts';

type Malformed = { name: string; bytes: (host: string) => Iterable<string> };

const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n';

function post(host: string, headers: string, body: string): string[] {
  return [`POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`];
}

function* repeated(text: string, head: readonly string[]): Iterable<string> {
  yield* head;
  for (let count = 0; count < 100; count += 1) yield text;
}

const megabyte = 'x'.repeat(2 ** 20);

export const malformedRequests: readonly Malformed[] = [
  { name: '10,000 headers', bytes: (host) => [get(host, '/', 'X-A: b\r\n'.repeat(10_000))] },
  { name: 'a header of 1 MB', bytes: (host) => [get(host, '/', `X-Long: ${megabyte}\r\n`)] },
  { name: 'a target of 1 MB', bytes: (host) => [get(host, `/${megabyte}`)] },
  {
    name: 'a body of 100 MB',
    bytes: (host) => repeated(megabyte, post(host, `Content-Length: ${100 * 2 ** 20}`, '')),
  },
  {
    name: 'chunks without end',
    bytes: (host) => repeated(`100000\r\n${megabyte}\r\n`, post(host, 'Transfer-Encoding: chunked', '')),
  },
  {
    name: 'a chunk of a negative size',
    bytes: (host) => post(host, 'Transfer-Encoding: chunked', '-1\r\nx\r\n0\r\n\r\n'),
  },
  {
    name: 'a chunk larger than any number',
    bytes: (host) => post(host, 'Transfer-Encoding: chunked', `${'f'.repeat(40)}\r\nx\r\n0\r\n\r\n`),
  },
  {
    name: 'a chunk extension of 1 MB',
    bytes: (host) => post(host, 'Transfer-Encoding: chunked', `1;${megabyte}\r\nx\r\n0\r\n\r\n`),
  },
  {
    name: 'both lengths (CL.TE)',
    bytes: (host) => post(host, 'Content-Length: 5\r\nTransfer-Encoding: chunked', `0\r\n\r\n${smuggled}`),
  },
  {
    name: 'two lengths',
    bytes: (host) => post(host, `Content-Length: 2\r\nContent-Length: ${2 + smuggled.length}`, `{}${smuggled}`),
  },
  {
    name: 'two codings (TE.TE)',
    bytes: (host) => post(host, 'Transfer-Encoding: chunked\r\nTransfer-Encoding: x', `0\r\n\r\n${smuggled}`),
  },
  { name: 'a coding nobody knows', bytes: (host) => post(host, 'Transfer-Encoding: xchunked', `0\r\n\r\n${smuggled}`) },
  {
    name: 'a space before the colon',
    bytes: (host) => post(host, 'Transfer-Encoding : chunked', `0\r\n\r\n${smuggled}`),
  },
  { name: 'a folded header', bytes: (host) => post(host, 'Content-Length: 2\r\n X: y', `{}${smuggled}`) },
  { name: 'a length with a sign', bytes: (host) => post(host, 'Content-Length: +2', `{}${smuggled}`) },
  {
    name: 'lines that end in LF alone',
    bytes: (host) => [`POST / HTTP/1.1\nHost: ${host}\nContent-Length: 2\n\n{}${smuggled}`],
  },
  { name: 'a NUL in a header', bytes: (host) => post(host, 'X: a\0b\r\nContent-Length: 2', `{}${smuggled}`) },
  { name: 'no HTTP at all', bytes: () => ['\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003'] },
];

export type Reaction = { answers: number; isClosed: boolean };

const patienceMs = 15_000;

/** Sends it and waits until the other side closes. */
export async function sendMalformed(port: number, { bytes }: Malformed): Promise<Reaction> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  let received = '';
  socket.on('data', (text: string) => {
    // Enough to count answers.
    if (received.length < 2 ** 20) received += text;
  });
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
  const patience = AbortSignal.timeout(patienceMs);
  patience.addEventListener('abort', () => socket.destroy());
  for (const part of bytes(`127.0.0.1:${port}`)) {
    if (socket.destroyed) break;
    // A socket that fails is destroyed.
    const drained = socket.write(part, 'latin1') || once(socket, 'drain').catch(() => {});
    await Promise.race([drained, closed]);
  }
  await closed;
  return { answers: received.match(/^HTTP\/1\.1 \d{3} /gm)?.length ?? 0, isClosed: !patience.aborted };
}
