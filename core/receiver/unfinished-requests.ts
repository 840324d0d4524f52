// Keeps the receiver open to honest senders while others dawdle: above a number of connections the one whose request
// has been unfinished for longest, in its headers or its body, is closed. Refusing newcomers instead would hand the
// receiver to whoever opens enough slow connections.
import type { Socket } from 'node:net';

export type UnfinishedRequests = {
  /** A new connection, or a new request on one: unfinished from now on. */
  begin: (socket: Socket) => void;
  /** Its request was read to the end. */
  finish: (socket: Socket) => void;
};

export function createUnfinishedRequests(maxConnections: number): UnfinishedRequests {
  const connections = new Set<Socket>();
  // A Set keeps the order of insertion, so the first is the oldest.
  const unfinished = new Set<Socket>();

  function add(socket: Socket): void {
    connections.add(socket);
    socket.once('close', () => {
      connections.delete(socket);
      unfinished.delete(socket);
    });
  }

  function evictOldest(): void {
    const [oldest] = unfinished;
    if (!oldest) return;
    unfinished.delete(oldest);
    connections.delete(oldest);
    oldest.destroy();
  }

  return {
    begin(socket) {
      if (!connections.has(socket)) add(socket);
      unfinished.delete(socket);
      unfinished.add(socket);
      if (connections.size > maxConnections) evictOldest();
    },
    finish(socket) {
      unfinished.delete(socket);
    },
  };
}
