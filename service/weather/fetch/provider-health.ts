// Health of each provider: one that fails is paused, longer with each consecutive failure or as long as it requests; failures are
// logged and kept for the sandbox's state.
import type { Logger } from 'pino';
import type { Clock } from '#shared/time/clock.ts';
import type { SandboxState } from '#contract/service-api/sandbox.ts';
import { formatInstant } from '#contract/service-api/timestamp.ts';
import { ProviderFailure } from '#service/weather/reading/reading.ts';

export type ProviderHealth = {
  /** Returns the milliseconds until the provider may be queried again; 0 if now. */
  restMs(provider: string): number;
  /** Returns when all requests to the provider began to fail; undefined if the last one succeeded, or there was none. */
  failing(provider: string): { since: number; reason: string } | undefined;
  failed(provider: string, error: unknown): void;
  succeeded(provider: string): void;
  /** Latest first. */
  lastErrors(): SandboxState['provider']['lastErrors'];
  /** The service is closing and aborts requests: ignore failures from now on. */
  close(): void;
};

/** A network problem ends soon; a server that rejects requests or returns invalid data takes longer. */
const firstRestMs = { network: 3_000, answer: 10_000 };
const maxRestMs = 300_000;
const errorsKept = 8;

type Dependencies = { clock: Clock; log: Logger };

export function createProviderHealth({ clock, log }: Dependencies): ProviderHealth {
  /** `until`: by `elapsed()`, so that clock jumps neither end nor extend a pause. */
  const states = new Map<string, { failures: number; until: number; since: number; reason: string }>();
  let lastErrors: SandboxState['provider']['lastErrors'] = [];
  let isClosed = false;
  return {
    restMs: (provider) => Math.max(0, (states.get(provider)?.until ?? -Infinity) - clock.elapsed()),
    failing: (provider) => states.get(provider),
    failed(provider, error) {
      if (isClosed) return;
      const failure = error instanceof ProviderFailure ? error : undefined;
      const reason = failure?.message ?? 'an internal error occurred';
      const before = states.get(provider);
      const failures = (before?.failures ?? 0) + 1;
      const first = failure !== undefined && failure.isOfNetwork ? firstRestMs.network : firstRestMs.answer;
      const restMs = Math.min(maxRestMs, first * 2 ** Math.min(failures - 1, 10));
      const requestedMs = Math.min(maxWaitMs, (failure?.retryAfterSeconds ?? 0) * 1000);
      const until = clock.elapsed() + Math.max(restMs, requestedMs);
      const since = before?.since ?? clock.now();
      states.set(provider, { failures, until, since, reason });
      lastErrors = [{ provider, at: formatInstant(clock.now()), message: reason }, ...lastErrors].slice(0, errorsKept);
      log.warn({ provider, reason, err: failure ? undefined : error }, 'a provider failed');
    },
    succeeded(provider) {
      if (!states.delete(provider)) return;
      log.info({ provider }, 'a provider is responding again');
    },
    lastErrors: () => lastErrors,
    close() {
      isClosed = true;
    },
  };
}

/** The longest wait, whatever the provider asks for: a day. */
const maxWaitMs = 24 * 3_600_000;
