// Unix seconds as providers send them.

/** The year 5138; a larger number is not a time in seconds. */
const latestSecond = 1e11;

/** Returns epoch milliseconds; undefined if the number cannot be a time. */
export function instantOfUnixSeconds(seconds: number): number | undefined {
  return Math.abs(seconds) < latestSecond ? Math.round(seconds * 1000) : undefined;
}
