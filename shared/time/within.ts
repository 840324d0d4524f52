// Limits how long a caller waits for work that continues without it.
import type { CancelTimer, Clock } from './clock.ts';

/** Returns the result, or undefined if the work fails or takes longer than `timeoutMs`; late work continues. */
export async function within<Result>(
  clock: Clock,
  timeoutMs: number,
  work: Promise<Result>,
): Promise<Result | undefined> {
  let cancel: CancelTimer = () => {};
  const tooLong = new Promise<undefined>((resolve) => {
    cancel = clock.after(timeoutMs, () => resolve(undefined));
  });
  try {
    return await Promise.race([work.catch(() => undefined), tooLong]);
  } finally {
    cancel();
  }
}
