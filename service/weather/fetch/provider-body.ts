// The body of a provider's answer as text: unpacked by its Content-Encoding and limited in size as it arrives and again as it
// unpacks, so that a small bomb does not become a large one.
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ProviderFailure } from '#service/weather/reading/reading.ts';

const largestBodyBytes = 2_000_000;

const unpackers = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
} as const;

/** Throws a ProviderFailure where the body is too large or packed in an unknown way, and the stream's error where it breaks. */
export async function readBody(provider: string, body: Readable, contentEncoding: string | undefined): Promise<string> {
  const packing = (contentEncoding ?? 'identity').trim().toLowerCase();
  if (packing === 'identity' || packing === '') return collect(provider, body);
  if (!isKnown(packing)) {
    // What ends a stream by hand is told to its listeners; without one it would end the process.
    body.on('error', () => undefined).destroy();
    throw new ProviderFailure(provider, 'its answer is packed in a way that we do not read');
  }
  let text = '';
  await pipeline(body, unpackers[packing](), async (unpacked: AsyncIterable<Uint8Array>) => {
    text = await collect(provider, unpacked);
  });
  return text;
}

function isKnown(packing: string): packing is keyof typeof unpackers {
  return Object.hasOwn(unpackers, packing);
}

async function collect(provider: string, parts: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of parts) {
    size += chunk.byteLength;
    if (size > largestBodyBytes) throw new ProviderFailure(provider, 'its answer is larger than 2 MB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
