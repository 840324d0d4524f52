// One immutable answer to `GET /v2/weather/`: its bytes, plain and compressed, and its ETag. It is built once and then sent
// to everyone who asks for the same cell within the same minute.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export const encodings = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof encodings)[number];

export type WeatherAnswer = {
  /** Weak, since it names the content and not one of its compressions (RFC 9110 §8.8.1). */
  etag: string;
  /** The bytes in an encoding, where they are there already. */
  ready(encoding: Encoding): Buffer | undefined;
  /** The same, made at the first call, off the main thread. */
  bytes(encoding: Encoding): Promise<Buffer>;
};

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);
/** An answer lives for a minute: these levels cost half of the usual ones and give a tenth more bytes. */
export const gzipLevel = { level: 3 };
const brotliQuality = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

export function createWeatherAnswer(body: string): WeatherAnswer {
  const plain = Buffer.from(body);
  const etag = `W/"${createHash('sha1').update(plain).digest('base64url')}"`;
  const known = new Map<Encoding, Buffer>([['identity', plain]]);
  const underWay = new Map<Encoding, Promise<Buffer>>();

  async function compress(encoding: Encoding): Promise<Buffer> {
    const bytes = await (encoding === 'br' ? compressBrotli(plain, brotliQuality) : compressGzip(plain, gzipLevel));
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
