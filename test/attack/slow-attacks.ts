// Slow connections, spread over 64 loopback addresses: each kind opens many and keeps them as slow as it can until the server
// closes them.
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { attackerAddress } from './flood.ts';

export type Swarm = {
  /** How many of its connections the server still holds open. */
  open(): number;
  end(): void;
};

export type SlowKind = {
  name: string;
  connections: number;
  begin: (host: string) => string;
  drip?: string;
  readsNothing?: true;
};

const dripEveryMs = 1_000;

/** Every kind, with what it sends first and then once a second. */
export const slowKinds: readonly SlowKind[] = [
  { name: 'connections that send nothing', connections: 1_000, begin: () => '' },
  {
    name: 'slow headers',
    connections: 1_000,
    begin: (host) => `POST / HTTP/1.1\r\nHost: ${host}\r\nX-Slow: `,
    drip: 'a',
  },
  {
    name: 'slow bodies',
    connections: 1_000,
    begin: (host) =>
      `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{`,
    drip: ' ',
  },
  {
    name: 'slow chunks',
    connections: 1_000,
    begin: (host) =>
      `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    drip: '1\r\n \r\n',
  },
  {
    name: 'responses that are never read',
    connections: 500,
    begin: (host) => `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(4),
    readsNothing: true,
  },
  {
    name: '200 pipelined requests',
    connections: 300,
    begin: (host) => `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(200),
  },
];

/** Each sends all but the end of the longest head that a receiver can be set to accept (256 KB). */
export const longHeads: SlowKind = {
  name: 'unfinished headers of 250 KB',
  connections: 600,
  begin: (host) => `POST / HTTP/1.1\r\nHost: ${host}\r\nX-Long: ${'a'.repeat(250 * 1024)}`,
  drip: 'a',
};

/** Resolves when every connection was tried. */
export async function openSwarm(port: number, kind: SlowKind, connections = kind.connections): Promise<Swarm> {
  const host = `127.0.0.1:${port}`;
  const open = new Set<Socket>();
  const dripping = setInterval(() => {
    if (kind.drip !== undefined) for (const socket of open) socket.write(kind.drip);
  }, dripEveryMs);
  const connected: Promise<void>[] = [];
  for (let count = 0; count < connections; count += 1) {
    const socket = connect({ port, host: '127.0.0.1', localAddress: attackerAddress(count) });
    open.add(socket);
    socket.on('error', () => {});
    if (kind.readsNothing) socket.pause();
    else socket.resume();
    socket.write(kind.begin(host));
    socket.once('close', () => open.delete(socket));
    connected.push(
      new Promise((resolve) => void socket.once('connect', () => resolve()).once('close', () => resolve())),
    );
  }
  await Promise.all(connected);
  return {
    // A client that does not read does not see that it was closed.
    open: () => (kind.readsNothing ? heldByServer(port) : open.size),
    end() {
      clearInterval(dripping);
      for (const socket of open) socket.destroy();
    },
  };
}

const established = '01';

/** Established connections at the server's end, from Linux's /proc; 0 on other systems, which skip this check. */
function heldByServer(port: number): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  try {
    const rows = readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1);
    const columns = rows.map((row) => row.trim().split(/\s+/));
    return columns.filter(([, address, , state]) => address?.endsWith(local) && state === established).length;
  } catch {
    return 0;
  }
}
