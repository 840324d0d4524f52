// The computer's time zone, which changes while the app is open if the computer travels.
const keptMs = 1_000;

let kept: { zone: string; at: number } | undefined;

/** Returns the IANA name. The zone is read at most once a second, because that takes 0.1 ms and every row of a table needs it. */
export function computerZone(): string {
  const at = performance.now();
  if (kept === undefined || Math.abs(at - kept.at) > keptMs) {
    kept = { zone: Intl.DateTimeFormat().resolvedOptions().timeZone, at };
  }
  return kept.zone;
}
