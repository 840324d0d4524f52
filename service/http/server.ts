// The HTTP server for all routes: Fastify on a socket that is bound before anything else is opened, so a taken port is detected
// first and the base URL is known when routes are registered. Limits: docs/attack.md.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import cors from '@fastify/cors';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { describeStorageError, systemCode } from '@rainbell/shared';
import { type ConnectionLimits, connectionLimits, limitConnections, listenAt } from '@rainbell/shared/node';
import type { ErrorBody, ServiceErrorCode } from '@rainbell/contract/service-api';
import { StartError } from '../errors/start-error.ts';
import { refuseHost, respondToParserErrors, respondWithError } from './refused-connections.ts';
import { noteRoute, requestIdOf } from './request-trace.ts';
import { isPlannedRefusal, ServiceError, quotable } from '../errors/service-error.ts';

const bodyLimitBytes = 64 * 1024;

export type BoundSocket = {
  http: Server;
  port: number;
  baseUrl: string;
  respondStarting: (request: IncomingMessage, response: ServerResponse) => void;
};

export type SocketLimits = ConnectionLimits & { headersMs: number; requestMs: number };
const defaultLimits: SocketLimits = { ...connectionLimits, headersMs: 5_000, requestMs: 10_000 };

/** Listens. Until `attach` has run, every request that no earlier handler takes gets 503 with Retry-After. */
export async function bindSocket(
  host: string,
  port: number,
  publicUrl: string | undefined,
  limits: SocketLimits = defaultLimits,
  inFront: PreHandler = () => false,
): Promise<BoundSocket> {
  const http = createServer({
    maxHeaderSize: 16 * 1024,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: 5_000,
    connectionsCheckingInterval: 1_000,
    // Node would respond with an empty body; `refuseHost` sends an error.
    requireHostHeader: false,
  });
  respondToParserErrors(http);
  limitConnections(http, limits, () => performance.now());
  const respondStarting: BoundSocket['respondStarting'] = (request, response) => {
    if (!request.socket.destroyed && !inFront(request, response)) refuseUnavailable(response, startingDescription);
  };
  http.on('request', respondStarting);
  await new Promise<void>((resolve, reject) => {
    http.once('error', (error) => reject(bindError(error, host, port)));
    http.once('listening', resolve);
    listenAt(http, host, port);
  });
  const bound = (http.address() as AddressInfo).port;
  return { http, port: bound, baseUrl: publicUrl ?? `http://${hostForUrl(host)}:${bound}`, respondStarting };
}

const startingDescription = 'The service is starting; try again.';
const closeIdleEveryMs = 20;

/** Ends every connection with its next response (`Connection: close`), so that a proxy moves to other processes. */
export function endConnectionsGently({ http }: BoundSocket): void {
  http.prependListener('request', (_request, response) => void (response.shouldKeepAlive = false));
}

/** Accepts no new connections and waits for pending responses, at most `graceMs`. */
export async function closeSocket({ http }: Pick<BoundSocket, 'http'>, graceMs = 5_000): Promise<void> {
  const closed = new Promise<void>((resolve) => void http.close(() => resolve()));
  http.closeIdleConnections();
  // A connection with a pending response becomes idle only now, and Node would keep it open for the next request.
  const whenIdle = setInterval(() => http.closeIdleConnections(), closeIdleEveryMs);
  const timer = setTimeout(() => http.closeAllConnections(), graceMs);
  await closed;
  clearInterval(whenIdle);
  clearTimeout(timer);
}

function refuseUnavailable(response: ServerResponse, description: string): void {
  respondWithError(response, 'temporarily_unavailable', description, { 'retry-after': '1' });
}

/** Rejects everything, for a process without routes, in case a proxy sends it a request. */
export function refuseAll(role: string): PreHandler {
  return (_request, response) => {
    refuseUnavailable(response, `This process has the role ${role} and does not handle requests.`);
    return true;
  };
}

function bindError(error: Error, host: string, port: number): StartError {
  const code = systemCode(error);
  const cause = { cause: error };
  if (code === 'EADDRINUSE') {
    const advice = 'Stop the program that uses it, or choose another with --port (0 picks a free one).';
    return new StartError('start', `Port ${port} on ${host} is already taken. ${advice}`, cause);
  }
  if (code === 'EACCES') {
    return new StartError(
      'start',
      `This user is not allowed to listen on port ${port}. Choose one above 1023 with --port.`,
      cause,
    );
  }
  const advice = "Choose one of this machine's addresses with --host, such as 127.0.0.1.";
  return new StartError('start', `The service cannot listen on ${host} (${code ?? error.message}). ${advice}`, cause);
}

