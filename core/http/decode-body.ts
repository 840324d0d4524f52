// Bodies with a `Content-Encoding`, decoded within a budget: what arrives small may be large, and may never end. And their text.
import {
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib';
import type { HeaderList } from '@rainbell/contract/app-rpc';
import { charsetOfBytes, systemCode } from '@rainbell/shared';

/** More in a list are not decoded. */
const maxCodings = 4;

type Encoded = { headers: HeaderList; body: Buffer; truncated: boolean };

/** The codings in the order in which they were applied, in lower case; empty for a plain body. */
export function codingsOf(headers: HeaderList): string[] {
  return headers
    .filter(([name]) => name.length === 16 && name.toLowerCase() === 'content-encoding')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((coding) => coding.trim().replace(/^x-(?=gzip$)/, ''))
    .filter((coding) => coding !== '' && coding !== 'identity');
}

/** The body itself if it is plain; undefined if it cannot be decoded, or has more than `limitBytes`. */
export function decodeAtOnce(callback: Encoded, limitBytes: number): Buffer | undefined {
  const decoded = decodeBody(callback, limitBytes);
  return typeof decoded === 'string' ? undefined : decoded;
}

/** The body without its codings; a sentence if it cannot be decoded, or has more than `limitBytes`. */
export function decodeBody({ headers, body, truncated }: Encoded, limitBytes: number): Buffer | string {
  const codings = codingsOf(headers);
  const unsupported = unsupportedIn(codings);
  if (unsupported !== undefined) return unsupported;
  try {
    return codings.toReversed().reduce((rest, coding) => decodeOne(coding, rest, truncated, limitBytes), body);
  } catch (error) {
    return systemCode(error) === 'ERR_BUFFER_TOO_LARGE'
      ? `The decoded body has more than ${limitBytes} bytes, so it isn’t shown.`
      : `The body is not valid ${codings.join(', ')}.`;
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

/** Whether it has the head of RFC 1950; some senders leave it out. */
function hasZlibHead(body: Buffer): boolean {
  return ((body[0] ?? 0) & 0x0f) === 8 && (((body[0] ?? 0) << 8) + (body[1] ?? 0)) % 31 === 0;
}

/** Of a body that was cut, what there is. */
function decodeOne(coding: string, body: Buffer, truncated: boolean, maxOutputLength: number): Buffer {
  const limit = { maxOutputLength };
  if (coding === 'br')
    return brotliDecompressSync(body, {
      ...limit,
      ...(truncated && { finishFlush: constants.BROTLI_OPERATION_FLUSH }),
    });
  if (coding === 'zstd')
    return zstdDecompressSync(body, {
      ...limit,
      // A window of 8 MB is the most that a sender may ask for (RFC 9659).
      params: { [constants.ZSTD_d_windowLogMax]: 23 },
      ...(truncated && { finishFlush: constants.ZSTD_e_flush }),
    });
  const options = { ...limit, ...(truncated && { finishFlush: constants.Z_SYNC_FLUSH }) };
  if (coding === 'gzip') return gunzipSync(body, options);
  return hasZlibHead(body) ? inflateSync(body, options) : inflateRawSync(body, options);
}
