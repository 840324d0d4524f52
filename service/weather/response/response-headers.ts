// The headers of a weather response, the same from Fastify and the fast path.
import type { Encoding, WeatherResponse } from './weather-response.ts';

/** The weather changes quickly, and with a scenario at once: cache the response, but revalidate before each use. */
const cacheControl = 'private, no-cache';

export function notModifiedHeaders({ etag }: WeatherResponse): Record<string, string> {
  return { 'cache-control': cacheControl, etag, vary: 'Accept-Encoding' };
}

export function responseHeaders(weather: WeatherResponse, encoding: Encoding): Record<string, string> {
  return {
    ...notModifiedHeaders(weather),
    'content-type': 'application/json; charset=utf-8',
    ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
  };
}