/** Returns an address that a client on this machine can use, even if the service listens on all of them. */
function hostForUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/** Handles a request before Fastify and returns `true`; `false` leaves it to the routes. */
export type PreHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

type LateRoutes = {
  isTheirs: (url: string) => boolean;
  /** Called once; after a failure, once more with the next request. */
  open: () => Promise<PreHandler>;
  log: Logger;
};

/** Routes that are loaded and registered on the first request for one of them, so that they don't delay the start. */
export function createLateRoutes({ isTheirs, open, log }: LateRoutes): PreHandler {
  let opening: Promise<void> | undefined;
  let handle: PreHandler | undefined;
  return (request, response) => {
    if (!isTheirs(request.url ?? '')) return false;
    if (handle) return handle(request, response);
    opening ??= open().then((opened) => void (handle = opened));
    opening.then(
      () => !request.socket.destroyed && handle?.(request, response),
      (error: unknown) => {
        opening = undefined;
        log.error({ err: error }, 'the pages could not be loaded');
        respondWithError(response, 'server_error', 'Something went wrong on our side.');
      },
    );
    return true;
  };
}

/** After `ready`, `answer` handles every request; `attach` lets it handle those of the socket that no earlier handler takes. */
export function createHttpServer(
  socket: BoundSocket,
  log: Logger,
  trustedProxies: readonly string[] = [],
): { server: FastifyInstance; answer: PreHandler; attach(...inFront: PreHandler[]): void } {
  let handle: ((request: never, response: never) => void) | undefined;
  const server = Fastify({
    bodyLimit: bodyLimitBytes,
    forceCloseConnections: false,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    genReqId: requestIdOf,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    // The socket's own error responses, once for all servers on it.
    clientErrorHandler: () => {},
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply, log),
    serverFactory(handler) {
      handle = handler;
      return socket.http;
    },
  });
  acceptJsonOnly(server);
  if (trustedProxies.length > 0) server.addHook('onRequest', removeForwardedPorts);
  server.setErrorHandler((error, request, reply) => sendError(error, request, reply, log));
  const methodsAt = rememberMethods(server);
  server.addHook('onRequest', (request, reply, done) => {
    noteRoute(request.raw, request.routeOptions.url ?? 'none');
    refuseEncodedBody(request);
    if (isPlainOptions(request)) respondToOptions(reply, methodsAt(request.url));
    else done();
  });
  server.setNotFoundHandler((request) => {
    const allowed = methodsAt(request.url);
    if (allowed.length > 0) throw wrongMethod(request.method, allowed);
    throw new ServiceError(
      'not_found',
      `No route matches ${quotable(request.method)} ${quotable(request.url.split('?')[0] ?? '')}. ` +
        'GET /v2/openapi.json lists the routes.',
    );
  });
  void server.register(cors, {
    // Any page may call the API with a token it has; cookies are never accepted there, and other paths have no CORS
    // (docs/interface.md §4).
    delegator: (request, done) => done(null, isPublicApi(request.url ?? '') ? apiCors : { origin: false }),
  });
  const answer: PreHandler = (request, response) => {
    handle?.(request as never, response as never);
    return true;
  };
  return {
    server,
    answer,
    attach(...inFront) {
      const inTurn = [...inFront, answer];
      socket.http.off('request', socket.respondStarting);
      socket.http.on('request', (request, response) => {
        if (request.socket.destroyed || refuseHost(request, response)) return;
        inTurn.some((next) => next(request, response));
      });
    },
  };
}

/** Some proxies write `203.0.113.8:50000` or `[2001:db8::1]:50000`: `request.ip` is without the port, which differs each time. */
function removeForwardedPorts({ raw: { headers } }: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  const addresses = String(headers['x-forwarded-for'] ?? '').split(',');
  const plain = addresses.map((address) => address.trim().replace(/^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/, '$1$2'));
  if (headers['x-forwarded-for'] !== undefined) headers['x-forwarded-for'] = plain.join(', ');
  done();
}

/** Whether OPTIONS is from a probe or a client, not a CORS preflight. */
function isPlainOptions({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] === undefined;
}

function respondToOptions(reply: FastifyReply, allowed: readonly string[]): void {
  void reply
    .code(204)
    .header('allow', [...allowed, 'OPTIONS'].join(', '))
    .send();
}

function refuseEncodedBody({ headers, routeOptions }: FastifyRequest): void {
  // What is stored in any type is stored in any encoding.
  if (routeOptions.config.operation?.body?.otherTypes?.includes('*/*')) return;
  const encoding = headers['content-encoding'];
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return;
  throw new ServiceError('unsupported_media_type', 'The body must not be encoded; omit Content-Encoding.', {
    headers: { 'accept-encoding': 'identity' },
  });
}

