import net, { type Server } from 'node:net';

/** Does not look up an IPv4 address, for which Node would compile its expression for IPv6: 7 ms of each thread's start. */
export function listenAt(server: Server, host: string, port: number, backlog = 511): void {
  try {
    // Electron's Node may be older.
    if ('BoundSocket' in net && net.isIPv4(host)) server.listen(new net.BoundSocket({ host, port }), backlog);
    else server.listen({ host, port, backlog });
  } catch (error) {
    // The port is in use, for instance.
    process.nextTick(() => server.emit('error', error));
  }
}
