// Hosts that do not answer, decided without I/O: after three attempts in a row without any answer a host rests, for a
// second at first and up to a minute. What is due meanwhile is put off by its own plan of retries instead of waiting for
// one time limit after the other; then one attempt at a time finds out whether the host is back. Any answer ends it. A host
// that has been silent for minutes gets nothing but these attempts.

/** `elapsed`: now by the monotonic clock, so that a clock that jumps neither ends a rest nor prolongs it. */
export type HostBreaker = {
  /** Attempts to this host are put off now. */
  isResting(host: string, elapsed: number): boolean;
  /** It rests, and has been silent for so long that last attempts are not made either. */
  isDead(host: string, elapsed: number): boolean;
  /** It gave no answer lately and none since: only one attempt at a time. */
  isDoubtful(host: string): boolean;
  answered(host: string): void;
  gaveNoAnswer(host: string, elapsed: number): void;
};

type Silence = { failures: number; restMs: number; restsUntil: number };

const failuresBeforeRest = 3;
/** With the rests between them that is about two minutes of silence. */
const failuresBeforeDeath = 10;
const firstRestMs = 1_000;
const longestRestMs = 60_000;
const rememberedHosts = 50_000;

export function createHostBreaker(): HostBreaker {
  const silent = new Map<string, Silence>();

  function isResting(host: string, elapsed: number): boolean {
    const silence = silent.get(host);
    return silence !== undefined && elapsed < silence.restsUntil;
  }

  return {
    isResting,
    isDead: (host, elapsed) => isResting(host, elapsed) && (silent.get(host)?.failures ?? 0) >= failuresBeforeDeath,
    isDoubtful: (host) => (silent.get(host)?.failures ?? 0) >= failuresBeforeRest,
    answered: (host) => void silent.delete(host),
    gaveNoAnswer(host, elapsed) {
      // Attempts that were under way when the rest began say nothing new.
      if (isResting(host, elapsed)) return;
      const before = silent.get(host) ?? { failures: 0, restMs: firstRestMs / 2 };
      const failures = before.failures + 1;
      const begins = failures >= failuresBeforeRest;
      const restMs = begins ? Math.min(before.restMs * 2, longestRestMs) : before.restMs;
      if (silent.size >= rememberedHosts && !silent.has(host)) silent.clear();
      silent.set(host, { failures, restMs, restsUntil: begins ? elapsed + restMs : elapsed });
    },
  };
}
