import type { Server } from 'node:http';

/** Stops listening and ends all connections at once. Resolves when the port is free. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
