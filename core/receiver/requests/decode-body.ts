// Bodies with a `Content-Encoding`, decoded within a budget: what arrives small may be large, and may never end. And their text.
import { Readable, Writable, type Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  brotliDecompressSync,
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib';
import type { HeaderList } from '@rainbell/contract/app-rpc';
import { charsetOfBytes } from '@rainbell/shared';

/** More in a list are not decoded. */
const maxCodings = 4;
/** Deflate reaches 1,032 : 1, so only the bombs of other codings meet it. */
const maxRatio = 1100;
const minLimit = 64 * 1024;
const chunkBytes = 64 * 1024;

export type Decoded = {
  /** As far as it was decoded. */
  body: Buffer;
  /** Why it is not the whole body, as a sentence; null if it is. */
  problem: string | null;
};

type Encoded = { headers: HeaderList; body: Buffer; truncated: boolean };

/** The codings in the order in which they were applied, in lower case; empty for a plain body. */
export function codingsOf(headers: HeaderList): string[] {
  return headers
    .filter(([name]) => name.length === 16 && name.toLowerCase() === 'content-encoding')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((coding) => coding.trim().replace(/^x-(?=gzip$)/, ''))
    .filter((coding) => coding !== '' && coding !== 'identity');
}

/**
 * Decodes at once, for a check or a search. Returns the body itself if it is plain; undefined if it cannot be decoded, or has
 * more than `limitBytes`.
 */
export function decodeAtOnce(callback: Encoded, limitBytes: number): Buffer | undefined {
  const codings = codingsOf(callback.headers);
  if (codings.length === 0) return callback.body;
  if (unsupportedIn(codings) !== undefined) return undefined;
  try {
    return codings
      .toReversed()
      .reduce((body, coding) => decodeOne(coding, body, callback.truncated, limitBytes), callback.body);
  } catch {
    return undefined;
  }
}

/**
 * Decodes in the threads of zlib, up to `limitBytes`, for at most `signal`'s time; undefined for a plain body. What was decoded
 * before a problem is returned with it.
 */
export async function decodeInBackground(
  { headers, body, truncated }: Encoded,
  limitBytes: number,
  signal: AbortSignal,
): Promise<Decoded | undefined> {
  const codings = codingsOf(headers);
  if (codings.length === 0) return undefined;
  const unsupported = unsupportedIn(codings);
  if (unsupported !== undefined) return { body: Buffer.alloc(0), problem: unsupported };
  const longest = Math.min(limitBytes, Math.max(body.length * maxRatio, minLimit));
  const chunks: Buffer[] = [];
  let length = 0;
  const decoders = codings
    .toReversed()
    .map((coding, index) => decoderOf(coding, index === 0 ? body : undefined, truncated));
  const collect = new Writable({
    write(chunk: Buffer, _encoding, next) {
      chunks.push(chunk.subarray(0, longest - length));
      length += chunk.length;
      next(length > longest ? new RangeError('too long') : null);
    },
  });
  const result = (problem: string | null): Decoded => ({ body: Buffer.concat(chunks), problem });
  try {
    await pipeline([Readable.from([body], { objectMode: false }), ...decoders, collect], { signal });
    return result(null);
  } catch (error) {
    if (error instanceof RangeError)
      return result(`The decoded body has more than ${longest} bytes, so it is truncated at that size.`);
    if (signal.aborted) return result('Decoding took too long, so it was stopped.');
    const names = codings.join(', ');
    return result(
      length === 0
        ? `The body is not valid ${names}.`
        : `Only the first part of the body is valid ${names}, so only that part is decoded.`,
    );
  }
}

const supported: readonly string[] = ['gzip', 'deflate', 'br', 'zstd'];

function unsupportedIn(codings: readonly string[]): string | undefined {
  if (codings.length > maxCodings) return `At most ${maxCodings} content codings are decoded.`;
  const unknown = codings.find((coding) => !supported.includes(coding));
  return unknown === undefined ? undefined : `The content coding ${unknown.slice(0, 40)} can’t be decoded.`;
}

/** The text of a decoded body, by its charset; as UTF-8 if no decoder knows that. */
export function textOfBytes(body: Buffer, contentType: string): string {
  const charset = charsetOfBytes(body, contentType);
  if (charset === 'utf-8') return body.toString().replace(/^\uFEFF/, '');
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return body.toString();
  }
}

/** Of a body that was cut, what there is. */
function zlibOptions(truncated: boolean) {
  return truncated ? { finishFlush: constants.Z_SYNC_FLUSH } : {};
}

function brotliOptions(truncated: boolean) {
  return truncated ? { finishFlush: constants.BROTLI_OPERATION_FLUSH } : {};
}

/** A window of 8 MB is the most that a sender may ask for (RFC 9659). */
function zstdOptions(truncated: boolean) {
  return {
    params: { [constants.ZSTD_d_windowLogMax]: 23 },
    ...(truncated ? { finishFlush: constants.ZSTD_e_flush } : {}),
  };
}

/** Whether it has the head of RFC 1950; some senders leave it out. */
function hasZlibHead(body: Buffer): boolean {
  return ((body[0] ?? 0) & 0x0f) === 8 && (((body[0] ?? 0) << 8) + (body[1] ?? 0)) % 31 === 0;
}

function decodeOne(coding: string, body: Buffer, truncated: boolean, maxOutputLength: number): Buffer {
  if (coding === 'br') return brotliDecompressSync(body, { ...brotliOptions(truncated), maxOutputLength });
  if (coding === 'zstd') return zstdDecompressSync(body, { ...zstdOptions(truncated), maxOutputLength });
  const options = { ...zlibOptions(truncated), maxOutputLength };
  if (coding === 'gzip') return gunzipSync(body, options);
  return hasZlibHead(body) ? inflateSync(body, options) : inflateRawSync(body, options);
}

function decoderOf(coding: string, body: Buffer | undefined, truncated: boolean): Duplex {
  if (coding === 'br') return createBrotliDecompress({ ...brotliOptions(truncated), chunkSize: chunkBytes });
  if (coding === 'zstd') return createZstdDecompress({ ...zstdOptions(truncated), chunkSize: chunkBytes });
  const options = { ...zlibOptions(truncated), chunkSize: chunkBytes };
  if (coding === 'gzip') return createGunzip(options);
  return body && !hasZlibHead(body) ? createInflateRaw(options) : createInflate(options);
}
