// Requests one place's weather from each live provider once, for `rainbell check-providers`. Stores nothing, and needs no service.
import { pino } from 'pino';
import type { Clock } from '@rainbell/shared';
import { type LatLng, liveProviders } from '@rainbell/contract/service-api';
import { readInvocation } from '../config/config.ts';
import { StartError } from '../errors/start-error.ts';
import { createProviderHealth } from './fetch/provider-health.ts';
import { createProviderHttp, userAgent } from './fetch/provider-http.ts';
import { providers } from './providers/providers.ts';
import { ProviderFailure } from './reading/reading.ts';

/** `outcome`: `off` if a setting is missing. `text`: what came back, or why nothing did. */
type ProviderCheck = { provider: string; outcome: 'ok' | 'off' | 'failed'; milliseconds: number; text: string };

type Dependencies = { environment: Readonly<Record<string, string | undefined>>; clock: Clock; location: LatLng };

/** Throws a StartError if a setting in the environment is invalid. */
export async function checkProviders({ environment, clock, location }: Dependencies): Promise<ProviderCheck[]> {
  const invocation = readInvocation([], environment);
  if (invocation.kind !== 'run') throw new StartError('settings', 'The settings start no service.');
  const http = createProviderHttp({ userAgent, clock });
  const health = createProviderHealth({ clock, log: pino({ enabled: false }) });
  const context = {
    ...http,
    clock,
    machineClock: clock,
    random: Math.random,
    side: { clock, machineClock: clock, health, shared: undefined },
    countPlaces: () => Promise.resolve(0),
    hasAlternative: () => false,
  };
  try {
    await http.ready();
    return await Promise.all(
      liveProviders.map(async (name): Promise<ProviderCheck> => {
        const provider = providers[name].create(invocation.config, context);
        if (!provider) return { provider: name, outcome: 'off', milliseconds: 0, text: providers[name].missing ?? '' };
        const began = clock.elapsed();
        const took = () => Math.round(clock.elapsed() - began);
        try {
          const { current, steps } = await provider.fetch(location);
          const text = `${current?.status ?? 'no current weather'}, and ${steps.length} times ahead`;
          return { provider: name, outcome: 'ok', milliseconds: took(), text };
        } catch (error) {
          if (!(error instanceof ProviderFailure)) throw error;
          return { provider: name, outcome: 'failed', milliseconds: took(), text: error.message };
        }
      }),
    );
  } finally {
    await http.close();
  }
}
