// Unix seconds as providers send them.

/** The year 5138; beyond it, a number is no time in seconds. */
const latestSecond = 1e11;

/** Epoch milliseconds; undefined where the number cannot be a time. */
export function instantOfUnixSeconds(seconds: number): number | undefined {
  return Math.abs(seconds) < latestSecond ? Math.round(seconds * 1000) : undefined;
}
