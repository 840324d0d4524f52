// Notifies screens of changes. Each listener has at most one pending notice per topic, so a slow screen gets only the newest state.
import type { Notice } from '@rainbell/contract/app-rpc';

type Listener = { pending: Map<Notice['topic'], Notice>; wake: () => void };

export function createNoticeHub() {
  const listeners = new Set<Listener>();
  const closing = new AbortController();

  async function* listen(
    present: readonly Notice[],
    signal: AbortSignal,
    whenWritable: () => Promise<void>,
  ): AsyncGenerator<Notice> {
    const ended = AbortSignal.any([signal, closing.signal]);
    const pending = new Map(present.map((notice) => [notice.topic, notice]));
    let wake = () => {};
    const listener: Listener = { pending, wake: () => wake() };
    const onEnd = () => wake();
    listeners.add(listener);
    ended.addEventListener('abort', onEnd);
    try {
      while (!ended.aborted) {
        await whenWritable();
        const next = pending.values().next();
        if (!next.done) {
          pending.delete(next.value.topic);
          yield next.value;
        } else {
          await new Promise<void>((resolve) => {
            wake = resolve;
            if (ended.aborted) resolve();
          });
        }
      }
    } finally {
      listeners.delete(listener);
      ended.removeEventListener('abort', onEnd);
    }
  }

  return {
    publish(notice: Notice) {
      for (const listener of listeners) {
        listener.pending.set(notice.topic, notice);
        listener.wake();
      }
    },
    /**
     * Notices from now on, after `present`, which returns the state at the start. Ends when `signal` aborts. `whenWritable` resolves
     * when the connection can take more; until then newer notices replace older ones of their topic.
     */
    listen,
    /** Whether a screen or a host listens. */
    hasListeners: (): boolean => listeners.size > 0,
    close: (): void => closing.abort(),
  };
}
