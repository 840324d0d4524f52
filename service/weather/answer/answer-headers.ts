// The headers of a weather answer, the same whether Fastify or the lean route sends it.
import type { Encoding, WeatherAnswer } from './weather-answer.ts';

/** Now passes quickly and a scenario changes it at once: keep the answer, but ask before using it again. */
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
