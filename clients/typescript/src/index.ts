// A typed client for the weather service. Paths, parameters, and responses come from its OpenAPI document (paths.ts).
import createFetchClient, { type Client as FetchClient } from 'openapi-fetch';
import { createTokenSource, type Credentials } from './token-source.js';
import type { components, paths } from './paths.js';

export type { components, paths };
export type { Credentials };
export { TokenError } from './token-source.js';
export { CallbackError, verifyCallback, type Callback } from './verify-callback.js';

export type Monitor = components['schemas']['Monitor'];
export type WeatherPoint = components['schemas']['WeatherPoint'];
export type Client = FetchClient<paths>;

export type ClientOptions = {
  /** For example, `https://api.example.com`. */
  baseUrl: string;
  credentials: Credentials;
  /** Sends the requests (default: the global `fetch`). */
  fetch?: (request: Request) => Promise<Response>;
};

/**
 * Returns a client with `GET`, `POST`, and so on, each with the service's paths. It gets an access token when it needs one and
 * keeps it until shortly before it expires; after a 401, the next request gets a new one.
 */
export function createClient({
  baseUrl,
  credentials,
  fetch = (request) => globalThis.fetch(request),
}: ClientOptions): Client {
  const root = baseUrl.replace(/\/+$/, '');
  const client = createFetchClient<paths>({ baseUrl: root, fetch });
  const tokens = createTokenSource(root, credentials, fetch);
  client.use({
    async onRequest({ request, schemaPath }) {
      const isOpen = schemaPath.startsWith('/token/') || request.headers.has('authorization');
      if (!isOpen) request.headers.set('authorization', `Bearer ${await tokens.get()}`);
      return request;
    },
    onResponse({ response }) {
      if (response.status === 401) tokens.forget();
    },
  });
  return client;
}
