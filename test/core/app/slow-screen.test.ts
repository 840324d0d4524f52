// A screen whose socket takes nothing more: what waits for it stays small, and it goes on with the newest.
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import type { AppClient } from '#contract/app-rpc/contract.ts';
import { startCore } from '../core-harness.ts';

type Listener = (event: { data?: unknown }) => void;

/** Two ends of a socket in memory; what the server's end sends counts as written only when `release` is called. */
function stuckSocket() {
  const listeners = { server: new Map<string, Listener[]>(), client: new Map<string, Listener[]>() };
  const listenOn = (side: 'server' | 'client') => (type: string, listener: Listener) =>
    void listeners[side].set(type, [...(listeners[side].get(type) ?? []), listener]);
  const deliver = (side: 'server' | 'client', data: unknown) => {
    for (const listener of listeners[side].get('message') ?? []) listener({ data });
  };
  let waiting: (() => void)[] = [];
  let waitingBytes = 0;
  return {
    waitingBytes: () => waitingBytes,
    release() {
      const written = waiting;
      waiting = [];
      waitingBytes = 0;
      for (const tell of written) tell();
    },
    server: {
      addEventListener: listenOn('server'),
      send(data: string | Uint8Array, written: () => void) {
        waiting.push(written);
        waitingBytes += data.length;
        deliver('client', data);
      },
      terminate: () => {},
    },
    client: {
      readyState: 1,
      addEventListener: listenOn('client'),
      removeEventListener: () => {},
      send: (data: unknown) => deliver('server', data),
    },
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
  expect(stuck.waitingBytes()).toBeGreaterThan(64 * 1024);
  expect(stuck.waitingBytes()).toBeLessThan(66 * 1024);

  stuck.release();
  await expect.poll(() => heard).toBe(heardWhileStuck + 1);
});
