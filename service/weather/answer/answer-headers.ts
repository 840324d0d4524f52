// The headers of a weather response, the same from Fastify and the fast path.
import type { Encoding, WeatherAnswer } from './weather-answer.ts';

/** The weather changes quickly, and with a scenario at once: cache the response, but revalidate before each use. */
const cacheControl = 'private, no-cache';

export function notModifiedHeaders({ etag }: WeatherAnswer): Record<string, string> {
  return { 'cache-control': cacheControl, etag, vary: 'Accept-Encoding' };
}

export function answerHeaders(answer: WeatherAnswer, encoding: Encoding): Record<string, string> {
  return {
    ...notModifiedHeaders(answer),
    'content-type': 'application/json; charset=utf-8',
    ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
  };
}
