// Against clients that open connections and never finish a request: above a limit, the oldest unfinished one is closed, so
// that honest requests always find a place. Time limits alone let slow ones crowd the others out for seconds, and a cap on
// connections would refuse the honest (design/performance.md, Abuse).
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** `limit`: how many connections may wait for the rest of their first headers, or of a body, at once. */
export function limitUnfinishedRequests(http: Server, limit: number): void {
  /** In the order in which they began. */
  const unfinished = new Set<Socket>();

  function began(socket: Socket): void {
    unfinished.add(socket);
    if (unfinished.size <= limit) return;
    const [oldest] = unfinished;
    if (!oldest) return;
    unfinished.delete(oldest);
    oldest.destroy();
  }

  http.on('connection', (socket: Socket) => {
    began(socket);
    socket.once('close', () => unfinished.delete(socket));
  });
  http.on('request', (request: IncomingMessage) => {
    const { socket, headers } = request;
    unfinished.delete(socket);
    // The headers are complete; only a body can still be missing.
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    if (!hasBody) return;
    began(socket);
    request.once('end', () => unfinished.delete(socket));
    // A refusal may come before the body was read.
    request.once('close', () => unfinished.delete(socket));
  });
}
