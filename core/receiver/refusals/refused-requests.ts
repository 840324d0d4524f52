// Requests that node:http refuses before they reach the receiver: what was wrong with them, the response, and what is noted.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import type { RefusalReason } from '@rainbell/contract/app-rpc';
import { pairsOf } from '../../http/http-headers.ts';
import type { Refusal } from './refusal-log.ts';

type ParserError = Error & { code?: string; rawPacket?: Buffer };

/** The first bytes, if the packet that could not be read has the head of its request, too. */
function wholeIn(packet: Buffer, { method = '', url = '' }: IncomingMessage): Pick<Refusal, 'firstBytes'> | undefined {
  const at = packet.indexOf(Buffer.from(`${method} ${url} HTTP/`, 'latin1'));
  return at < 0 ? undefined : { firstBytes: packet.subarray(at) };
}

/** Answers as node:http does, and notes each. */
export function watchRefusals(server: Server, refuse: (refusal: Refusal) => void) {
  const refused = new WeakSet<Socket>();
  server.on('clientError', (error: ParserError, stream: Duplex) => {
    const socket = stream as Socket;
    const packet = error.rawPacket ?? Buffer.alloc(0);
    const problem = problemOf(error, socket, packet);
    const canRespond = problem !== undefined && socket.writable && !isResponding(socket);
    if (problem) {
      refused.add(socket);
      const status = canRespond ? problem.status : 0;
      const started = requestBeingRead(socket);
      refuse(
        started
          ? { ...refusalOf(problem.reason, status, started, [packet]), ...wholeIn(packet, started) }
          : { reason: problem.reason, status, firstBytes: packet, remoteAddress: peerOf(socket) },
      );
    }
    if (canRespond) socket.write(`HTTP/1.1 ${statusLines[problem.status]}\r\nConnection: close\r\n\r\n`);
    socket.destroy(error);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    refuse(refusalOf('unexpected-expectation', 417, request));
    response.writeHead(417, { connection: 'close', 'content-length': '0' });
    response.end();
  });
  server.on('connect', (request: IncomingMessage, stream: Duplex) => {
    refuse(refusalOf('connect', 405, request));
    // node:http no longer listens to this socket: a reset by the sender would end the thread, and the socket would stay open.
    stream.on('error', () => stream.destroy()).once('finish', () => stream.destroy());
    stream.end('HTTP/1.1 405 Method Not Allowed\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
  });
  server.on('connection', (socket: Socket) => socket.remoteAddress);
  server.on('tlsClientError', (error: ParserError, socket: Socket) => {
    const reason = error.code === 'ERR_SSL_HTTP_REQUEST' ? 'http-on-https' : 'tls-handshake';
    const firstBytes = Buffer.from(reason === 'tls-handshake' ? (error.code ?? error.message).slice(0, 200) : '');
    refuse({ reason, status: 0, firstBytes, remoteAddress: peerOf(socket) });
    socket.destroy();
  });
  return {
    /** Whether a request on this connection was refused. */
    isRefused: (socket: Socket): boolean => refused.has(socket),
  };
}

const statusLines: Readonly<Record<number, string>> = {
  400: '400 Bad Request',
  408: '408 Request Timeout',
  413: '413 Payload Too Large',
  431: '431 Request Header Fields Too Large',
};

const reasons: Readonly<Record<string, RefusalReason>> = {
  HPE_INVALID_METHOD: 'unknown-method',
  HPE_INVALID_URL: 'bad-target',
  HPE_INVALID_HEADER_TOKEN: 'bad-header',
  HPE_INVALID_CONTENT_LENGTH: 'bad-length',
  HPE_UNEXPECTED_CONTENT_LENGTH: 'bad-length',
  HPE_INVALID_TRANSFER_ENCODING: 'bad-length',
};

function problemOf(
  error: ParserError,
  socket: Socket,
  packet: Buffer,
): { reason: RefusalReason; status: number } | undefined {
  switch (error.code ?? '') {
    case 'HPE_HEADER_OVERFLOW':
      return { reason: 'head-too-long', status: 431 };
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return { reason: 'malformed', status: 413 };
    case 'HPE_INVALID_EOF_STATE':
      return { reason: 'unfinished', status: 400 };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      // Browsers open connections that they may need later.
      return socket.bytesRead === 0 ? undefined : { reason: 'timeout', status: 408 };
    default:
      // The connection ended; a request that was being read then reports this itself.
      if (error.code?.startsWith('HPE_') !== true) return undefined;
      if (isTls(packet)) return { reason: 'tls-on-http', status: 400 };
      return { reason: reasons[isHead(packet, socket) ? error.code : ''] ?? 'malformed', status: 400 };
  }
}

/** Whether it starts as a request does, and none is being read: any other text has an unknown method. */
function isHead(packet: Buffer, socket: Socket): boolean {
  return !requestBeingRead(socket) && /^\S{1,100} [^\r\n]+ HTTP\/1\.[01]\r?\n/.test(packet.toString('latin1'));
}

/** A record of a TLS handshake. */
function isTls(packet: Buffer): boolean {
  return packet[0] === 0x16 && packet[1] === 0x03;
}

/** Whether a response is being sent: nothing may be written into it. As node:http's own handler finds out. */
function isResponding(socket: Socket): boolean {
  const current = (socket as { _httpMessage?: { headersSent: boolean } | null })._httpMessage;
  return current?.headersSent === true;
}

/** Its head was read; node:http keeps it at the parser. */
function requestBeingRead(socket: Socket): IncomingMessage | undefined {
  const { parser } = socket as { parser?: { incoming?: IncomingMessage | null } | null };
  const incoming = parser?.incoming ?? undefined;
  return incoming && !incoming.complete ? incoming : undefined;
}

function peerOf(socket: Socket): string {
  const { _parent: below } = socket as { _parent?: Socket | null };
  return socket.remoteAddress ?? below?.remoteAddress ?? '';
}

/** For a request whose head was read. */
export function refusalOf(
  reason: RefusalReason,
  status: number,
  request: IncomingMessage,
  body: readonly Buffer[] = [],
): Refusal {
  const { method = '', url = '', httpVersion, rawHeaders, socket } = request;
  const headers = pairsOf(rawHeaders.slice(0, 200)).map(([name, value]) => `${name}: ${value.slice(0, 1024)}`);
  const lines = [`${method} ${url.slice(0, 4096)} HTTP/${httpVersion}`, ...headers];
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  const firstBody = body[0]?.subarray(0, 1024);
  return {
    reason,
    status,
    remoteAddress: socket.remoteAddress ?? '',
    firstBytes: firstBody ? Buffer.concat([head, firstBody]) : head,
  };
}
