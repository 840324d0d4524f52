// Which of the signals that end a process the user sent.
import type { Clock } from '@rainbell/shared';

/** `afterTurn` is `setImmediate`. */
type Options = { clock: Clock; graceMs: number; afterTurn: (run: () => void) => void };

/**
 * Returns a function to call with each SIGINT, SIGTERM, or SIGHUP. It returns whether the signal is the first one, the first one
 * arriving again, or a second one, with which the user ends the process at once.
 *
 * One Ctrl+C can arrive several times: from the terminal, from the parent process, and from conf's writer, which raises each signal
 * again. On a busy machine, the process reads the next one only after the work that the first one started, however long that took.
 * So `graceMs` begins when the event loop has turned.
 */
export function classifySignals({ clock, graceMs, afterTurn }: Options): () => 'first' | 'again' | 'second' {
  let turnedAt = Infinity;
  let isEnding = false;
  return () => {
    if (isEnding) return clock.elapsed() - turnedAt > graceMs ? 'second' : 'again';
    isEnding = true;
    afterTurn(() => {
      turnedAt = clock.elapsed();
    });
    return 'first';
  };
}
