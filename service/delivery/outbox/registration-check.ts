// Early check of a callback URL, when a monitor is created or changed. Every send checks again with its own lookup, so this result
// may be shared and cached: an action on thousands of monitors uses few hosts, and a failing lookup takes seconds.
import { type CallbackGuard, type Clock, targetOf } from '@rainbell/shared';

const retentionMs = 10_000;
const maxKept = 1_000;
const timeoutMs = 2_000;
/** While name servers do not respond: thousands of different names must not wait for them one by one. */
const shortTimeoutMs = 200;

type Check = { since: number; problem: Promise<string | undefined> };

/** Returns why a URL must not be called, or undefined; also if its name can't be resolved in time. */
export function createRegistrationCheck(
  guard: Pick<CallbackGuard, 'problem'>,
  clock: Clock,
): (callbackUri: string) => Promise<string | undefined> {
  const kept = new Map<string, Check>();
  let isSilent = false;

  async function lookUp(callbackUri: string): Promise<string | undefined> {
    const patience = isSilent ? shortTimeoutMs : timeoutMs;
    const since = clock.elapsed();
    const problem = await guard.problem(callbackUri, patience);
    isSilent = clock.elapsed() - since >= patience;
    return problem;
  }

  return (callbackUri) => {
    const { host, port } = targetOf(callbackUri);
    const key = `${host} ${port}`;
    const known = kept.get(key);
    if (known && clock.elapsed() - known.since < retentionMs) return known.problem;
    const check = { since: clock.elapsed(), problem: lookUp(callbackUri) };
    // A renewed check becomes the newest.
    kept.delete(key);
    kept.set(key, check);
    for (const oldest of kept.keys()) {
      if (kept.size <= maxKept) break;
      kept.delete(oldest);
    }
    return check.problem;
  };
}
