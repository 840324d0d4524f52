// A TCP proxy in front of the run's PostgreSQL, which can reset all connections, also new ones, like a server that restarts,
// or stop forwarding, like a proxy that lost its server without noticing.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export type DatabaseProxy = {
  /** The database's URL through the proxy. */
  url: string;
  /** Resets every connection, and each new one until `restore`. */
  cut(): void;
  restore(): void;
  /** Keeps every open connection, but forwards nothing. */
  hold(): void;
  /** How many connections were reset at once. */
  refused(): number;
};

/** It begins cut off. */
export async function startDatabaseProxy(target: string): Promise<DatabaseProxy> {
  const { hostname, port } = new URL(target);
  const open = new Map<Socket, Socket>();
  let isCut = true;
  let refused = 0;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    if (isCut) {
      refused += 1;
      socket.resetAndDestroy();
      return;
    }
    const upstream = connect(Number(port), hostname);
    open.set(socket, upstream);
    socket.on('close', () => (open.delete(socket), upstream.destroy()));
    upstream.on('error', () => {}).on('close', () => socket.destroy());
    socket.pipe(upstream).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  function cut(): void {
    isCut = true;
    for (const socket of open.keys()) socket.resetAndDestroy();
  }
  function hold(): void {
    for (const [socket, upstream] of open) {
      socket.unpipe(upstream).resume();
      upstream.unpipe(socket).resume();
    }
  }
  onTestFinished(() => {
    cut();
    server.close();
  });
  const url = new URL(target);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: url.href, cut, hold, restore: () => void (isCut = false), refused: () => refused };
}
