// Requests that are refused before they are stored: what was wrong with them, the response of those that node:http refuses, and their
// rows. In a flood, most are only counted, at the newest row with the same reason: it neither fills the disk nor displaces callbacks.
import { isUtf8 } from 'node:buffer';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { type Clock, minuteMs } from '@rainbell/shared';
import type { RefusalReason } from '@rainbell/contract/app-rpc';
import { plainMasker } from '../../traffic/mask.ts';
import { rebuildHead } from '../requests/head-capture.ts';
import type { ReceivedCallback } from '../requests/received-callback.ts';

export type Refusal = {
  reason: RefusalReason;
  /** The status sent; 0 for none. */
  status: number;
  remoteAddress: string;
  /** The first bytes from the sender, if known. */
  firstBytes: Buffer;
};

/** Refused requests that were only counted. */
export type MoreRefusals = { reason: RefusalReason; count: number; lastAt: number };

type ParserError = Error & { code?: string; rawPacket?: Buffer };

/** Responds as node:http does, and notes each refusal; returns the connections that a bad request ended. */
export function watchRefusals(server: Server, refuse: (refusal: Refusal) => void): WeakSet<Socket> {
  const refused = new WeakSet<Socket>();
  server.on('clientError', (error: ParserError, stream: Duplex) => {
    const socket = stream as Socket;
    const packet = error.rawPacket ?? Buffer.alloc(0);
    const problem = problemOf(error, socket, packet);
    const canRespond = socket.writable && !isResponding(socket);
    if (problem) {
      refused.add(socket);
      const { reason, status } = problem;
      const firstBytes = firstBytesIn(packet, requestBeingRead(socket));
      refuse({ reason, status: canRespond ? status : 0, remoteAddress: peerOf(socket), firstBytes });
      if (canRespond) socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`);
    }
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
  // The address is known after the connection has ended only if it was read before.
  server.on('connection', (socket: Socket) => socket.remoteAddress);
  server.on('tlsClientError', (error: ParserError, socket: Socket) => {
    const reason = error.code === 'ERR_SSL_HTTP_REQUEST' ? 'http-on-https' : 'tls-handshake';
    const firstBytes = Buffer.from(reason === 'tls-handshake' ? (error.code ?? error.message).slice(0, 200) : '');
    refuse({ reason, status: 0, firstBytes, remoteAddress: peerOf(socket) });
    socket.destroy();
  });
  return refused;
}

/** By the parser's code, if it was reading a head. */
const headReasons: Readonly<Record<string, RefusalReason>> = {
  HPE_INVALID_METHOD: 'unknown-method',
  HPE_INVALID_URL: 'bad-target',
  HPE_INVALID_HEADER_TOKEN: 'bad-header',
  HPE_INVALID_CONTENT_LENGTH: 'bad-length',
  HPE_UNEXPECTED_CONTENT_LENGTH: 'bad-length',
  HPE_INVALID_TRANSFER_ENCODING: 'bad-length',
};

function problemOf(
  { code = '' }: ParserError,
  socket: Socket,
  packet: Buffer,
): { reason: RefusalReason; status: number } | undefined {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    // Browsers open connections that they may need later.
    return socket.bytesRead === 0 ? undefined : { reason: 'timeout', status: 408 };
  // The connection ended; a request that was being read then reports this itself.
  if (!code.startsWith('HPE_')) return undefined;
  if (code === 'HPE_HEADER_OVERFLOW') return { reason: 'head-too-long', status: 431 };
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return { reason: 'malformed', status: 413 };
  if (code === 'HPE_INVALID_EOF_STATE') return { reason: 'unfinished', status: 400 };
  const isTls = packet[0] === 0x16 && packet[1] === 0x03;
  if (isTls) return { reason: 'tls-on-http', status: 400 };
  return { reason: (isHead(packet, socket) ? headReasons[code] : undefined) ?? 'malformed', status: 400 };
}

/** Whether it starts as a request does, and none is being read: any other text has an unknown method. */
function isHead(packet: Buffer, socket: Socket): boolean {
  return !requestBeingRead(socket) && /^\S{1,100} [^\r\n]+ HTTP\/1\.[01]\r?\n/.test(packet.toString('latin1'));
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

/** For a request whose head was read; `body` has what was read behind it. */
export function refusalOf(reason: RefusalReason, status: number, request: IncomingMessage, body?: Buffer): Refusal {
  return { reason, status, remoteAddress: request.socket.remoteAddress ?? '', firstBytes: withHead(request, body) };
}

/** From the head of the request that was being read, if any: it may be in an earlier packet. */
function firstBytesIn(packet: Buffer, request: IncomingMessage | undefined): Buffer {
  if (!request) return packet;
  const at = packet.indexOf(`${request.method} ${request.url} HTTP/`, 'latin1');
  return at < 0 ? withHead(request, packet) : packet.subarray(at);
}

function withHead({ method = '', url: target = '', httpVersion, rawHeaders }: IncomingMessage, body?: Buffer): Buffer {
  const head = rebuildHead({ method, target, httpVersion, rawHeaders });
  return body ? Buffer.concat([head, body.subarray(0, maxFirstBytes)]) : head;
}

/** Rows to write at once, and then one per minute: so few that they don't displace callbacks. */
const burstRows = 50;
const countEveryMs = 1000;
const maxFirstBytes = 1024;

type RefusalLogDependencies = {
  clock: Clock;
  add: (row: ReceivedCallback) => void;
  /** Returns those whose rows are gone: the next with such a reason has a row again. */
  addCounts: (more: readonly MoreRefusals[]) => readonly MoreRefusals[];
};

export function createRefusalLog({ clock, add, addCounts }: RefusalLogDependencies) {
  const more = new Map<RefusalReason, MoreRefusals>();
  /** Others of these can be counted. */
  const known = new Set<RefusalReason>();
  /** When as many rows as at once can be written again; each moves it on by a minute. */
  let recoveredAt = clock.elapsed();
  let cancelTimer: (() => void) | undefined;

  function takeRow(): boolean {
    const now = clock.elapsed();
    const next = Math.max(recoveredAt, now) + minuteMs;
    if (next - now > burstRows * minuteMs) return false;
    recoveredAt = next;
    return true;
  }

  function flush(): void {
    cancelTimer?.();
    cancelTimer = undefined;
    if (more.size === 0) return;
    const counted = [...more.values()];
    more.clear();
    for (const { reason } of addCounts(counted)) known.delete(reason);
  }

  return {
    note(refusal: Refusal) {
      const lastAt = clock.now();
      if (takeRow() || !known.has(refusal.reason)) {
        known.add(refusal.reason);
        return add(toRow(refusal, lastAt));
      }
      const count = (more.get(refusal.reason)?.count ?? 0) + 1;
      more.set(refusal.reason, { reason: refusal.reason, count, lastAt });
      cancelTimer ??= clock.after(countEveryMs, flush);
    },
    /** Writes rows for refusals that were only counted. */
    flush,
  };
}

function toRow({ reason, status, remoteAddress, firstBytes }: Refusal, receivedAt: number): ReceivedCallback {
  const [, method = '', target = '', httpVersion = ''] = requestLine.exec(firstBytes.toString('latin1')) ?? [];
  return {
    receivedAt,
    method,
    target: utf8Of(target),
    httpVersion,
    remoteAddress,
    rawHeaders: [],
    body: maskHead(firstBytes.subarray(0, maxFirstBytes)),
    truncated: firstBytes.length > maxFirstBytes,
    answeredStatus: status,
    refusal: reason,
  };
}

/** Some senders don't encode their path. */
function utf8Of(latin1: string): string {
  const bytes = Buffer.from(latin1, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : latin1;
}

/** An unusual method counts only with the version behind its target; it may be any text otherwise. */
const requestLine = /^([A-Z]{1,20}|[\w!#$%&'*+.^`|~-]{1,20}(?= \S{1,2048} HTTP\/)) (\S{1,2048})(?: HTTP\/(\d\.\d))?/;

const headerLine = /^([!#$%&'*+.^_`|~\w-]+)(:[ \t]*)(.*)$/s;

/** Values of secret headers are masked; a text in which there are none stays as it is, to the byte. */
export function maskHead(bytes: Buffer): Buffer {
  const lines = bytes.toString('latin1').split('\r\n');
  const masked = lines.map((line) =>
    line.replace(headerLine, (_, name: string, between: string, value: string) => {
      const [[, shown] = [name, value]] = plainMasker.headers([[name, value]]);
      return `${name}${between}${shown}`;
    }),
  );
  // The mask itself is not Latin-1.
  return Buffer.from(masked.join('\r\n').replaceAll('•', '*'), 'latin1');
}
