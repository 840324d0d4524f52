// A client of a running headless host, over its real session and WebSocket, for tests that need no screen.
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import WebSocket, { type RawData } from 'ws';
import type { AppClient } from '#contract/app-rpc/contract.ts';

export type ConnectedApp = { client: AppClient; session: string; disconnect: () => void };

/** `address` is what the host printed: it holds the ticket, which works once. */
export async function openAppSession(address: string): Promise<ConnectedApp> {
  const { origin, hash } = new URL(address);
  return connectToApp(origin, { ticket: hash.slice('#ticket='.length) });
}

export async function connectToApp(
  origin: string,
  hello: { ticket: string } | { session: string },
): Promise<ConnectedApp> {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/rpc`, { headers: { origin } });
  socket.once('open', () => socket.send(JSON.stringify(hello)));
  const greeting = await new Promise<RawData>((resolve, reject) => {
    socket.once('message', resolve);
    socket.once('error', reject);
    socket.once('close', (code) => reject(new Error(`The host closed the socket with ${code}.`)));
  });
  // Of a browser's WebSocket, oRPC uses what `ws` has as well.
  const client: AppClient = createORPCClient(new RPCLink({ websocket: socket as unknown as globalThis.WebSocket }));
  const { session } = JSON.parse((greeting as Buffer).toString()) as { session: string };
  return { client, session, disconnect: () => socket.terminate() };
}
