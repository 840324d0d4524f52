// A TCP proxy in front of the run's PostgreSQL, which can reset all connections, also new ones, like a server that restarts.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export type DatabaseProxy = {
  /** The database's URL through the proxy. */
  url: string;
  /** Resets every connection, and each new one until `restore`. */
  cut(): void;
  restore(): void;
  /** How many connections were reset at once. */
  refused(): number;
};

/** It begins cut off. */
export async function startDatabaseProxy(target: string): Promise<DatabaseProxy> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
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
    open.add(socket);
    socket.on('close', () => (open.delete(socket), upstream.destroy()));
    upstream.on('error', () => {}).on('close', () => socket.destroy());
    socket.pipe(upstream).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  function cut(): void {
    isCut = true;
    for (const socket of open) socket.resetAndDestroy();
  }
  onTestFinished(() => {
    cut();
    server.close();
  });
  const url = new URL(target);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: url.href, cut, restore: () => void (isCut = false), refused: () => refused };
}
