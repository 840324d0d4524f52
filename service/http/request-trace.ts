// Gives every request an ID: in its response (X-Request-Id), in its log entries, and in the access log. Runs outside the routes, so
// that rejected requests and responses from memory have one too.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';

export type EndedRequest = {
  id: string;
  method: string;
  /** The pattern of its route, such as `/v2/monitors/:monitor_id/`: paths and queries may contain data that must not be logged. */
  route: string;
  status: number;
  ms: number;
  /** The connection ended before the response. */
  isCut: boolean;
};

type Traced = IncomingMessage & { [trace]?: { id: string; route: string } };

const trace = Symbol('trace');
const header = 'x-request-id';
const validId = /^[\w.-]{1,64}$/;
/** Unknown methods count as one, because clients can invent any number. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

type Options = {
  /** Whether a proxy may have set the request's ID. */
  trustsHeader: boolean;
  /** Called once for each request; without it, nothing is measured. */
  onEnd: ((request: EndedRequest) => void) | undefined;
};

/** Call it before requests are handled. */
export function traceRequests(server: Server, { trustsHeader, onEnd }: Options): void {
  const prefix = randomBytes(6).toString('hex');
  let count = 0;
  server.prependListener('request', (request: Traced, response) => {
    count += 1;
    const given = trustsHeader ? request.headers[header] : undefined;
    const id = typeof given === 'string' && validId.test(given) ? given : `${prefix}-${count.toString(36)}`;
    const traced = { id, route: 'none' };
    request[trace] = traced;
    response.setHeader(header, id);
    if (!onEnd) return;
    const startedAt = performance.now();
    response.once('close', () => {
      const { method: given = '' } = request;
      const method = knownMethods.has(given) ? given : 'other';
      const ms = Math.round((performance.now() - startedAt) * 1000) / 1000;
      onEnd({ ...traced, method, status: response.statusCode, ms, isCut: !response.writableFinished });
    });
  });
}

export function requestIdOf(request: IncomingMessage): string {
  return (request as Traced)[trace]?.id ?? 'none';
}

export function noteRoute(request: IncomingMessage, route: string): void {
  const traced = (request as Traced)[trace];
  if (traced) traced.route = route;
}
