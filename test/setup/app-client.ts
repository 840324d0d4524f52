// A client of a running headless host, over its real session and WebSocket, for tests that need no screen.
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import WebSocket from 'ws';
import type { AppClient } from '#contract/app-rpc/contract.ts';

export type ConnectedApp = { client: AppClient; disconnect: () => void };

/** `address` is what the host printed: it holds the ticket, which works once. */
export async function openAppSession(address: string): Promise<ConnectedApp> {
  const { origin, hash } = new URL(address);
  const session = await fetch(`${origin}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ ticket: hash.slice('#ticket='.length) }),
  });
  return connectToApp(origin, session.headers.get('set-cookie')?.split(';')[0] ?? '');
}

export async function connectToApp(origin: string, cookie: string): Promise<ConnectedApp> {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/rpc`, { headers: { origin, cookie } });
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  // Of a browser's WebSocket, oRPC uses what `ws` has as well.
  const client: AppClient = createORPCClient(new RPCLink({ websocket: socket as unknown as globalThis.WebSocket }));
  return { client, disconnect: () => socket.terminate() };
}
