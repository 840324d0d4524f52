// Notices when a program that listens on a port restarts, by connections that end at once: one that stays open would block a handler
// that serves one connection at a time, such as Python's HTTPServer.
import { connect, type Socket } from 'node:net';
import { type Clock, isLoopback } from '@rainbell/shared';
import { targetOf } from '@rainbell/shared/node';
import type { SendGuard } from '../http/send-guard.ts';

/** A program that starts takes longer. */
const betweenMs = 150;

/**
 * Calls `onRestart` each time the port opens after it was closed, until `stop`. `sawDown`: a request found it closed, maybe for a shorter
 * time than between two looks. Only on this computer.
 */
export function watchPort(
  url: URL,
  clock: Pick<Clock, 'after'>,
  guard: Pick<SendGuard, 'lookupFor'>,
  onRestart: () => void,
): { sawDown: () => void; stop: () => void } {
  if (!isLoopback(url.hostname)) return { sawDown() {}, stop() {} };
  const target = targetOf(url);
  const options = { ...target, lookup: guard.lookupFor(target.port) };
  let socket: Socket | undefined;
  let isDown = false;
  let cancel = () => {};
  let isEnded = false;

  function open(): void {
    if (isEnded) return;
    const opened = connect(options);
    socket = opened;
    opened.unref();
    opened.on('connect', () => {
      if (isDown) onRestart();
      isDown = false;
      opened.destroy();
    });
    opened.on('error', (error: NodeJS.ErrnoException) => (isDown ||= error.code === 'ECONNREFUSED'));
    opened.on('close', () => (cancel = clock.after(betweenMs, open)));
  }

  open();
  return {
    sawDown: () => void (isDown = true),
    stop() {
      isEnded = true;
      cancel();
      socket?.destroy();
    },
  };
}
