// Encoded bodies: decoded as zlib's own compressors and RFC 9110 8.4 say, and never beyond their budget.
import { randomBytes } from 'node:crypto';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { codingsOf, decodeAtOnce, decodeBody, textOfBytes } from '#core/http/decode-body.ts';

const encoded = (body: Buffer, codings: string, truncated = false) => ({
  headers: codings.split(', ').map((coding): [string, string] => ['Content-Encoding', coding]),
  body,
  truncated,
});
const text = Buffer.from('Grüße, '.repeat(30));
const noise = randomBytes(20_000);
const compressed: [string, string, Buffer][] = [
  ['gzip', 'gzip', gzipSync(noise)],
  ['deflate', 'deflate', deflateSync(noise)],
  ['deflate without its head', 'deflate', deflateRawSync(noise)],
  ['br', 'br', brotliCompressSync(noise)],
  ['zstd', 'zstd', zstdCompressSync(noise)],
];

describe.each(compressed)('%s', (_, coding, body) => {
  test('is decoded up to a limit', () => {
    expect(decodeAtOnce(encoded(body, coding), 20_000)?.equals(noise)).toBe(true);
    expect(decodeAtOnce(encoded(body, coding), 19_999)).toBeUndefined();
    expect(decodeBody(encoded(body, coding), 19_999)).toContain(' 19999 bytes');
  });

  test('is decoded as far as it goes only if the receiver cut it', () => {
    const part = body.subarray(0, 15_000);
    expect(decodeAtOnce(encoded(part, coding), 20_000)).toBeUndefined();
    const decoded = decodeAtOnce(encoded(part, coding, true), 20_000);
    expect(decoded?.equals(noise.subarray(0, decoded.length))).toBe(true);
    expect(decodeBody(encoded(part, coding), 20_000)).toContain(coding);
  });
});

test('codings are read from their header only, without empty ones', () => {
  expect(codingsOf([['Content-Encodinh', 'br']])).toEqual([]);
  expect(codingsOf(encoded(text, 'gzip, identity, br').headers)).toEqual(['gzip', 'br']);
  expect(codingsOf([['CONTENT-ENCODING', ' X-GZIP ,, identity, x-gzipped']])).toEqual(['gzip', 'x-gzipped']);
});

test.each([
  ['UTF-8', Buffer.from('grün'), 'text/plain', 'grün'],
  ['UTF-8 with two byte order marks', Buffer.from('\uFEFFgrün\uFEFF'), 'text/plain', 'grün\uFEFF'],
  ['no UTF-8', Buffer.from([0x61, 0xff]), 'text/plain', 'a\ufffd'],
  ['Latin-1', Buffer.from('grün', 'latin1'), 'text/plain; charset=iso-8859-1', 'grün'],
  ['UTF-16', Buffer.from('grün', 'utf16le'), 'text/plain; charset=utf-16le', 'grün'],
  ['an unknown charset', Buffer.from('grün'), 'text/plain; charset=klingon', 'grün'],
])('reads text in %s', (_, body, type, text) => {
  expect(textOfBytes(body, type)).toBe(text);
});

describe('bodies', () => {
  // A raw deflate may begin with bytes that are nearly the head of RFC 1950: a stored block ignores five bits of its first byte.
  const stored = (first: number, length: number) =>
    Buffer.concat([
      Buffer.from([first, length, 0, 255 - length, 255]),
      text.subarray(0, length),
      Buffer.from(first % 2 === 0 ? [3, 0] : []),
    ]);

  test.each([
    ['x-gzip', gzipSync(text), text],
    ['GZIP', gzipSync(text), text],
    ['identity, gzip', gzipSync(text), text],
    ['deflate, gzip', gzipSync(deflateSync(text)), text],
    ['gzip, deflate', deflateSync(gzipSync(text)), text],
    ['br, deflate', deflateRawSync(brotliCompressSync(text)), text],
    ['gzip, br, gzip', gzipSync(brotliCompressSync(gzipSync(text))), text],
    // 8 in the lower half, but no multiple of 31.
    ['deflate', stored(0x08, 20), text.subarray(0, 20)],
    // A multiple of 31, but no 8.
    ['deflate', stored(0x01, 23), text.subarray(0, 23)],
  ])('are decoded in the reverse order: %s', (codings, body, plain) => {
    const callback = encoded(body, codings);
    expect(decodeAtOnce(callback, 1e6)?.toString('latin1')).toBe(plain.toString('latin1'));
  });

  test('without a coding stay what they are', () => {
    const callback = { ...encoded(text, ''), headers: [] };
    expect(decodeAtOnce(callback, 10)).toBe(text);
  });

  test('that are broken or unknown have their problem', () => {
    expect(decodeBody(encoded(text, 'gzip'), 1000)).toBe('The body is not valid gzip.');
    expect(decodeBody(encoded(text, 'compress'), 1000)).toBe('The content coding compress can’t be decoded.');
    expect(decodeBody(encoded(text, 'gzip, gzip, gzip, gzip, gzip'), 1000)).toBe(
      'At most 4 content codings are decoded.',
    );
    expect(decodeAtOnce(encoded(text, 'gzip'), 1000)).toBeUndefined();
  });
});
