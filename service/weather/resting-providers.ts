// Leaves a provider that failed alone for a while: longer with each failure in a row, or as long as it asked for.
import type { Clock } from '#contract/clock.ts';

export type RestingProviders = {
  isResting(provider: string): boolean;
  failed(provider: string, retryAfterSeconds: number | undefined): void;
  recovered(provider: string): void;
};

const firstRestMs = 10_000;
const longestRestMs = 300_000;

export function createRestingProviders({ clock }: { clock: Clock }): RestingProviders {
  const states = new Map<string, { failures: number; until: number }>();
  return {
    isResting: (provider) => (states.get(provider)?.until ?? 0) > clock.now(),
    failed(provider, retryAfterSeconds) {
      const failures = (states.get(provider)?.failures ?? 0) + 1;
      const rest = Math.min(longestRestMs, firstRestMs * 2 ** (failures - 1));
      states.set(provider, { failures, until: clock.now() + Math.max(rest, (retryAfterSeconds ?? 0) * 1000) });
    },
    recovered(provider) {
      states.delete(provider);
    },
  };
}
