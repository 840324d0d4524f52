// Reads and decodes the body of a response as it streams in. At the first byte beyond the limit, before or
// after decompression, it stops reading and closes the connection.
import { type Readable, type Transform, pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { HeaderList } from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import { tooLargeFailure, wrongEncodingFailure } from './response-failure.ts';
import { errorBodyBytes, type ResponseLimit } from './response-limits.ts';
import { headerOf } from './http-headers.ts';

type ResponseBodyOptions = { stream: Readable; status: number; headers: HeaderList; limit: ResponseLimit; url: string };

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * Returns what was read as `body`, even if reading ended in a `problem`: an AppFailure if the service caused it, otherwise the
 * network's error. Never throws. Cuts the body of an error response if it is too long, because its status matters more.
 */
export async function readResponseBody(options: ResponseBodyOptions): Promise<{ body: Buffer; problem?: unknown }> {
  const { stream, status, headers, limit, url } = options;
  const isError = status >= 400;
  const maxBytes = isError ? errorBodyBytes : limit.bytes;
  const coding = headerOf(headers, 'content-encoding')?.trim().toLowerCase() ?? '';
  const chunks: Buffer[] = [];
  let length = 0;
  const problem = await read().catch((error: unknown) => error);
  return { body: Buffer.concat(chunks, length), problem };

  async function read(): Promise<AppFailure | undefined> {
    const isPlain = coding === '' || coding === 'identity';
    const announced = Number(headerOf(headers, 'content-length'));
    if (isPlain && !isError && announced > maxBytes) {
      stream.destroy();
      return tooLargeFailure({ url, status, limit });
    }
    const decoder = isPlain || !Object.hasOwn(decoders, coding) ? undefined : decoders[coding]?.();
    if (!isPlain && !decoder && !isError) {
      stream.destroy();
      return wrongEncodingFailure({ url, status, coding });
    }
    const decoded: Readable = decoder ? pipeline(stream, decoder, () => {}) : stream;
    try {
      for await (const chunk of decoded as AsyncIterable<Buffer>) {
        const room = maxBytes - length;
        chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
        length += Math.min(chunk.length, room);
        if (chunk.length > room) return isError ? undefined : tooLargeFailure({ url, status, limit });
      }
    } catch (error) {
      if (!decoder || !isDecodingError(error)) throw error;
      // A response without a body has nothing to decode, whatever its headers say.
      if (!stream.readableDidRead || isError) return undefined;
      return wrongEncodingFailure({ url, status, coding, cause: error });
    }
    return undefined;
  }
}

/** zlib's error codes start with Z_, those of Brotli with ERR__. */
function isDecodingError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(Z_|ERR__)/.test(String(error.code));
}
