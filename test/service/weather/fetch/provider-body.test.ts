// The body of a provider's response: its encodings and its size.
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readBody } from '#service/weather/fetch/provider-http.ts';

const text = '{"weather":"☔"}';
const read = (body: Readable, contentEncoding?: string, places = 1) =>
  readBody('tester', body, { contentEncoding, places });

describe('a body', () => {
  it.each([
    [undefined, Buffer.from(text)],
    ['identity', Buffer.from(text)],
    ['', Buffer.from(text)],
    [' ', Buffer.from(text)],
    ['gzip', gzipSync(text)],
    [' GZip ', gzipSync(text)],
  ])('in the encoding %j is read, whatever its chunks', async (encoding, bytes) => {
    expect(await read(Readable.from([bytes]), encoding)).toBe(text);
    expect(await read(Readable.from([...bytes].map((byte) => Buffer.of(byte))), encoding)).toBe(text);
  });

  it.each(['zip', 'br', 'gzip, br'])('in the encoding %s is not read, but closed', async (encoding) => {
    const body = new Readable({
      read: () => {},
      // As undici's bodies do.
      destroy: (_error, done) => done(new Error('The request was aborted.')),
    });
    await expect(read(body, encoding)).rejects.toMatchObject({
      name: 'ProviderFailure',
      provider: 'tester',
      message: 'its response has an unsupported encoding',
    });
    expect(body.destroyed).toBe(true);
  });

  it('that is not what its encoding says fails with the error of the stream', async () => {
    await expect(read(Readable.from([Buffer.from(text)]), 'gzip')).rejects.toMatchObject({ code: 'Z_DATA_ERROR' });
  });
});

describe('the limit of a body', () => {
  const tooLarge = (megabytes: number) => ({
    name: 'ProviderFailure',
    provider: 'tester',
    message: `its response is larger than ${megabytes} MB`,
  });
  const chunks = (bytes: number) => Readable.from([Buffer.alloc(1_000_000, 32), Buffer.alloc(bytes - 1_000_000, 32)]);

  it('is 2 MB for one place', async () => {
    expect(await read(chunks(2_000_000))).toHaveLength(2_000_000);
    await expect(read(chunks(2_000_001))).rejects.toMatchObject(tooLarge(2));
  });

  it('is 40 KB more for each further one', async () => {
    expect(await read(chunks(2_080_000), undefined, 3)).toHaveLength(2_080_000);
    await expect(read(chunks(2_080_001), undefined, 3)).rejects.toMatchObject(tooLarge(2.08));
  });

  it('holds for the decoded body', async () => {
    expect(await read(Readable.from([gzipSync(Buffer.alloc(2_000_000))]), 'gzip')).toHaveLength(2_000_000);
    await expect(read(Readable.from([gzipSync(Buffer.alloc(2_000_001))]), 'gzip')).rejects.toMatchObject(tooLarge(2));
  });
});
