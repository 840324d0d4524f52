// One immutable response to `GET /v2/weather/`: its bytes, plain and compressed, and its ETag. Built once and sent to every request
// for the same cell within the same minute.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip' | 'identity';

export type WeatherResponse = {
  /** Weak, because it identifies the content, not one of its encodings (RFC 9110 §8.8.1). */
  etag: string;
  /** Returns the bytes in an encoding if they already exist. */
  ready(encoding: Encoding): Buffer | undefined;
  /** Like `ready`, but compresses on the first call, off the main thread. */
  bytes(encoding: Encoding): Promise<Buffer>;
};

/** A response lives for a minute: these levels take half the time of the defaults and add a tenth to the size. */
export const gzipLevel = { level: 3 };

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);
const brotliLevel = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

export function createWeatherResponse(body: string): WeatherResponse {
  const plain = Buffer.from(body);
  const etag = `W/"${createHash('sha1').update(plain).digest('base64url')}"`;
  const known = new Map<Encoding, Buffer>([['identity', plain]]);
  const underWay = new Map<Encoding, Promise<Buffer>>();

  async function compress(encoding: Encoding): Promise<Buffer> {
    const bytes = await (encoding === 'br' ? brotliAsync(plain, brotliLevel) : gzipAsync(plain, gzipLevel));
    known.set(encoding, bytes);
    return bytes;
  }

  return {
    etag,
    ready: (encoding) => known.get(encoding),
    async bytes(encoding) {
      const ready = known.get(encoding);
      if (ready) return ready;
      const started = underWay.get(encoding) ?? compress(encoding);
      underWay.set(encoding, started);
      return started;
    },
  };
}
