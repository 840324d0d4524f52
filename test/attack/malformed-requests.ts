// Requests that no well-meaning program sends: floods of headers, endless bodies, games with chunks, and the shapes that make
// two servers disagree about where a request ends (request smuggling, RFC 9112 §11.2).
import { connect } from 'node:net';

export type Malformed = { name: string; bytes: (host: string) => Iterable<string>; mayAnswerTwice?: boolean };

const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n';

function post(host: string, headers: string, body: string): string[] {
  return [`POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`];
}

function* repeated(text: string, times: number, head: string): Iterable<string> {
  yield head;
  for (let count = 0; count < times; count += 1) yield text;
}

export const malformedRequests: readonly Malformed[] = [
  {
    name: '10,000 headers',
    bytes: (host) => [`GET / HTTP/1.1\r\nHost: ${host}\r\n${'X-A: b\r\n'.repeat(10_000)}\r\n`],
  },
  {
    name: 'a header of 1 MB',
    bytes: (host) => [`GET / HTTP/1.1\r\nHost: ${host}\r\nX-Long: ${'a'.repeat(2 ** 20)}\r\n\r\n`],
  },
  { name: 'a target of 1 MB', bytes: (host) => [`GET /${'a'.repeat(2 ** 20)} HTTP/1.1\r\nHost: ${host}\r\n\r\n`] },
  {
    name: 'a body of 100 MB',
    bytes: (host) =>
      repeated(
        'x'.repeat(2 ** 20),
        100,
        `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${100 * 2 ** 20}\r\n\r\n`,
      ),
  },
  {
    name: 'chunks without end',
    bytes: (host) =>
      repeated(
        `100000\r\n${'x'.repeat(2 ** 20)}\r\n`,
        100,
        `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
      ),
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
    bytes: (host) => post(host, 'Transfer-Encoding: chunked', `1;${'a'.repeat(2 ** 20)}\r\nx\r\n0\r\n\r\n`),
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

export type Reaction = { answers: number; firstStatus: number | undefined; isClosed: boolean };

const patienceMs = 15_000;

/** Sends it and waits until the other side closes. */
export async function sendMalformed(port: number, { bytes }: Malformed): Promise<Reaction> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  let isClosed = false;
  socket.setEncoding('latin1').on('data', (text: string) => {
    // Enough to count answers.
    if (received.length < 2 ** 20) received += text;
  });
  const closed = new Promise<void>((resolve) => {
    socket.on('error', () => {});
    socket.once('close', () => {
      isClosed = true;
      resolve();
    });
  });
  const patience = AbortSignal.timeout(patienceMs);
  patience.addEventListener('abort', () => socket.destroy());
  await new Promise<void>((resolve) => void socket.once('connect', () => resolve()).once('close', () => resolve()));
  for (const part of bytes(`127.0.0.1:${port}`)) {
    if (socket.destroyed) break;
    if (!socket.write(Buffer.from(part, 'latin1'))) await drained(socket);
  }
  await closed;
  const statuses = [...received.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map((match) => Number(match[1]));
  return { answers: statuses.length, firstStatus: statuses[0], isClosed: isClosed && !patience.aborted };
}

function drained(socket: ReturnType<typeof connect>): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.once('drain', done).once('close', done);
  });
}
