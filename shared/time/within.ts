// Patience: how long a caller waits for work that goes on without it.
import type { CancelTimer, Clock } from './clock.ts';

/** The result, or undefined where the work failed or takes longer than `patienceMs` of the clock; late work still goes on. */
export async function within<Result>(
  clock: Clock,
  patienceMs: number,
  work: Promise<Result>,
): Promise<Result | undefined> {
  let cancel: CancelTimer = () => {};
  const tooLong = new Promise<undefined>((resolve) => {
    cancel = clock.after(patienceMs, () => resolve(undefined));
  });
  try {
    return await Promise.race([work.catch(() => undefined), tooLong]);
  } finally {
    cancel();
  }
}
