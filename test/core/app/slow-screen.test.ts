// A screen whose socket takes nothing more: what waits for it stays small, and it goes on with the newest.
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import type { AppClient } from '#contract/app-rpc/contract.ts';
import { startCore } from '../core-harness.ts';

/** Two ends of a socket in memory; what the server's end sends waits until `release` is called. */
function stuckSocket() {
  const [server, client] = [new EventTarget(), new EventTarget()];
  const deliver = (to: EventTarget, data: unknown) => void to.dispatchEvent(new MessageEvent('message', { data }));
  let bufferedAmount = 0;
  return {
    release() {
      bufferedAmount = 0;
    },
    server: Object.defineProperty(
      Object.assign(server, {
        OPEN: 1,
        readyState: 1,
        bufferedAmount: 0,
        send(data: string | Uint8Array) {
          bufferedAmount += data.length;
          deliver(client, data);
        },
      }),
      'bufferedAmount',
      { get: () => bufferedAmount },
    ),
    client: Object.assign(client, { readyState: 1, send: (data: unknown) => deliver(server, data) }),
  };
}

test('a screen that takes nothing is not sent a pile, and hears the newest when it takes again', async () => {
  const { core, client: other } = await startCore();
  const stuck = stuckSocket();
  core.serveWebSocket(stuck.server as unknown as WebSocket);
  const client: AppClient = createORPCClient(
    new RPCLink({ websocket: stuck.client as unknown as globalThis.WebSocket }),
  );
  const stream = await client.app.notices();
  let heard = 0;
  const listen = async () => {
    for await (const notice of stream) if (notice.topic === 'settings') heard += 1;
  };
  // It ends with the app, which closes this socket's other end.
  listen().catch(() => {});

  let rounds = 0;
  while (rounds < 3000) {
    await other.settings.update({ theme: rounds % 2 ? 'dark' : 'light' });
    rounds += 1;
  }
  const heardWhileStuck = heard;
  expect(heardWhileStuck).toBeLessThan(rounds);
  expect(stuck.server.bufferedAmount).toBeGreaterThan(64 * 1024);
  expect(stuck.server.bufferedAmount).toBeLessThan(66 * 1024);

  stuck.release();
  await expect.poll(() => heard).toBe(heardWhileStuck + 1);
});
