// Unresponsive hosts, decided without I/O: after three consecutive attempts without a response a host is paused, for a second at
// first and up to a minute. Meanwhile due events are postponed by their own retry plan instead of waiting for one timeout after the
// other; then single attempts test whether the host is back. Any response ends the pause. A host that has been silent for minutes
// gets only these attempts.

/** `elapsed`: now by the monotonic clock, so that clock jumps neither end nor extend a pause. */
export type HostBreaker = {
  /** Whether attempts to this host are postponed now. */
  isResting(host: string, elapsed: number): boolean;
  /** Whether it is paused, and has failed long enough that last attempts are skipped too. */
  isDead(host: string, elapsed: number): boolean;
  /** It failed to respond recently and has not responded since: only one attempt at a time. */
  isDoubtful(host: string): boolean;
  responded(host: string): void;
  failedToRespond(host: string, elapsed: number): void;
};

type Silence = { failures: number; restMs: number; restsUntil: number };

const failuresBeforeRest = 3;
/** Including the pauses, that is about two minutes without a response. */
const failuresBeforeDeath = 10;
const firstRestMs = 1_000;
const maxRestMs = 60_000;
const rememberedHosts = 50_000;

export function createHostBreaker(): HostBreaker {
  const silent = new Map<string, Silence>();

  function isResting(host: string, elapsed: number): boolean {
    const silence = silent.get(host);
    return silence !== undefined && elapsed < silence.restsUntil;
  }

  function set(host: string, silence: Silence): void {
    if (silent.size >= rememberedHosts && !silent.has(host)) silent.clear();
    silent.set(host, silence);
  }

  return {
    isResting,
    isDead: (host, elapsed) => isResting(host, elapsed) && (silent.get(host)?.failures ?? 0) >= failuresBeforeDeath,
    isDoubtful: (host) => (silent.get(host)?.failures ?? 0) >= failuresBeforeRest,
    responded: (host) => void silent.delete(host),
    failedToRespond(host, elapsed) {
      // Ignore attempts that were in progress when the pause started.
      if (isResting(host, elapsed)) return;
      const before = silent.get(host) ?? { failures: 0, restMs: firstRestMs / 2 };
      const failures = before.failures + 1;
      const begins = failures >= failuresBeforeRest;
      const restMs = begins ? Math.min(before.restMs * 2, maxRestMs) : before.restMs;
      set(host, { failures, restMs, restsUntil: begins ? elapsed + restMs : elapsed });
    },
  };
}
