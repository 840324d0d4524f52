// A small real HTTP server in the place of a weather service, for what our own service never does: refuse, break off,
// answer nonsense. It fails the request that a test did not prepare.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { ServiceIntroduction } from '#contract/service-api/sandbox.ts';
import { introductionOf } from './connection-double.ts';

export type SeenRequest = {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
  /** Whether the client closed the connection before it had the response. */
  isBrokenOff?: boolean;
};

export type Answer = {
  status?: number;
  headers?: Record<string, string>;
  /** An object is sent as JSON. */
  body?: unknown;
  /** Breaks the connection off instead of answering. */
  hangUp?: boolean;
};

/** Called per request; may wait. */
export type Route = (request: SeenRequest, count: number) => Answer | Promise<Answer>;

export type FakeService = {
  introduction: ServiceIntroduction;
  baseUrl: string;
  seen: SeenRequest[];
  /** Keyed by method and path without the query, for instance `POST /token/`. */
  routes: Record<string, Route>;
  requestsTo: (key: string) => SeenRequest[];
  stop: () => Promise<void>;
};

export async function startFakeService(routes: Record<string, Route> = {}, port = 0): Promise<FakeService> {
  const seen: SeenRequest[] = [];
  const table: Record<string, Route> = { 'POST /token/': issueTokens(), ...routes };
  const server = createServer((request, response) => {
    void respond(request, response);
  });

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const entry: SeenRequest = { method, url, headers, body: await text(request) };
    response.on('close', () => {
      if (!response.writableFinished) entry.isBrokenOff = true;
    });
    const key = keyOf(entry);
    seen.push(entry);
    const route: Route =
      table[key] ?? (() => ({ status: 501, body: { error: 'server_error', error_description: `unprepared ${key}` } }));
    const answer: Answer = await route(entry, seen.filter((other) => keyOf(other) === key).length);
    if (answer.hangUp) return void request.socket.destroy();
    const isData = typeof answer.body === 'string' || answer.body instanceof Uint8Array;
    const type = isData ? {} : { 'content-type': 'application/json;charset=UTF-8' };
    response.writeHead(answer.status ?? 200, { ...type, ...answer.headers });
    response.end(isData ? answer.body : answer.body === undefined ? '' : JSON.stringify(answer.body));
  }

  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(stop);
  const introduction = introductionOf(baseUrl);
  return {
    introduction,
    baseUrl,
    seen,
    routes: table,
    requestsTo: (key) => seen.filter((request) => keyOf(request) === key),
    stop,
  };
}

function keyOf({ method, url }: SeenRequest): string {
  return `${method} ${url.split('?', 1)[0]}`;
}

/** A token endpoint that numbers its tokens: `access-1`, `refresh-1`, … */
export function issueTokens(changes: Record<string, unknown> = {}): Route {
  return (_request, count) => ({
    body: {
      access_token: `access-${count}`,
      token_type: 'bearer',
      expires_in: 3600,
      refresh_token: `refresh-${count}`,
      ...changes,
    },
  });
}
