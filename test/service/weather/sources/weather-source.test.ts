// Which provider's weather a cell gets, how long a client waits for it, and what the sandbox and the sweep see of that.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { LatLng } from '#contract/service-api/geo.ts';
import type { ProviderChoice } from '#contract/service-api/sandbox.ts';
import { createProviderHealth } from '#service/weather/fetch/provider-health.ts';
import type { Provider } from '#service/weather/providers/provider.ts';
import { type CellWeather, ProviderFailure } from '#service/weather/reading/reading.ts';
import { createWeatherCache } from '#service/weather/sources/weather-cache.ts';
import { createWeatherSource } from '#service/weather/sources/weather-source.ts';
import { createSharedLookups } from '#service/weather/stored/shared-lookups.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

const now = Date.parse('2026-11-21T06:00:00Z');
const minute = 60_000;
const cell = { lat: 45.1, lng: 7.7 };
const names = ['open-meteo', 'met-norway'] as const;
const hang = () => new Promise<never>(() => {});
const failWith = (options: ConstructorParameters<typeof ProviderFailure>[2]) => () =>
  Promise.reject(new ProviderFailure('any', 'it returned 503', options));

function start(choice: ProviderChoice, liveNames: readonly (typeof names)[number][] = names) {
  const clock = createManualClock(now);
  const health = createProviderHealth({ clock, log: pino({ level: 'silent' }) });
  const store = { load: async () => undefined, loadMany: async () => new Map(), save: async () => {} };
  const cache = createWeatherCache({ clock, store, maxCells: 10 });
  const claims = { claim: async (_name: string, keys: readonly string[]) => new Set(keys), release: async () => {} };
  const requests: string[] = [];
  const answers = new Map<string, () => Promise<void>>();
  const weatherOf = (source: string, grid: LatLng): CellWeather => ({
    source,
    grid,
    fetchedAt: clock.now(),
    steps: [],
    rainfall: [],
  });
  const providerOf = (name: string): Provider => ({
    name,
    async fetch(place) {
      requests.push(name);
      await answers.get(name)?.();
      return weatherOf(name, place);
    },
    batch: {
      size: 10,
      async fetch(cells) {
        requests.push(`${name} batch`);
        return cells.map((place) => weatherOf(name, place));
      },
    },
  });
  const source = createWeatherSource({
    machineClock: clock,
    cache,
    lookups: createSharedLookups(claims, clock),
    health,
    choice,
    live: liveNames.map(providerOf),
    simulation: providerOf('simulation'),
    missing: { 'met-norway': 'Set a contact.' },
  });
  const sourceOf = async () => (await source.weatherOf(cell)).source;
  /** Returns the source after a wait, or the wait if it is not over yet. */
  const sourceAfter = async (ms: number) => {
    const found = sourceOf();
    await nextTurn();
    clock.advance(ms);
    return Promise.race([found, nextTurn(ms)]);
  };
  return { clock, health, source, requests, answers, sourceOf, sourceAfter };
}

describe('the choice "auto"', () => {
  it('uses the first provider, and counts fresh data as a hit', async () => {
    const { source, sourceOf, requests } = start('auto');
    expect(source.describe()).toEqual({
      provider: { choice: 'auto', lastAnswered: null, lastErrors: [] },
      cache: { hits: 0, misses: 0, cells: 0 },
    });
    expect([await sourceOf(), await sourceOf(), await sourceOf()]).toEqual(Array(3).fill('open-meteo'));
    expect(source.describe()).toEqual({
      provider: { choice: 'auto', lastAnswered: 'open-meteo', lastErrors: [] },
      cache: { hits: 2, misses: 1, cells: 1 },
    });
    expect(requests).toEqual(['open-meteo']);
  });

  it('uses the simulation if no provider responds in 750 ms, or if all fail', async () => {
    const slow = start('auto');
    for (const name of names) slow.answers.set(name, hang);
    expect(await slow.sourceAfter(749)).toBe(749);
    slow.clock.advance(1);
    expect(await slow.sourceAfter(750)).toBe('simulation');
    const failing = start('auto');
    for (const name of names) failing.answers.set(name, failWith({}));
    expect(await failing.sourceOf()).toBe('simulation');
    expect(failing.requests).toEqual(['open-meteo', 'met-norway', 'simulation']);
  });

  it('uses older data if no provider responds in 250 ms, or if all fail', async () => {
    const { clock, sourceOf, sourceAfter, answers } = start('auto', ['open-meteo']);
    await sourceOf();
    clock.advance(15 * minute);
    answers.set('open-meteo', hang);
    expect(await sourceAfter(249)).toBe(249);
    expect(await sourceAfter(250)).toBe('open-meteo');
    const failing = start('auto', ['open-meteo']);
    await failing.sourceOf();
    failing.clock.advance(15 * minute);
    failing.answers.set('open-meteo', failWith({}));
    expect([await failing.sourceOf(), failing.requests.length]).toEqual(['open-meteo', 2]);
  });

  it('requests many cells from the first provider together', async () => {
    const { source, requests } = start('auto');
    await source.prepare([cell]);
    expect(requests).toEqual(['open-meteo batch']);
  });
});

