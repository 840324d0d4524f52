// The receiver's public base: checked by a request that goes out to it and has to come in here.
import { request as httpRequest } from 'node:http';
import { describe, expect, test } from 'vitest';
import { settingsOf } from '../core-harness.ts';
import { startTarget, startWithReceiver } from './callback-harness.ts';

/** A tunnel as there are many: whatever comes to its address goes to the receiver. */
function startTunnel(to: string) {
  return startTarget((response, { method, url, headers }) => {
    httpRequest(to + (url ?? ''), { method, headers: { ...headers, 'content-length': '2' } }, (answer) => {
      response.writeHead(answer.statusCode ?? 502);
      answer.pipe(response);
    }).end('{}');
  });
}

describe('a public base', () => {
  test('through which a request comes in here is kept, and leaves no callback behind', async () => {
    const { client, baseUrl } = await startWithReceiver();
    const tunnel = await startTunnel(baseUrl);
    await client.app.changePublicBase({ base: ` ${tunnel.url}/ ` });
    expect(tunnel.seen).toHaveLength(1);
    expect((await settingsOf(client)).publicBase).toBe(tunnel.url);
    expect((await client.callbacks.list({ limit: 10 })).items).toEqual([]);
    await client.app.changePublicBase({ base: null });
    expect((await settingsOf(client)).publicBase).toBeNull();
  });

  test('that leads elsewhere, or nowhere, or to a paused receiver, is refused, and the one before stays', async () => {
    const { client, baseUrl } = await startWithReceiver();
    const tunnel = await startTunnel(baseUrl);
    await client.app.changePublicBase({ base: tunnel.url });
    const elsewhere = await startTarget();
    await expect(client.app.changePublicBase({ base: elsewhere.url })).rejects.toMatchObject({
      code: 'NETWORK',
      message: expect.stringMatching(
        /did not reach the receiver: another server responded with 200\. Point the tunnel at http/,
      ),
    });
    await expect(client.app.changePublicBase({ base: 'http://127.0.0.1:9' })).rejects.toMatchObject({
      code: 'NETWORK',
      message: expect.stringContaining('did not reach the receiver'),
    });
    // Before anything is sent.
    const origins = ['', 'rain', 'ftp://a.test', 'https://u@a.test'];
    for (const base of [...origins, 'https://a.test/x', 'https://a.test/?x', 'https://a.test/#x'])
      await expect(client.app.changePublicBase({ base })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        data: { field: 'base' },
      });
    await client.rules.replace({ pause: 'refuse', rules: [] });
    await expect(client.app.changePublicBase({ base: tunnel.url })).rejects.toMatchObject({
      message: expect.stringContaining('not paused'),
    });
    expect((await settingsOf(client)).publicBase).toBe(tunnel.url);
  });
});
