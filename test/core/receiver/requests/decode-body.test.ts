// Encoded bodies: decoded as zlib's own compressors and RFC 9110 8.4 say, and never beyond their budget.
import { randomBytes } from 'node:crypto';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { codingsOf, decodeAtOnce, decodeInBackground, textOfBytes } from '#core/receiver/requests/decode-body.ts';

const encoded = (body: Buffer, codings: string, truncated = false) => ({
  headers: codings.split(', ').map((coding): [string, string] => ['Content-Encoding', coding]),
  body,
  truncated,
});
const inBackground = (callback: ReturnType<typeof encoded>, limit = 1_000_000) =>
  decodeInBackground(callback, limit, new AbortController().signal);

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
  test('is decoded up to a limit', async () => {
    expect(decodeAtOnce(encoded(body, coding), 20_000)?.equals(noise)).toBe(true);
    expect(decodeAtOnce(encoded(body, coding), 19_999)).toBeUndefined();
    expect(await inBackground(encoded(body, coding), 20_000)).toEqual({ body: noise, problem: null });
    const cut = await inBackground(encoded(body, coding), 19_999);
    expect(cut?.body.equals(noise.subarray(0, 19_999))).toBe(true);
    expect(cut?.problem).toContain(' 19999 bytes');
  });

  test('is decoded as far as it goes only if the receiver cut it', async () => {
    const part = body.subarray(0, 15_000);
    expect(decodeAtOnce(encoded(part, coding), 20_000)).toBeUndefined();
    const decoded = decodeAtOnce(encoded(part, coding, true), 20_000);
    expect(decoded?.equals(noise.subarray(0, decoded.length))).toBe(true);
    expect(await inBackground(encoded(part, coding, true), 20_000)).toMatchObject({ problem: null });
    expect((await inBackground(encoded(part, coding), 20_000))?.problem).toContain(coding);
  });
});

test('a small body may have 64 KB, a longer one 1,100 times its length', async () => {
  const small = brotliCompressSync(Buffer.alloc(5_000_000));
  expect(small.length * 1100).toBeLessThan(65_536);
  expect((await inBackground(encoded(small, 'br'), 1e9))?.body).toHaveLength(65_536);
  const larger = zstdCompressSync(Buffer.alloc(5_000_000));
  expect(larger.length * 1100).toBeGreaterThan(65_536);
  expect((await inBackground(encoded(larger, 'zstd'), 1e9))?.body).toHaveLength(larger.length * 1100);
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
  ])('are decoded in the reverse order: %s', async (codings, body, plain) => {
    const callback = encoded(body, codings);
    expect(decodeAtOnce(callback, 1e6)?.toString('latin1')).toBe(plain.toString('latin1'));
    expect(await inBackground(callback)).toEqual({ body: plain, problem: null });
  });

  test('without a coding stay what they are', async () => {
    const callback = { ...encoded(text, ''), headers: [] };
    expect(decodeAtOnce(callback, 10)).toBe(text);
    expect(await inBackground(callback)).toBeUndefined();
  });

  test('that are broken, unknown, or stopped have their problem', async () => {
    expect((await inBackground(encoded(text, 'gzip')))?.problem).toBe('The body is not valid gzip.');
    const unfinished = await inBackground(encoded(gzipSync(randomBytes(300_000)).subarray(0, 250_000), 'gzip'));
    expect(unfinished?.problem).toBe('Only the first part of the body is valid gzip, so only that part is decoded.');
    expect(unfinished?.body.length).toBeGreaterThan(100_000);
    expect((await inBackground(encoded(text, 'compress')))?.problem).toBe(
      'The content coding compress can’t be decoded.',
    );
    expect((await inBackground(encoded(text, 'gzip, gzip, gzip, gzip, gzip')))?.problem).toBe(
      'At most 4 content codings are decoded.',
    );
    const stopped = await decodeInBackground(encoded(gzipSync(text), 'gzip'), 1000, AbortSignal.abort());
    expect(stopped).toEqual({ body: Buffer.alloc(0), problem: 'Decoding took too long, so it was stopped.' });
    expect(decodeAtOnce(encoded(text, 'gzip'), 1000)).toBeUndefined();
  });
});
