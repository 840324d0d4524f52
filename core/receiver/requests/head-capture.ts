// Keeps the head of a request as its sender wrote it. node:http reads connections natively and passes on only the parsed
// headers; a listener for `data` makes it read in JavaScript instead, which costs a fifth more CPU per request. So only few
// connections are listened to.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { headLimits } from '@rainbell/contract/app-rpc';
import type { ReceivedCallback } from './received-callback.ts';

type Watched = {
  /** What was received since the end of the last request. */
  chunks: Buffer[];
  /** Of the last request; Infinity if only its end is known. */
  bodyBytesLeft: number;
  last?: IncomingMessage;
};

export function createHeadCapture() {
  const watched = new Map<Socket, Watched>();
  return {
    /** Call it for each new connection, after node:http listens to it. */
    watch(socket: Socket) {
      if (watched.size >= headLimits.connections) return;
      const connection: Watched = { chunks: [], bodyBytesLeft: 0 };
      watched.set(socket, connection);
      socket.once('close', () => watched.delete(socket));
      // Before node:http's listener, which parses the chunk.
      socket.prependListener('data', (chunk: Buffer) => {
        if (connection.last?.complete === true) connection.bodyBytesLeft = 0;
        addChunk(connection, chunk);
      });
    },
    /** Returns this request's head, if it was kept. Call it when the head was read, and once for each request. */
    take(request: IncomingMessage): ReceivedCallback['head'] {
      const connection = watched.get(request.socket);
      if (!connection) return undefined;
      connection.last = request;
      const head = splitHead(connection, request);
      if (head) return head.length > headLimits.bytes ? undefined : head;
      // The next chunk after this request's end begins with a head again.
      connection.chunks = [];
      connection.bodyBytesLeft = Infinity;
      return undefined;
    },
  };
}

function addChunk(connection: Watched, chunk: Buffer): void {
  const ofBody = Math.min(connection.bodyBytesLeft, chunk.length);
  connection.bodyBytesLeft -= ofBody;
  if (ofBody < chunk.length) connection.chunks.push(chunk.subarray(ofBody));
}

const blankLine = '\r\n\r\n';

/** Takes the head off; undefined if what was received does not begin with it. */
function splitHead(connection: Watched, request: IncomingMessage): ReceivedCallback['head'] {
  const [only = Buffer.alloc(0), ...more] = connection.chunks;
  const received = more.length === 0 ? only : Buffer.concat(connection.chunks);
  const { method = '', url = '', httpVersion, headers, rawHeaders } = request;
  const usual = rebuildHead({ method, target: url, httpVersion, rawHeaders });
  const isUsual = received.length >= usual.length && usual.compare(received, 0, usual.length) === 0;
  const end = isUsual ? usual.length : endOfHead(received, request);
  if (end === undefined) return undefined;
  connection.chunks = [];
  connection.bodyBytesLeft =
    headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity;
  addChunk(connection, received.subarray(end));
  return isUsual && end <= headLimits.bytes ? 'usual' : received.subarray(0, end);
}

function endOfHead(received: Buffer, { method, url = '', httpVersion }: IncomingMessage): number | undefined {
  // A parser skips line ends before a request (RFC 9112 2.2).
  const start = received.findIndex((byte) => byte !== 0x0d && byte !== 0x0a);
  const end = received.indexOf(blankLine, Math.max(start, 0)) + blankLine.length;
  const [line = ''] = received.toString('latin1', start, end).split('\r\n', 1);
  const isHead =
    end >= blankLine.length &&
    line.startsWith(`${method} `) &&
    line.endsWith(` HTTP/${httpVersion}`) &&
    line.includes(url);
  return isHead ? end : undefined;
}

type ParsedHead = Pick<ReceivedCallback, 'method' | 'target' | 'httpVersion' | 'rawHeaders'>;

/** A head as it is usually written. Most senders write it like this, so their heads don't have to be stored. */
export function rebuildHead({ method, target, httpVersion, rawHeaders }: ParsedHead): Buffer {
  const headers = rawHeaders.map((text, index) => text + (index % 2 === 0 ? ': ' : '\r\n'));
  return Buffer.from(`${method} ${target} HTTP/${httpVersion}\r\n${headers.join('')}\r\n`, 'latin1');
}
