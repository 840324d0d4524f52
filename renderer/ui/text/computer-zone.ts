// The computer's time zone, which changes while the app is open if the computer travels.
const cacheMs = 1_000;

let cached: { zone: string; at: number } | undefined;

/** Returns the IANA name. The zone is read at most once a second, because that takes 0.1 ms and every row of a table needs it. */
export function computerZone(): string {
  const at = performance.now();
  if (cached === undefined || Math.abs(at - cached.at) > cacheMs) {
    cached = { zone: Intl.DateTimeFormat().resolvedOptions().timeZone, at };
  }
  return cached.zone;
}
