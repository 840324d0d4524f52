// Which live provider is queried for a cell, and when: one after the other, several cells in one request, and none that rests. The
// cache is real; the providers are the test's.
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { LatLng } from '#contract/service-api/geo.ts';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import { createProviderHealth } from '#service/weather/fetch/provider-health.ts';
import type { Provider } from '#service/weather/providers/provider.ts';
import { type CellWeather, ProviderFailure } from '#service/weather/reading/reading.ts';
import { createLiveProviders } from '#service/weather/sources/live-providers.ts';
import { createWeatherCache } from '#service/weather/sources/weather-cache.ts';
import { createSharedLookups } from '#service/weather/stored/shared-lookups.ts';
import { createStoredWeather } from '#service/weather/stored/weather-store.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { newDatabase } from '#test/service/engines.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

const log = pino({ level: 'silent' });
const minute = 60_000;
const hour = 60 * minute;
const cells: readonly LatLng[] = [0, 1, 2, 3, 4].map((lng) => ({ lat: 45, lng }));
const [place = { lat: 0, lng: 0 }] = cells;

async function start() {
  const clock = createManualClock();
  const database = await openServiceDatabase({ ...(await newDatabase('sqlite', temporaryFolder())), clock, log });
  const { store, claims } = createStoredWeather({ database, clock, log, maxRows: 10_000 });
  onTestFinished(async () => {
    await store.close();
    await database.close();
  });
  const cache = createWeatherCache({ clock, store, maxCells: 100 });
  const health = createProviderHealth({ clock, log });
  const lookups = createSharedLookups(claims, clock);
  const live = createLiveProviders({ machineClock: clock, cache, lookups, health, headStartMs: 300 });
  const weatherOf = (source: string, cell: LatLng): CellWeather => ({
    source,
    grid: cell,
    fetchedAt: clock.now(),
    steps: [{ at: clock.now(), status: 'cloudy' }],
    rainfall: [],
  });
  return { clock, cache, health, live, weatherOf };
}

type Parts = Awaited<ReturnType<typeof start>>;

/** `answer` may throw, or never resolve. */
function providerOf(
  { weatherOf }: Parts,
  name: string,
  {
    answer = async () => {},
    batch,
  }: { answer?: () => Promise<void>; batch?: (cells: readonly LatLng[]) => number[] } = {},
) {
  const asked: number[] = [];
  const batches: number[][] = [];
  const provider: Provider = {
    name,
    async fetch(cell) {
      asked.push(cell.lng);
      await answer();
      return weatherOf(name, cell);
    },
    ...(batch && {
      batch: {
        size: 2,
        async fetch(wanted) {
          batches.push(wanted.map(({ lng }) => lng));
          const without = batch(wanted);
          return wanted.map((cell) => (without.includes(cell.lng) ? undefined : weatherOf(name, cell)));
        },
      },
    }),
  };
  return { provider, asked, batches };
}

const failure = (name: string) => new ProviderFailure(name, `${name} is down`, { isOfNetwork: true });
const failing = (name: string) => ({ answer: () => Promise.reject(failure(name)) });

