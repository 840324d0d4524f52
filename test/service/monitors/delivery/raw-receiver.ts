// A receiver over a bare socket, and responses as some receivers send them: unasked interim responses, and bodies cut short.
import { createServer, type Socket } from 'node:net';
import { listen } from '#test/setup/listen.ts';

const go = 'HTTP/1.1 100 Continue\r\n\r\n';
const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
/** Browsers read 256 KB. */
const cookies = `Set-Cookie: a=${'x'.repeat(3_500)}\r\n`.repeat(60);

/** What is odd, the pieces, and whether the receiver then closes. Each of them says "delivered". */
export const oddResponses: [string, string[], boolean][] = [
  ['after 100 Continue that nobody asked for', [go, ok], false],
  ['after two of them in one packet with the response', [go + go + ok], false],
  [
    'after one that is cut anywhere',
    ['HTTP/1.1 1', '00 Continue\r\nX: y\r', '\n\r\nHTTP/1.1 200 OK\r\nContent-Le', 'ngth: 2\r\n\r\nok'],
    false,
  ],
  ['after 102 Processing', [`HTTP/1.1 102 Processing\r\n\r\n${ok}`], false],
  ['after 103 Early Hints', [`HTTP/1.1 103 Early Hints\r\n\r\n${ok}`], false],
  ['with many cookies', [ok.replace('\r\n', `\r\n${cookies}`)], false],
  ['if its body is shorter than promised', ['HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nok'], true],
  ['if its body ends within a chunk', ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\nok'], true],
];

/** A receiver that writes its response as given, piece by piece; with `end` it then closes. */
export async function startRawReceiver(pieces: readonly string[], end = false) {
  let requests = 0;
  const server = createServer((socket: Socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      if (!chunk.toString('latin1').includes('POST ')) return;
      requests += 1;
      socket.setNoDelay(true);
      const [first = '', ...rest] = pieces;
      socket.write(first);
      // Each piece in a packet of its own.
      rest.forEach((piece, index) => void setTimeout(() => socket.write(piece), 20 * (index + 1)));
      if (end) setTimeout(() => socket.end(), 20 * pieces.length);
    });
  });
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}/rain`, requests: () => requests };
}
