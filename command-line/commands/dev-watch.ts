// Notices when a program that listens on a port restarts, by a connection that it keeps open.
import { connect, type Socket } from 'node:net';
import type { Clock } from '@rainbell/shared';

const retryMs = 150;

/** Calls `onRestart` each time the port opens after it was closed, until the returned function is called. */
export function watchPort(
  { hostname, port, protocol }: URL,
  clock: Pick<Clock, 'after'>,
  onRestart: () => void,
): () => void {
  const target = { host: hostname.replaceAll(/[[\]]/g, ''), port: Number(port) || (protocol === 'https:' ? 443 : 80) };
  let socket: Socket | undefined;
  let isDown = false;
  let cancel = () => {};
  let isEnded = false;

  function open(): void {
    if (isEnded) return;
    const opened = connect(target);
    socket = opened;
    opened.unref();
    opened.on('connect', () => {
      if (isDown) onRestart();
      isDown = false;
    });
    // A server that closes an idle connection takes the next one at once.
    opened.on('error', (error: NodeJS.ErrnoException) => (isDown ||= error.code === 'ECONNREFUSED'));
    opened.on('close', () => (cancel = clock.after(retryMs, open)));
    opened.resume();
  }

  open();
  return () => {
    isEnded = true;
    cancel();
    socket?.destroy();
  };
}