describe('one cell', () => {
  it('is requested from the first provider, and not again while its data is fresh', async () => {
    const parts = await start();
    const [first, second] = [providerOf(parts, 'first'), providerOf(parts, 'second')];
    const providers = [first.provider, second.provider];
    const sources = [await parts.live.fetch(providers, place), await parts.live.fetch(providers, place)];
    expect(sources.map(({ source }) => source)).toEqual(['first', 'first']);
    parts.clock.advance(15 * minute);
    await parts.live.fetch(providers, place);
    expect([first.asked, second.asked]).toEqual([[0, 0], []]);
  });

  it('is requested from the next provider if the first fails, and the first then rests', async () => {
    const parts = await start();
    const [first, second] = [providerOf(parts, 'first', failing('first')), providerOf(parts, 'second')];
    const providers = [first.provider, second.provider];
    expect((await parts.live.fetch(providers, place)).source).toBe('second');
    expect(parts.health.restMs('first')).toBe(3_000);
    await parts.live.fetch(providers, { lat: 45, lng: 1 });
    expect([first.asked, second.asked]).toEqual([[0], [0, 1]]);
  });

  it('is requested from the next provider as well once the head start of a silent one is over', async () => {
    const parts = await start();
    const silent = providerOf(parts, 'silent', { answer: () => new Promise(() => {}) });
    const second = providerOf(parts, 'second');
    const answer = parts.live.fetch([silent.provider, second.provider], place);
    await expect.poll(() => silent.asked).toEqual([0]);
    parts.clock.advance(299);
    await new Promise((resolve) => void setImmediate(resolve));
    expect(second.asked).toEqual([]);
    parts.clock.advance(1);
    expect((await answer).source).toBe('second');
  });

  it('has the failure of the last provider if all fail, and another one if all rest', async () => {
    const parts = await start();
    const providers = ['first', 'second'].map((name) => providerOf(parts, name, failing(name)).provider);
    await expect(parts.live.fetch(providers, place)).rejects.toThrow('second is down');
    await expect(parts.live.fetch(providers, place)).rejects.toMatchObject({ provider: 'none' });
  });

  it('has the last data of the first provider with any, until it is six hours old', async () => {
    const parts = await start();
    const providers = ['first', 'second'].map((name) => providerOf(parts, name).provider);
    expect(await parts.live.recall(providers, place)).toBeUndefined();
    await parts.cache.store('second', place, parts.weatherOf('second', place));
    expect((await parts.live.recall(providers, place))?.source).toBe('second');
    parts.clock.advance(6 * hour - 1);
    expect((await parts.live.recall(providers, place))?.source).toBe('second');
    await parts.cache.store('first', place, parts.weatherOf('first', place));
    expect((await parts.live.recall(providers, place))?.source).toBe('first');
    parts.clock.advance(6 * hour);
    expect(await parts.live.recall(providers, place)).toBeUndefined();
  });
});

describe('many cells', () => {
  it('are requested in batches, without those that have fresh data', async () => {
    const parts = await start();
    const { provider, asked, batches } = providerOf(parts, 'first', { batch: () => [] });
    await parts.live.fetch([provider], { lat: 45, lng: 1 });
    await parts.live.prepare([provider], cells);
    expect(batches).toEqual([
      [0, 2],
      [3, 4],
    ]);
    const sources = await Promise.all(cells.map((cell) => parts.live.fetch([provider], cell)));
    expect(sources.map(({ grid }) => grid.lng)).toEqual([0, 1, 2, 3, 4]);
    expect(asked).toEqual([1]);
  });

  it('of which a batch has no data for one request that one alone', async () => {
    const parts = await start();
    const { provider, asked, batches } = providerOf(parts, 'first', { batch: () => [1] });
    await parts.live.prepare([provider], cells.slice(0, 2));
    await Promise.all(cells.slice(0, 2).map((cell) => parts.live.fetch([provider], cell)));
    expect([batches, asked]).toEqual([[[0, 1]], [1]]);
  });

  it('are left after a batch that failed, and the next provider is queried from then on', async () => {
    const parts = await start();
    const failed = providerOf(parts, 'first', {
      batch: () => {
        throw failure('first');
      },
    });
    const second = providerOf(parts, 'second', { batch: () => [] });
    const providers = [failed.provider, second.provider];
    await parts.live.prepare(providers, cells);
    expect([failed.batches, second.batches]).toEqual([[[0, 1]], []]);
    expect(parts.health.restMs('first')).toBe(3_000);
    await parts.live.prepare(providers, cells);
    expect([failed.batches, second.batches]).toEqual([[[0, 1]], [[0, 1], [2, 3], [4]]]);
  });

  it('that a batch has returned are a sign of life', async () => {
    const parts = await start();
    const { provider } = providerOf(parts, 'first', { batch: () => [] });
    parts.health.failed('first', failure('first'));
    parts.clock.advance(3_000);
    expect(parts.health.failing('first')).toBeDefined();
    await parts.live.prepare([provider], cells);
    expect(parts.health.failing('first')).toBeUndefined();
  });
});

describe('cached weather from the future, after the clock was set back', () => {
  it('is not fresh, and not used at all if it is six hours ahead', async () => {
    const { clock, cache, weatherOf } = await start();
    await cache.store('first', place, weatherOf('first', place));
    expect(await cache.find('first', place)).toMatchObject({ isFresh: true });
    clock.jump(-1);
    expect(await cache.find('first', place)).toMatchObject({ isFresh: false, weather: { source: 'first' } });
    clock.jump(2 - 6 * hour);
    expect(await cache.find('first', place)).toMatchObject({ isFresh: false, weather: { source: 'first' } });
    clock.jump(-1);
    expect(await cache.find('first', place)).toBeUndefined();
  });
});
