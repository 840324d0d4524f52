// Encoded bodies: decoded as zlib's own compressors and RFC 9110 8.4 say, and never beyond their budget.
import { randomBytes } from 'node:crypto';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { HeaderList } from '#contract/app-rpc/base.ts';
import { codingsOf, decodeAtOnce, decodeInBackground } from '#core/receiver/requests/decode-body.ts';

const text = JSON.stringify({ id: 'precipitation_1', text: 'Grüße '.repeat(40) });
const plain = Buffer.from(text);

function encoded(body: Buffer, coding: string, truncated = false) {
  const headers: HeaderList = [['Content-Encoding', coding]];
  return { headers, body, truncated };
}

const decode = (callback: ReturnType<typeof encoded>, limit = 1_000_000) =>
  decodeInBackground(callback, limit, new AbortController().signal);

describe('an encoded body', () => {
  test.each([
    ['gzip', gzipSync(plain)],
    ['x-gzip', gzipSync(plain)],
    ['GZIP', gzipSync(plain)],
    ['br', brotliCompressSync(plain)],
    ['zstd', zstdCompressSync(plain)],
    ['deflate', deflateSync(plain)],
    // Without the head of RFC 1950, as some senders do.
    ['deflate', deflateRawSync(plain)],
    ['gzip, br', brotliCompressSync(gzipSync(plain))],
    ['identity, gzip', gzipSync(plain)],
  ])('with %s is decoded', async (coding, body) => {
    const callback = encoded(body, coding);
    expect(decodeAtOnce(callback, 1_000_000)?.toString()).toBe(text);
    expect(await decode(callback)).toEqual({ body: plain, problem: null });
  });

  test('lists its codings over several headers', () => {
    const headers: HeaderList = [
      ['content-encoding', 'gzip'],
      ['Content-Encoding', 'identity, br'],
    ];
    expect(codingsOf(headers)).toEqual(['gzip', 'br']);
  });

  test('without a coding stays what it is', async () => {
    const callback = { headers: [] as HeaderList, body: plain, truncated: false };
    expect(decodeAtOnce(callback, 10)).toBe(plain);
    expect(await decode(callback)).toBeUndefined();
  });

  test.each([
    ['gzip', gzipSync(Buffer.alloc(50_000_000))],
    ['br', brotliCompressSync(Buffer.alloc(50_000_000))],
    ['zstd', zstdCompressSync(Buffer.alloc(50_000_000))],
  ])('that grows a thousandfold with %s is cut at the limit', async (coding, bomb) => {
    expect(decodeAtOnce(encoded(bomb, coding), 1_000_000)).toBeUndefined();
    const decoded = await decode(encoded(bomb, coding));
    expect(decoded?.body.length).toBeLessThanOrEqual(1_000_000);
    expect(decoded?.problem).toMatch(/^The decoded body has more than \d+ bytes/);
  });

  test('that was cut by the receiver is decoded as far as it goes', async () => {
    const noise = randomBytes(20_000);
    const cut = gzipSync(noise).subarray(0, 4000);
    const decoded = await decode(encoded(cut, 'gzip', true));
    expect(decoded?.problem).toBeNull();
    expect(decoded?.body.length).toBeGreaterThan(100);
    expect(noise.subarray(0, decoded?.body.length)).toEqual(decoded?.body);
  });

  test('that is broken, unknown, or stopped has its problem', async () => {
    expect((await decode(encoded(plain, 'gzip')))?.problem).toBe('The body is not valid gzip.');
    const unfinished = await decode(encoded(gzipSync(randomBytes(300_000)).subarray(0, 250_000), 'gzip'));
    expect(unfinished?.problem).toBe('Only the first part of the body is valid gzip, so only that part is decoded.');
    expect(unfinished?.body.length).toBeGreaterThan(100_000);
    expect((await decode(encoded(plain, 'compress')))?.problem).toBe('The content coding compress can’t be decoded.');
    expect((await decode(encoded(plain, 'gzip,gzip,gzip,gzip,gzip')))?.problem).toBe(
      'At most 4 content codings are decoded.',
    );
    const stopped = await decodeInBackground(encoded(gzipSync(plain), 'gzip'), 1000, AbortSignal.abort());
    expect(stopped).toEqual({ body: Buffer.alloc(0), problem: 'Decoding took too long, so it was stopped.' });
    expect(decodeAtOnce(encoded(plain, 'gzip'), 1000)).toBeUndefined();
  });
});
