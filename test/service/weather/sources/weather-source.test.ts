// What the sweep sees of providers that fail: the pause of all of them, or of the chosen one.
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { ProviderChoice } from '#contract/service-api/sandbox.ts';
import { createProviderHealth } from '#service/weather/fetch/provider-health.ts';
import type { Provider } from '#service/weather/providers/provider.ts';
import { ProviderFailure } from '#service/weather/reading/reading.ts';
import { createWeatherCache } from '#service/weather/sources/weather-cache.ts';
import { createWeatherSource } from '#service/weather/sources/weather-source.ts';
import { createSharedLookups } from '#service/weather/stored/shared-lookups.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { memoryWeatherStore, noOthersClaims } from '#test/service/weather/memory-weather-store.ts';

const now = Date.parse('2026-11-21T06:00:00Z');

function start(choice: ProviderChoice) {
  const clock = createManualClock(now);
  const health = createProviderHealth({ clock, log: pino({ level: 'silent' }) });
  const providerOf = (name: string): Provider => ({ name, fetch: () => Promise.reject(new Error('not used')) });
  const source = createWeatherSource({
    machineClock: clock,
    cache: createWeatherCache({ clock, store: memoryWeatherStore().store, maxCells: 10 }),
    lookups: createSharedLookups(noOthersClaims, clock),
    health,
    choice,
    live: ['open-meteo', 'met-norway'].map(providerOf),
    simulation: providerOf('simulation'),
    missing: {},
  });
  const fail = (name: string, reason: string, isOfNetwork: boolean) =>
    health.failed(name, new ProviderFailure(name, reason, { isOfNetwork }));
  return { clock, health, source, fail };
}

describe('the pause of providers', () => {
  it('lasts while all of them fail, from the last one’s first failure to the first one’s next request', () => {
    const { source, health, clock, fail } = start('auto');
    expect(source.pause()).toBeUndefined();
    fail('open-meteo', 'first', false);
    expect(source.pause()).toBeUndefined();
    clock.advance(1_000);
    fail('met-norway', 'second', true);
    expect(source.pause()).toEqual({ since: now + 1_000, reason: 'first', restMs: 3_000 });
    health.succeeded('open-meteo');
    expect(source.pause()).toBeUndefined();
  });

  it('is that of the chosen one', () => {
    const { source, fail } = start('met-norway');
    fail('open-meteo', 'first', false);
    expect(source.pause()).toBeUndefined();
    fail('met-norway', 'second', false);
    expect(source.pause()).toEqual({ since: now, reason: 'second', restMs: 10_000 });
    source.choose('simulation');
    expect(source.pause()).toBeUndefined();
  });
});
