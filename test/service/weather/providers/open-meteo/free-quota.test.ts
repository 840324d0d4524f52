// The free host's quota over a simulated day: however many places are watched, the requests stay within it, each place is checked as
// often as the service says, and those with rain first. The sweep and its looks are the test's; the rest is real.
import { pino } from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { LatLng } from '#contract/service-api/geo.ts';
import { createProviderHealth } from '#service/weather/fetch/provider-health.ts';
import { createOpenMeteo } from '#service/weather/providers/open-meteo/open-meteo.ts';
import { cellOf } from '#service/weather/reading/cells.ts';
import { createLiveProviders } from '#service/weather/sources/live-providers.ts';
import { createWeatherCache } from '#service/weather/sources/weather-cache.ts';
import { createSharedLookups } from '#service/weather/stored/shared-lookups.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { memoryWeatherStore } from '#test/service/weather/memory-weather-store.ts';

const minute = 60_000;
const hour = 60 * minute;
const start = Date.parse('2026-11-21T06:00:00Z');
/** The host counts a place as 1.8 calls of 10,000 a day and 5,000 an hour (https://open-meteo.com/en/pricing). */
const perDay = 10_000 / 1.8;
const perHour = 5_000 / 1.8;

function open({ places, hasAlternative = false }: { places: number; hasAlternative?: boolean }) {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: start });
  onTestFinished(() => void vi.useRealTimers());
  const clock = createManualClock(start);
  const asked: { cell: string; at: number }[] = [];
  const isWet = (cell: string) => Number(cell.split(',')[1]) % 1 === 0;
  const openMeteo = createOpenMeteo({
    baseUrl: 'https://api.open-meteo.com',
    apiKey: undefined,
    clock,
    machineClock: clock,
    batchSize: 100,
    countPlaces: async () => places,
    hasAlternative: () => hasAlternative,
    async fetchJson(_provider, address) {
      const [latitudes = [], longitudes = []] = ['latitude', 'longitude'].map((name) =>
        address.searchParams.get(name)?.split(',').map(Number),
      );
      const bodies = latitudes.map((latitude, index) => {
        const longitude = longitudes[index] ?? 0;
        const cell = cellOf({ lat: latitude, lng: longitude });
        asked.push({ cell, at: clock.now() });
        const time = clock.now() / 1_000;
        const quarters = { time: [time + 7_200], precipitation: [isWet(cell) ? 1 : 0] };
        const units = { minutely_15_units: { precipitation: 'mm' } };
        return { latitude, longitude, current: { time, weather_code: 3 }, ...units, minutely_15: quarters };
      });
      return bodies.length === 1 ? bodies[0] : bodies;
    },
  });
  const log = pino({ level: 'silent' });
  const health = createProviderHealth({ clock, log });
  const cache = createWeatherCache({ clock, store: memoryWeatherStore().store, maxCells: 10_000 });
  const lookups = createSharedLookups(undefined, clock, clock);
  const live = createLiveProviders({ machineClock: clock, cache, lookups, health });
  const pass = (ms: number) => {
    clock.advance(ms);
    vi.advanceTimersByTime(ms);
  };
  return { clock, openMeteo, live, asked, pass, isWet };
}

/** It rains at one in ten: at whole longitudes. */
const cellsOf = (count: number): LatLng[] =>
  Array.from({ length: count }, (_, index) => ({ lat: Math.floor(index / 1_000), lng: (index % 1_000) / 10 }));

/** Looks at every cell at each step of a day, as the watch does. */
async function watchForADay(places: number, stepMs: number, clients = 0) {
  const parts = open({ places });
  const { live, openMeteo, clock, pass, isWet } = parts;
  const cells = cellsOf(places);
  const rainy = new Set(cells.map(cellOf).filter(isWet));
  for (let passed = 0; passed < 24 * hour; passed += stepMs) {
    for (let first = 0; first < places; first += 1_000) {
      const some = cells.slice(first, first + 1_000);
      await live.prepare([openMeteo], some, rainy);
    }
    for (let index = 0; index < clients; index += 1) {
      await live.fetch([openMeteo], { lat: -60, lng: (passed / stepMs + index / 10) % 180 }).catch(() => undefined);
    }
    pass(stepMs);
  }
  const times = Map.groupBy(parts.asked, ({ cell }) => cell);
  /** The longest time without new data, from the start on. */
  const silence = (cell: string) => {
    const all = [start, ...(times.get(cell) ?? []).map(({ at }) => at), clock.now()];
    return Math.max(...all.slice(1).map((at, index) => at - (all[index] ?? at)));
  };
  const longest = Math.max(...cells.map((cell) => silence(cellOf(cell))));
  const requestsOf = (wet: boolean) => {
    const of = cells.map(cellOf).filter((cell) => isWet(cell) === wet);
    return of.reduce((sum, cell) => sum + (times.get(cell)?.length ?? 0), 0) / of.length;
  };
  const byHour = Map.groupBy(parts.asked, ({ at }) => Math.floor((at - start) / hour));
  const busiest = Math.max(...[...byHour.values()].map((all) => all.length));
  return { ...parts, longest, busiest, wet: requestsOf(true), dry: requestsOf(false) };
}

describe('watched places over a day', () => {
  it.each([
    [45, '15 minutes', 15, 1],
    [60, '20 minutes', 20, 1],
    [200, '3 hours', 180, 1],
    [5_000, '51 hours', 51 * 60, 15],
  ])('%i stay within the quota, and none is silent longer than %s, as said', async (places, said, minutes, step) => {
    const { openMeteo, asked, busiest, longest, wet, dry } = await watchForADay(places, step * minute);
    expect(await openMeteo.quota?.describe()).toContain(`places: checked every ${said}`);
    expect(longest).toBeLessThanOrEqual((minutes + step) * minute);
    expect(asked.length).toBeLessThanOrEqual(perDay - 480);
    expect(busiest).toBeLessThanOrEqual(perHour);
    // Rain is checked more often if the quota leaves a choice.
    expect(wet).toBeGreaterThanOrEqual(dry * (places > 50 && places <= 500 ? 1.15 : 1));
  });

  it('leave clients a share, and are not disturbed by them', async () => {
    const { asked, longest } = await watchForADay(60, minute, 20);
    expect(asked.length).toBeLessThanOrEqual(perDay);
    const clients = asked.filter(({ cell }) => cell.startsWith('-60'));
    expect(clients.length).toBeGreaterThanOrEqual(480);
    expect(longest).toBeLessThanOrEqual(21 * minute);
  });
});

it('the service says how places can be checked more often, unless that is often enough, or MET Norway has the rest', async () => {
  const described = async (places: number, hasAlternative = false) =>
    open({ places, hasAlternative }).openMeteo.quota?.describe();
  expect(await described(1)).toBe('1 place: checked every 15 minutes');
  expect(await described(60)).toContain('RAINBELL_OPEN_METEO_API_KEY');
  expect(await described(5_000, true)).toBe('5,000 places: checked every 15 minutes');
});

it('a client never gets data older than an hour as if it were new', async () => {
  const { live, openMeteo, asked, pass } = open({ places: 5_000 });
  const place = { lat: 1, lng: 1 };
  await live.prepare([openMeteo], [place]);
  pass(hour - 1);
  await live.fetch([openMeteo], place);
  expect(asked).toHaveLength(1);
  pass(1);
  await live.fetch([openMeteo], place, true);
  expect(asked).toHaveLength(1);
  await live.fetch([openMeteo], place);
  expect(asked).toHaveLength(2);
});
