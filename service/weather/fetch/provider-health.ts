// Health of each provider: one that fails is paused, longer with each consecutive failure or as long as it requests. If it refuses
// only one place, only that place is. Failures are logged and kept for the sandbox's state.
import type { Logger } from 'pino';
import { createCache } from '../../cache/create-cache.ts';
import { type Clock, formatInstant } from '@rainbell/shared';
import type { SandboxState } from '@rainbell/contract/service-api';
import { ProviderFailure, QuotaUsedUp } from '../reading/reading.ts';

export type ProviderHealth = ReturnType<typeof createProviderHealth>;

/** A network problem ends soon; a server that rejects requests or returns invalid data takes longer. */
const firstRestMs = { network: 3_000, response: 10_000 };
const maxRestMs = { provider: 300_000, place: 3_600_000 };
const maxStates = 5_000;
const errorsKept = 8;

type Dependencies = { clock: Clock; log: Logger };

export function createProviderHealth({ clock, log }: Dependencies) {
  /**
   * By provider, and by provider and cell. `until`: by `elapsed()`, so that clock jumps neither end nor extend a pause. What is read
   * at each request stays.
   */
  const states = createCache<string, { failures: number; until: number; since: number; reason: string }>(maxStates);
  let lastErrors: SandboxState['provider']['lastErrors'] = [];
  let isClosed = false;
  return {
    /** Returns the milliseconds until the provider may be queried again, for this cell if one is given; 0 if now. */
    restMs(provider: string, cellKey?: string): number {
      const until = (key: string) => states.get(key)?.until ?? 0;
      return Math.max(0, Math.max(until(provider), until(`${provider} ${cellKey}`)) - clock.elapsed());
    },
    /** Returns when all requests to the provider began to fail; undefined if the last one succeeded, or there was none. */
    failing: (provider: string) => states.get(provider),
    /** Whether the provider's last response for this cell was a refusal. */
    refuses: (provider: string, cellKey: string) => states.has(`${provider} ${cellKey}`),
    failed(provider: string, error: unknown, cellKey?: string) {
      if (isClosed || error instanceof QuotaUsedUp) return;
      const failure = error instanceof ProviderFailure ? error : undefined;
      const reason = failure?.message ?? 'an internal error occurred';
      const cell = failure?.isOfRequest === true ? cellKey : undefined;
      const key = cell === undefined ? provider : `${provider} ${cell}`;
      const before = states.get(key);
      const failures = (before?.failures ?? 0) + 1;
      const first = failure !== undefined && failure.isOfNetwork ? firstRestMs.network : firstRestMs.response;
      const restMs = Math.min(
        maxRestMs[cell === undefined ? 'provider' : 'place'],
        first * 2 ** Math.min(failures - 1, 10),
      );
      const requestedMs = Math.min(maxWaitMs, (failure?.retryAfterSeconds ?? 0) * 1000);
      const until = clock.elapsed() + Math.max(restMs, requestedMs);
      const since = before?.since ?? clock.now();
      states.set(key, { failures, until, since, reason });
      lastErrors = [{ provider, at: formatInstant(clock.now()), message: reason }, ...lastErrors].slice(0, errorsKept);
      log.warn({ provider, cell, reason, err: failure ? undefined : error }, 'a provider failed');
    },
    succeeded(provider: string, cellKey?: string) {
      states.delete(`${provider} ${cellKey}`);
      if (!states.delete(provider)) return;
      log.info({ provider }, 'a provider is responding again');
    },
    lastErrors: () => lastErrors,
    /** The service is closing and aborts requests: ignore failures from now on. */
    close() {
      isClosed = true;
    },
  };
}

/** The longest wait, whatever the provider asks for: a day. */
const maxWaitMs = 24 * 3_600_000;
