// Live providers on a database that other processes share: cells they request, data they have stored, and when cells are released.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { LatLng } from '#contract/service-api/geo.ts';
import { createProviderHealth } from '#service/weather/fetch/provider-health.ts';
import type { Provider } from '#service/weather/providers/provider.ts';
import type { CellWeather } from '#service/weather/reading/reading.ts';
import { createLiveProviders } from '#service/weather/sources/live-providers.ts';
import { createWeatherCache } from '#service/weather/sources/weather-cache.ts';
import { createSharedLookups } from '#service/weather/stored/shared-lookups.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { memoryWeatherStore } from '#test/service/weather/memory-weather-store.ts';

const now = Date.parse('2026-11-21T06:00:00Z');
const minute = 60_000;
const [one, two, three] = [1, 2, 3].map((lng): LatLng => ({ lat: 45, lng })) as [LatLng, LatLng, LatLng];
const keyOf = ({ lng }: LatLng) => `met 45.0,${lng}.0`;

function start() {
  const clock = createManualClock(now);
  const health = createProviderHealth({ clock, log: pino({ level: 'silent' }) });
  const { store, stored } = memoryWeatherStore({ beforeSave: nextTurn });
  const heldByOthers = new Set<string>();
  const released: string[] = [];
  const requests: string[] = [];
  let respond = async () => {};
  const weatherOf = (grid: LatLng): CellWeather => ({
    source: 'met',
    grid,
    fetchedAt: clock.now(),
    steps: [],
    rainfall: [],
  });
  const cache = createWeatherCache({ clock, maxCells: 10, store });
  const lookups = createSharedLookups(
    {
      claim: async (name, keys) => new Set(keys.filter((key) => !heldByOthers.has(`${name} ${key}`))),
      release: async (name, keys) =>
        void released.push(...keys.map((key) => `${name} ${key} ${stored.has(`${name} ${key}`) ? 'stored' : 'empty'}`)),
    },
    clock,
  );
  const provider: Provider = {
    name: 'met',
    async fetch(cell) {
      requests.push(`${cell.lng}`);
      await respond();
      return weatherOf(cell);
    },
    batch: {
      size: 10,
      async fetch(cells) {
        requests.push(cells.map(({ lng }) => lng).join());
        await respond();
        return cells.map((cell) => (cell === three ? undefined : weatherOf(cell)));
      },
    },
  };
  const live = createLiveProviders({ machineClock: clock, cache, lookups, health, headStartMs: 300 });
  return {
    clock,
    health,
    stored,
    heldByOthers,
    released,
    requests,
    provider,
    live,
    weatherOf,
    respondWith: (next: typeof respond) => (respond = next),
  };
}

describe('one cell', () => {
  it('is requested once for all who want it at the same time, and again later', async () => {
    const { live, provider, requests, clock } = start();
    await Promise.all([live.fetch([provider], one), live.fetch([provider], one)]);
    clock.advance(15 * minute);
    await live.fetch([provider], one);
    expect(requests).toEqual(['1', '1']);
  });

  it('is released after its data is stored, or after a failure', async () => {
    const { live, provider, released, respondWith, health } = start();
    await live.fetch([provider], one);
    await expect.poll(() => released).toEqual([`${keyOf(one)} stored`]);
    respondWith(() => Promise.reject(new Error('down')));
    await expect(live.fetch([provider], two)).rejects.toThrow('down');
    await expect.poll(() => released).toEqual([`${keyOf(one)} stored`, `${keyOf(two)} empty`]);
    expect(health.failing('met')).toBeDefined();
  });

  it('ends the failure of its provider', async () => {
    const { live, provider, health, clock } = start();
    health.failed('met', new Error('down'));
    clock.advance(10_000);
    await live.fetch([provider], one);
    expect(health.failing('met')).toBeUndefined();
  });

  it('that another process requests comes from the store, once that has fresh data', async () => {
    const { live, provider, requests, stored, heldByOthers, clock, weatherOf } = start();
    heldByOthers.add(keyOf(one));
    stored.set(keyOf(one), { ...weatherOf(one), fetchedAt: now - 20 * minute });
    const waiting = live.fetch([provider], one);
    const lookAgain = async () => {
      await nextTurn();
      clock.advance(50);
      await nextTurn();
    };
    await lookAgain();
    const ofAnother: CellWeather = { ...weatherOf(one), source: 'met of another process' };
    stored.set(keyOf(one), ofAnother);
    await lookAgain();
    expect([(await waiting).source, requests]).toEqual(['met of another process', []]);
  });

  it('that another process has not stored is requested once it is released', async () => {
    const { live, provider, requests, heldByOthers, clock } = start();
    heldByOthers.add(keyOf(one));
    const waiting = live.fetch([provider], one);
    await nextTurn();
    heldByOthers.clear();
    clock.advance(50);
    expect([(await waiting).source, requests]).toEqual(['met', ['1']]);
  });
});

describe('many cells', () => {
  it('are requested without those that another process requests or has stored', async () => {
    const { live, provider, requests, stored, heldByOthers, released, weatherOf } = start();
    heldByOthers.add(keyOf(one));
    stored.set(keyOf(two), weatherOf(two));
    const four = { lat: 45, lng: 4 };
    await live.prepare([provider], [one, two, three, four]);
    expect(requests).toEqual(['3,4']);
    await expect.poll(() => released).toEqual([`${keyOf(three)} empty`, `${keyOf(four)} stored`]);
    expect(await live.recall([provider], three)).toBeUndefined();
  });

  it('cause no request if other processes request all of them, or one of this process does', async () => {
    const { live, provider, requests, heldByOthers, respondWith } = start();
    heldByOthers.add(keyOf(one));
    await live.prepare([provider], [one]);
    expect(requests).toEqual([]);
    let finish = () => {};
    respondWith(() => new Promise((resolve) => (finish = resolve)));
    const alone = live.fetch([provider], two);
    await expect.poll(() => requests).toEqual(['2']);
    await live.prepare([provider], [two]);
    finish();
    await alone;
    expect(requests).toEqual(['2']);
  });

  it('are released after a failure', async () => {
    const { live, provider, released, respondWith } = start();
    respondWith(() => Promise.reject(new Error('down')));
    await live.prepare([provider], [one, two]);
    await expect.poll(() => released).toEqual([`${keyOf(one)} empty`, `${keyOf(two)} empty`]);
  });

  it('cause no request to a provider that accepts only one place', async () => {
    const { live, requests, provider } = start();
    const { batch: _, ...single } = provider;
    await live.prepare([single], [one]);
    expect(requests).toEqual([]);
  });
});
