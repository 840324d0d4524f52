// Reads a provider's response body as text: decodes its Content-Encoding, with a size limit before and after decompression, which
// stops zip bombs.
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ProviderFailure } from '../reading/reading.ts';

/** For one place, and for each further one. */
const maxBodyBytes = 2_000_000;
const bytesPerFurtherPlace = 40_000;

type BodyOptions = { contentEncoding: string | undefined; /** Number of places requested. */ places: number };

const unpackers = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
} as const;

/** Throws a ProviderFailure if the body is too large or its encoding unknown, and the stream's error if it breaks. */
export async function readBody(
  provider: string,
  body: Readable,
  { contentEncoding, places }: BodyOptions,
): Promise<string> {
  const maxBytes = maxBodyBytes + (places - 1) * bytesPerFurtherPlace;
  const packing = (contentEncoding ?? '').trim().toLowerCase();
  if (packing === 'identity' || packing === '') return collect(provider, body, maxBytes);
  if (!isKnown(packing)) {
    // Destroying a stream emits an error; without a listener it would end the process.
    body.on('error', () => undefined).destroy();
    throw new ProviderFailure(provider, 'its response has an unsupported encoding');
  }
  let text = '';
  await pipeline(body, unpackers[packing](), async (unpacked: AsyncIterable<Uint8Array>) => {
    text = await collect(provider, unpacked, maxBytes);
  });
  return text;
}

function isKnown(packing: string): packing is keyof typeof unpackers {
  return Object.hasOwn(unpackers, packing);
}

async function collect(provider: string, parts: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of parts) {
    size += chunk.byteLength;
    if (size > maxBytes) {
      throw new ProviderFailure(provider, `its response is larger than ${maxBytes / 1_000_000} MB`);
    }
    chunks.push(chunk);
  }
  // Without a byte order mark.
  return new TextDecoder().decode(Buffer.concat(chunks));
}
