// A flood: many connections, spread over 64 loopback addresses, each of which sends its next request as soon as the last one is
// answered, and connects again if it is closed. It runs in a thread, so that the caller's own work does not slow it down.
import { connect } from 'node:net';
import { runInThread, startThread } from './thread.ts';

export type FloodTask = {
  port: number;
  connections: number;
  /** Whole requests as text; connection n sends the one at n modulo their number. */
  requests: readonly string[];
};

/** Responses by status; `broken` counts connections that ended without one. */
export type FloodResult = { statuses: Record<string, number>; broken: number };

export const attackerAddresses = 64;

/** The loopback address of attacker n: 127.0.1.1 to 127.0.1.64. */
export function attackerAddress(number: number): string {
  return `127.0.1.${1 + (number % attackerAddresses)}`;
}

/** Starts at once; `stop` resolves when the last connection is closed. */
export const startFlood = (task: FloodTask) => startThread<FloodResult>(import.meta.url, task);

const pauseAfterCloseMs = 20;

async function flood({ port, connections, requests }: FloodTask, stopped: AbortSignal): Promise<FloodResult> {
  const result: FloodResult = { statuses: {}, broken: 0 };
  const attackers = Array.from({ length: connections }, async (_, number) => {
    const request = Buffer.from(requests[number % requests.length] ?? '', 'latin1');
    while (!stopped.aborted) {
      await attackOnce({ port, localAddress: attackerAddress(number), request }, result, stopped);
      await new Promise((resolve) => setTimeout(resolve, pauseAfterCloseMs));
    }
  });
  await Promise.all(attackers);
  return result;
}

/** One connection, until the other side closes it. */
function attackOnce(
  { port, localAddress, request }: { port: number; localAddress: string; request: Buffer },
  result: FloodResult,
  stopped: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    const end = () => socket.destroy();
    stopped.addEventListener('abort', end, { once: true });
    let missing = 0;
    let head = '';
    let isWaiting = true;
    socket.setNoDelay(true).setTimeout(20_000, end);
    socket.on('connect', () => socket.write(request));
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      let rest = chunk.length;
      if (missing === 0) {
        head += chunk.toString('latin1');
        const headEnd = head.indexOf('\r\n\r\n');
        if (headEnd < 0) return;
        const status = head.slice(9, 12);
        result.statuses[status] = (result.statuses[status] ?? 0) + 1;
        // A WebSocket is held as long as the other side lets it.
        if (status === '101') {
          head = '';
          return undefined;
        }
        const length = /\r\ncontent-length: (\d+)/i.exec(head.slice(0, headEnd))?.[1];
        // Without a length the end is unknown: the connection starts over.
        if (length === undefined && status !== '304' && status !== '204') return end();
        rest = head.length - headEnd - 4;
        missing = Number(length ?? 0);
        head = '';
      }
      missing -= rest;
      isWaiting = missing > 0;
      if (missing <= 0) {
        missing = 0;
        isWaiting = true;
        socket.write(request);
      }
    });
    socket.on('close', () => {
      stopped.removeEventListener('abort', end);
      if (isWaiting && !stopped.aborted) result.broken += 1;
      resolve();
    });
  });
}

await runInThread(flood);
