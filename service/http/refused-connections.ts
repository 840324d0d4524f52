// Requests that Node's parser or the Host rules reject before routing: they get the same errors as all others
// (contract/service-api/service-errors.ts), written to the raw socket.
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ErrorBody, type ServiceErrorCode, serviceErrors } from '@rainbell/contract/service-api';
import { countHosts } from '@rainbell/shared/node';

type ParserError = Error & { code?: string; rawPacket?: Uint8Array };
type Refusal = readonly [code: ServiceErrorCode, description: string];

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const malformed: Refusal = ['invalid_request', 'The request is not valid HTTP.'];

const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The URL and headers together must be at most 16 KB.'],
  HPE_INVALID_TRANSFER_ENCODING: ['invalid_request', 'Send either Content-Length or Transfer-Encoding: chunked.'],
  HPE_UNEXPECTED_CONTENT_LENGTH: ['invalid_request', 'Send either one Content-Length or Transfer-Encoding: chunked.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request took too long to arrive.'],
};

export function respondToParserErrors(server: Server): void {
  server.on('clientError', (error: ParserError, socket: Duplex) => {
    // A started response can't be followed by another.
    if (!socket.writable || error.code === 'ECONNRESET' || hasBegun(socket)) {
      socket.destroy();
      return;
    }
    socket.end(responseText(refusalOf(error)));
  });
}

/** Sends an error before Fastify. */
export function respondWithError(
  response: ServerResponse,
  code: ServiceErrorCode,
  description: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const body = bodyOf(code, description);
  const type = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) };
  response.writeHead(serviceErrors[code], { ...type, ...headers }).end(body);
}

/** Rejects a request without Host, or with several (RFC 9112 section 3.2); returns true if it sent a response. */
export function refuseHost({ httpVersion, rawHeaders }: IncomingMessage, response: ServerResponse): boolean {
  const hosts = countHosts(rawHeaders);
  if (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) return false;
  const description = 'The request must have exactly one Host header.';
  respondWithError(response, 'invalid_request', description, { connection: 'close' });
  return true;
}

/** Whether a response has started: Node keeps it on its socket. */
function hasBegun(socket: Duplex & { _httpMessage?: { headersSent?: boolean } }): boolean {
  return socket._httpMessage?.headersSent === true;
}

function refusalOf({ code = '', rawPacket }: ParserError): Refusal {
  const known = refusals[code];
  if (known) return known;
  const [line = ''] = Buffer.from(rawPacket ?? [])
    .toString('latin1', 0, 200)
    .split('\r\n', 1);
  if (code === 'HPE_INVALID_METHOD' && /^[A-Z]{1,30} \S+ HTTP\/1\.[01]$/.test(line)) {
    return ['method_not_allowed', `This method is unknown; use ${methods}.`];
  }
  return malformed;
}

function responseText([code, description]: Refusal): string {
  const status = serviceErrors[code];
  const body = bodyOf(code, description);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(status === 405 ? [`Allow: ${methods}`] : []),
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

function bodyOf(code: ServiceErrorCode, description: string): string {
  return JSON.stringify({ error: code, error_description: description } satisfies ErrorBody);
}