describe('a chosen provider', () => {
  it('is the only one used', async () => {
    const { source, sourceOf, requests, answers } = start('met-norway');
    expect(await sourceOf()).toBe('met-norway');
    await source.prepare([{ lat: 1, lng: 1 }]);
    answers.set('met-norway', failWith({}));
    await expect(source.weatherOf({ lat: 2, lng: 2 })).rejects.toMatchObject({ code: 'temporarily_unavailable' });
    expect(requests).toEqual(['met-norway', 'met-norway batch', 'met-norway']);
  });

  it('is unavailable with the reason after a failure, and with the wait that it asked for', async () => {
    for (const [options, retryAfter] of [
      [{}, '60'],
      [{ retryAfterSeconds: 61.2 }, '62'],
    ] as const) {
      const { answers, sourceOf } = start('open-meteo');
      answers.set('open-meteo', failWith(options));
      await expect(sourceOf()).rejects.toMatchObject({
        name: 'ServiceError',
        code: 'temporarily_unavailable',
        headers: { 'retry-after': retryAfter },
        message: expect.stringMatching(/open-meteo .*it returned 503/),
      });
    }
  });

  it('is waited for four seconds, whatever failed before', async () => {
    const { clock, answers, source, sourceOf } = start('open-meteo');
    answers.set('open-meteo', failWith({}));
    await expect(sourceOf()).rejects.toThrow('it returned 503');
    clock.advance(10_000);
    answers.set('open-meteo', hang);
    let error: unknown;
    source.weatherOf(cell).catch((found: unknown) => (error = found));
    await nextTurn();
    clock.advance(3_999);
    await nextTurn();
    expect(error).toBeUndefined();
    clock.advance(1);
    await expect
      .poll(() => error)
      .toMatchObject({
        message: expect.stringContaining('timed out'),
        headers: { 'retry-after': '60' },
      });
  });

  it('serves its own older data if it does not respond', async () => {
    const { clock, answers, sourceOf, sourceAfter } = start('met-norway');
    await sourceOf();
    clock.advance(15 * minute);
    answers.set('met-norway', hang);
    expect(await sourceAfter(250)).toBe('met-norway');
  });

  it.each([
    ['met-norway', / Set a contact\.$/],
    ['open-meteo', /open-meteo [^.]*\.$/],
  ] as const)('that is not set up says what is missing: %s', async (name, message) => {
    const { sourceOf, requests } = start(name, []);
    await expect(sourceOf()).rejects.toMatchObject({
      code: 'temporarily_unavailable',
      message: expect.stringMatching(message),
    });
    expect(requests).toEqual([]);
  });
});

describe('the choice "simulation"', () => {
  it('asks no provider, and counts neither hits nor misses', async () => {
    const { source, sourceOf, requests } = start('auto');
    source.choose('simulation');
    expect(source.choice()).toBe('simulation');
    expect(await sourceOf()).toBe('simulation');
    await source.prepare([cell]);
    expect(requests).toEqual(['simulation']);
    expect(source.describe()).toMatchObject({
      provider: { choice: 'simulation', lastAnswered: 'simulation' },
      cache: { hits: 0, misses: 0 },
    });
  });
});

describe('the pause of providers', () => {
  const error = (message: string, isOfNetwork: boolean) => new ProviderFailure('any', message, { isOfNetwork });

  it('lasts while all of them fail, from the last one’s first failure to the first one’s next request', () => {
    const { source, health, clock } = start('auto');
    expect(source.pause()).toBeUndefined();
    health.failed('open-meteo', error('first', false));
    expect(source.pause()).toBeUndefined();
    clock.advance(1_000);
    health.failed('met-norway', error('second', true));
    expect(source.pause()).toEqual({ since: now + 1_000, reason: 'first', restMs: 3_000 });
    health.succeeded('open-meteo');
    expect(source.pause()).toBeUndefined();
  });

  it('is that of the chosen one', () => {
    const { source, health } = start('met-norway');
    health.failed('open-meteo', error('first', false));
    expect(source.pause()).toBeUndefined();
    health.failed('met-norway', error('second', false));
    expect(source.pause()).toEqual({ since: now, reason: 'second', restMs: 10_000 });
    source.choose('simulation');
    expect(source.pause()).toBeUndefined();
  });
});
