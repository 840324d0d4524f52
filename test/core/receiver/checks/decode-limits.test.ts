// The exact limits of decoding, and bodies that the receiver cut.
import { randomBytes } from 'node:crypto';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { HeaderList } from '#contract/app-rpc/base.ts';
import { codingsOf, decodeAtOnce, decodeInBackground, textOfBytes } from '#core/receiver/requests/decode-body.ts';

const encoded = (body: Buffer, coding: string, truncated = false) => ({
  headers: [['Content-Encoding', coding]] satisfies HeaderList,
  body,
  truncated,
});
const inBackground = (callback: ReturnType<typeof encoded>, limit: number) =>
  decodeInBackground(callback, limit, new AbortController().signal);

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

test('four codings are decoded, and five are not', async () => {
  const four = gzipSync(gzipSync(gzipSync(gzipSync(noise))));
  expect(decodeAtOnce(encoded(four, 'gzip, gzip, gzip, gzip'), 30_000)?.equals(noise)).toBe(true);
  expect(decodeAtOnce(encoded(gzipSync(four), 'gzip, gzip, gzip, gzip, gzip'), 30_000)).toBeUndefined();
});

test('an unknown coding is named in at most 40 characters', async () => {
  const unknown = await inBackground(encoded(noise, `gzip, ${'z'.repeat(41)}`), 10);
  expect(unknown).toEqual({ body: Buffer.alloc(0), problem: expect.stringMatching(/ z{40} can/) });
});

test('codings are read from their header only, without empty ones', () => {
  expect(codingsOf([['Content-Encodinh', 'br']])).toEqual([]);
  expect(codingsOf([['CONTENT-ENCODING', ' X-GZIP ,, identity, x-gzipped']])).toEqual(['gzip', 'x-gzipped']);
});

test.each([
  ['UTF-8', Buffer.from('grün'), 'text/plain', 'grün'],
  ['UTF-8 with a byte order mark', Buffer.from('\uFEFFgrün'), 'text/plain', 'grün'],
  ['Latin-1', Buffer.from('grün', 'latin1'), 'text/plain; charset=iso-8859-1', 'grün'],
  ['UTF-16', Buffer.from('grün', 'utf16le'), 'text/plain; charset=utf-16le', 'grün'],
  ['an unknown charset', Buffer.from('grün'), 'text/plain; charset=klingon', 'grün'],
])('reads text in %s', (_, body, type, text) => {
  expect(textOfBytes(body, type)).toBe(text);
});
