/** The part of a `node:http` server that closing needs. */
type ClosableServer = { close: (onClosed: () => void) => unknown; closeAllConnections: () => void };

/** Stops listening and ends all connections at once. Resolves when the port is free. */
export function closeServer(server: ClosableServer): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
