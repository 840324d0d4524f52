// Which encoding a client accepts: Accept-Encoding (RFC 9110 §12.5.3).
import type { Encoding } from './weather-response.ts';

/** Returns the smallest encoding that the client accepts, never one that it rejects with `q=0`. */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding {
  if (acceptEncoding === undefined) return 'identity';
  const weights = new Map<string, number>();
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';');
    const quality = parameters.map((text) => /^\s*q=([\d.]+)\s*$/.exec(text)?.[1]).find((text) => text !== undefined);
    weights.set(name.trim(), quality === undefined ? 1 : Number(quality));
  }
  const accepts = (name: string) => (weights.get(name) ?? weights.get('*') ?? 0) > 0;
  if (accepts('br')) return 'br';
  return accepts('gzip') || (weights.get('x-gzip') ?? 0) > 0 ? 'gzip' : 'identity';
}
