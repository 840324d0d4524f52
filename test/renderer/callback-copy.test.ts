// A copied callback, sent again by a real shell and by real fetch, arrives as it was.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { callbackCurl, callbackFetch } from '#renderer/features/callbacks/detail/callback-copy.ts';
import { startFakeService } from '#test/core/fake-service.ts';

const run = promisify(execFile);

const bodies: readonly (readonly [string, string])[] = [
  ['JSON with quotes', '{"id":"precipitation_1","note":"it\'s $HOME `rain`\\n"}'],
  ['text that looks like a file', '@/etc/hostname'],
  ['no body', ''],
];

function callback(body: string | Uint8Array) {
  return {
    method: 'POST',
    target: "/hooks/o'hara?x=1",
    headers: [
      ['Host', 'elsewhere'],
      ['Content-Type', 'application/json'],
      ['X-Note', "it's"],
    ] as [string, string][],
    bodyBase64: Buffer.from(body).toString('base64'),
  };
}

describe('a callback copied', () => {
  it.each(bodies)('as cURL sends %s as it was', async (_name, body) => {
    const service = await startFakeService({ "POST /hooks/o'hara": () => ({}) });
    await run('sh', ['-c', callbackCurl(callback(body), service.baseUrl)]);
    expect(service.seen[0]).toMatchObject({ url: "/hooks/o'hara?x=1", body });
    expect(service.seen[0]?.headers['x-note']).toBe("it's");
  });

  it.each(bodies)('as fetch sends %s as it was', async (_name, body) => {
    const service = await startFakeService({ "POST /hooks/o'hara": () => ({}) });
    await run(process.execPath, ['--input-type=module', '-e', callbackFetch(callback(body), service.baseUrl)]);
    expect(service.seen[0]).toMatchObject({ url: "/hooks/o'hara?x=1", body });
    expect(service.seen[0]?.headers['content-type']).toBe('application/json');
  });

  it('keeps bytes that are no text', async () => {
    const lengths: number[] = [];
    const service = await startFakeService({
      "POST /hooks/o'hara": ({ headers }) => {
        lengths.push(Number(headers['content-length']));
        return {};
      },
    });
    const bytes = new Uint8Array([0, 255, 39, 10, 128]);
    await run('sh', ['-c', callbackCurl(callback(bytes), service.baseUrl)]);
    await run(process.execPath, ['--input-type=module', '-e', callbackFetch(callback(bytes), service.baseUrl)]);
    expect(lengths).toEqual([5, 5]);
  });
});
