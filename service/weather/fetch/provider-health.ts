// How each provider is doing: one that failed is left alone for a while, longer with each failure in a row or as long as it asked
// for; failures are logged and kept for the sandbox's state.
import type { Logger } from 'pino';
import type { Clock } from '#shared/time/clock.ts';
import type { SandboxState } from '#contract/service-api/sandbox.ts';
import { formatInstant } from '#contract/service-api/timestamp.ts';
import { ProviderFailure } from '#service/weather/reading/reading.ts';

export type ProviderHealth = {
  /** Milliseconds until the provider may be asked again; 0: now. */
  restMs(provider: string): number;
  /** Since when, by the clock, every request to the provider failed; undefined: the last one succeeded, or there was none. */
  failing(provider: string): { since: number; reason: string } | undefined;
  failed(provider: string, error: unknown): void;
  answered(provider: string): void;
  /** The latest first. */
  lastErrors(): SandboxState['provider']['lastErrors'];
  /** From now on failures are ours: requests are being ended because the service closes. */
  close(): void;
};

/** A network hiccup is soon over; a server that refuses or babbles takes longer. */
const firstRestMs = { network: 3_000, answer: 10_000 };
const longestRestMs = 300_000;
const errorsKept = 8;

export function createProviderHealth({ clock, log }: { clock: Clock; log: Logger }): ProviderHealth {
  /** `until`: by `elapsed()`, so that a clock that jumps neither ends a rest nor prolongs it. */
  const states = new Map<string, { failures: number; until: number; since: number; reason: string }>();
  let lastErrors: SandboxState['provider']['lastErrors'] = [];
  let isClosed = false;
  return {
    restMs: (provider) => Math.max(0, (states.get(provider)?.until ?? -Infinity) - clock.elapsed()),
    failing: (provider) => states.get(provider),
    failed(provider, error) {
      if (isClosed) return;
      const failure = error instanceof ProviderFailure ? error : undefined;
      const reason = failure?.message ?? 'it failed';
      const before = states.get(provider);
      const failures = (before?.failures ?? 0) + 1;
      const first = failure !== undefined && failure.isOfNetwork ? firstRestMs.network : firstRestMs.answer;
      const restMs = Math.min(longestRestMs, first * 2 ** Math.min(failures - 1, 10));
      const askedMs = Math.min(longestWaitMs, (failure?.retryAfterSeconds ?? 0) * 1000);
      const until = clock.elapsed() + Math.max(restMs, askedMs);
      states.set(provider, { failures, until, since: before?.since ?? clock.now(), reason });
      lastErrors = [{ provider, at: formatInstant(clock.now()), message: reason }, ...lastErrors].slice(0, errorsKept);
      log.warn({ provider, reason, err: failure ? undefined : error }, 'a provider failed');
    },
    answered(provider) {
      if (states.delete(provider)) log.info({ provider }, 'a provider answers again');
    },
    lastErrors: () => lastErrors,
    close() {
      isClosed = true;
    },
  };
}

/** Nobody is left alone for longer, whatever was asked: a day. */
const longestWaitMs = 24 * 3_600_000;
