// Bodies with several codings, in many pieces, or with a deflate whose head is missing.
import { randomBytes } from 'node:crypto';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decodeAtOnce, decodeInBackground, textOfBytes } from '#core/receiver/requests/decode-body.ts';

const text = Buffer.from('Grüße, '.repeat(30));
const noise = randomBytes(200_000);
const encoded = (body: Buffer, ...codings: string[]) => ({
  headers: codings.map((coding): [string, string] => ['Content-Encoding', coding]),
  body,
  truncated: false,
});
const inBackground = (callback: ReturnType<typeof encoded>, limit = 1e6) =>
  decodeInBackground(callback, limit, new AbortController().signal);

// A raw deflate may begin with bytes that are nearly the head of RFC 1950: a stored block ignores five bits of its first byte.
const stored = (first: number, length: number) =>
  Buffer.concat([
    Buffer.from([first, length, 0, 255 - length, 255]),
    text.subarray(0, length),
    Buffer.from(first % 2 === 0 ? [3, 0] : []),
  ]);

test.each([
  ['deflate, gzip', gzipSync(deflateSync(text)), text],
  ['gzip, deflate', deflateSync(gzipSync(text)), text],
  ['br, deflate', deflateRawSync(brotliCompressSync(text)), text],
  ['gzip, br, gzip', gzipSync(brotliCompressSync(gzipSync(text))), text],
  // 8 in the lower half, but no multiple of 31.
  ['deflate', stored(0x08, 20), text.subarray(0, 20)],
  // A multiple of 31, but no 8.
  ['deflate', stored(0x01, 23), text.subarray(0, 23)],
])('are decoded in the reverse order: %s', async (codings, body, plain) => {
  const callback = encoded(body, ...codings.split(', '));
  expect(decodeAtOnce(callback, 1e6)?.toString('latin1')).toBe(plain.toString('latin1'));
  expect(await inBackground(callback)).toEqual({ body: plain, problem: null });
});

test('are cut at the limit in any of their pieces', async () => {
  const decoded = await inBackground(encoded(gzipSync(noise), 'gzip'), 150_001);
  expect(decoded?.body.equals(noise.subarray(0, 150_001))).toBe(true);
  expect(decoded?.problem).toContain(' 150001 bytes');
});

test.each([
  ['nothing', encoded(Buffer.alloc(0), 'gzip')],
  ['one byte', encoded(Buffer.from([8]), 'deflate')],
])('that are broken are not decoded: %s', async (_, callback) => {
  expect(decodeAtOnce(callback, 1e6)).toBeUndefined();
  expect((await inBackground(callback))?.problem).toMatch(/^The body is not valid /);
});

test('are text without a byte order mark', () => {
  expect(textOfBytes(Buffer.from('\uFEFFa\uFEFF'), 'text/plain')).toBe('a\uFEFF');
  expect(textOfBytes(Buffer.from([0x61, 0xff]), 'text/plain; charset=klingon')).toBe('a\ufffd');
});
