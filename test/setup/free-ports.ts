import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';

// Below the range from which Linux takes ports for connections and for servers that ask for any port (32,768 and up), so that no
// other test is given the port in the meantime.
const firstPort = 10_000;
const portCount = 22_000;

/** Ports of this machine that were free a moment ago, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = firstPort + Math.floor(Math.random() * portCount);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}

/**
 * A port of 127.0.0.1 that refuses connections until the process ends. A connection of our own holds it; a port that was only
 * free a moment ago may be given to a server of another test, which would respond.
 */
export async function refusingPort(): Promise<number> {
  const server = createServer((socket) => void socket.unref()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = await freePort();
  const socket = connect({
    port: (server.address() as AddressInfo).port,
    host: '127.0.0.1',
    localAddress: '127.0.0.1',
    localPort: port,
  });
  await once(socket, 'connect');
  socket.unref();
  server.unref();
  return port;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const isListening = new Promise<boolean>((resolve) => {
    server.once('listening', () => resolve(true));
    server.once('error', () => resolve(false));
  });
  server.listen(port, '127.0.0.1');
  const answer = await isListening;
  if (answer) await once(server.close(), 'close');
  return answer;
}