function wrongMethod(method: string, allowed: readonly string[]): ServiceError {
  const allow = allowed.join(', ');
  return new ServiceError('method_not_allowed', `${quotable(method)} is not allowed here; use ${allow}.`, {
    headers: { allow },
  });
}

const apiCors = {
  origin: '*',
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowedHeaders: ['authorization', 'content-type', 'if-none-match'],
  exposedHeaders: [
    'etag',
    'location',
    'ratelimit',
    'ratelimit-policy',
    'retry-after',
    'www-authenticate',
    'x-request-id',
  ],
  maxAge: 600,
};

/** The headers that the CORS hook adds to API responses, for responses sent without it. */
export const apiCorsHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-origin': apiCors.origin,
  'access-control-expose-headers': apiCors.exposedHeaders.join(', '),
};

/** Routes validate with zod; without this Fastify would load a compiler of JSON schemas, a hundred files. */
function noSchemas(): never {
  throw new Error('No route in this service has a JSON schema.');
}

function isPublicApi(url: string): boolean {
  return url.startsWith('/v2/') || url === '/token' || url.startsWith('/token/') || url.startsWith('/token?');
}

/** Accepts JSON; an empty body is not JSON, because clients send the type with DELETE. Forms have their own parser. */
function acceptJsonOnly(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else if (body.toString().split('"', textsLimit).length === textsLimit)
      done(new ServiceError('invalid_request', tooManyTexts));
    else void parse(request, body as string, done);
  });
}

/** No body needs a tenth of these; parsing and describing thousands of unknown members would block other requests. */
const textsLimit = 1_000;
const tooManyTexts = 'The body has too many members.';

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Logger): FastifyReply {
  const refusal = error instanceof ServiceError ? error : translate(error as FastifyError, request);
  if (refusal.status >= 500 && !isPlannedRefusal(error))
    log.error(
      { err: error, requestId: request.id, method: request.method, route: request.routeOptions.url },
      'request failed',
    );
  const body: ErrorBody = { error: refusal.code, error_description: refusal.message };
  return reply.code(refusal.status).headers(refusal.headers).type('application/json; charset=utf-8').send(body);
}

const fastifyRefusals: Readonly<Record<string, readonly [ServiceErrorCode, string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'unsupported_media_type',
    'The body must be JSON, sent with Content-Type: application/json.',
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['invalid_request', 'The length of the body does not match Content-Length.'],
  FST_ERR_BAD_URL: ['invalid_request', 'The URL is not valid: a % must be followed by two hexadecimal digits.'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['invalid_request', 'The body is not valid JSON.'],
};

/** Maps Fastify's errors to ours; of an internal error, the client learns only whether it is in the storage. */
function translate(error: Partial<FastifyError>, { routeOptions }: FastifyRequest): ServiceError {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new ServiceError(
      'payload_too_large',
      `The body is too large; at most ${routeOptions.bodyLimit} bytes are allowed.`,
    );
  const refusal = fastifyRefusals[error.code ?? ''];
  if (refusal) return new ServiceError(...refusal);
  if (error instanceof SyntaxError) return new ServiceError('invalid_request', 'The body is not valid JSON.');
  const status = error.statusCode ?? 500;
  if (status >= 400 && status < 500) {
    return new ServiceError('invalid_request', quotable(error.message ?? 'The request is not valid.'));
  }
  const trouble = describeStorageError(error);
  if (trouble !== undefined) {
    const description = `The service cannot store data at the moment: ${trouble}. Try again later.`;
    return new ServiceError('temporarily_unavailable', description, { cause: error, retryAfter: 10 });
  }
  return new ServiceError('server_error', 'Something went wrong on our side. Try again later.', { cause: error });
}

type MethodsAt = (url: string) => readonly string[];

/** For 405 instead of 404 (RFC 9110 §15.5.6). Call before registering routes; ignores catch-all routes. */
function rememberMethods(server: FastifyInstance): MethodsAt {
  const methodsByPath = new Map<string, Set<string>>();
  server.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return;
    const path = withoutSlash(url);
    const known = methodsByPath.get(path) ?? new Set();
    methodsByPath.set(path, known);
    for (const one of [method].flat()) known.add(one);
  });
  return (url) => {
    const segments = withoutSlash(url.split('?')[0] ?? '').split('/');
    const paths = [...methodsByPath.keys()].filter((path) => fits(path.split('/'), segments));
    return [...new Set(paths.flatMap((path) => [...(methodsByPath.get(path) ?? [])]))];
  };
}

function fits(path: readonly string[], segments: readonly string[]): boolean {
  return (
    path.length === segments.length &&
    path.every((part, index) => (part.startsWith(':') ? segments[index] !== '' : part === segments[index]))
  );
}

function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}
