// MET Norway as a provider (https://api.met.no/doc/TermsOfService): its symbols, the requests to it, how long its responses are used, and
// its forecast and radar field by field. What radar changes in a cell's weather: observations.test.ts.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { FetchedDocument } from '#service/weather/fetch/provider-http.ts';
import { metNorwayAddress, statusOfSymbol } from '#service/weather/providers/met-norway/met-document.ts';
import { createMetNorway, readLocationforecast } from '#service/weather/providers/met-norway/met-norway.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { atHour, hourMs, instant, measured, metDocument, now, symbol, time, units } from './met-documents.ts';
import { pino } from 'pino';
import { createProviderHealth } from '#service/weather/fetch/provider-health.ts';
import { createNowcast, readNowcast } from '#service/weather/providers/met-norway/nowcast.ts';
import { ProviderFailure } from '#service/weather/reading/reading.ts';

const symbolTable = z
  .object({ symbols: z.array(z.object({ symbol: z.string(), variants: z.array(z.string()), status: z.string() })) })
  .parse(
    JSON.parse(
      readFileSync(new URL('../../../../fixtures/tables/met-norway-symbol-codes.json', import.meta.url), 'utf8'),
    ),
  );

describe("MET Norway's symbols", () => {
  it('become the status of the table, whatever time of day their suffix says', () => {
    expect(symbolTable.symbols.length).toBeGreaterThan(40);
    for (const { symbol, variants, status } of symbolTable.symbols) {
      for (const name of [symbol, ...variants.map((variant) => `${symbol}_${variant}`)]) {
        expect([name, statusOfSymbol(name)]).toEqual([name, status]);
      }
    }
  });

  it('that have never been seen are unknown', () => {
    for (const name of ['', 'frogs', undefined]) expect(statusOfSymbol(name)).toBe('unknown');
  });
});

const minute = 60_000;
const cell = { lat: 59.9, lng: 10.7 };
const read = (...steps: unknown[]) => readLocationforecast(metDocument(steps), now);
const step = (data: object, hours = 0) => ({ time: atHour(hours), data: { ...instant(), ...data } });
const hour = (symbol_code: string, precipitation_amount?: unknown) => ({
  next_1_hours: symbol(symbol_code, { precipitation_amount }),
});

describe('a request to MET Norway', () => {
  it.each([
    ['http://met.test', '/weatherapi/nowcast/2.0/complete'],
    ['http://met.test//', '/weatherapi/nowcast/2.0/complete'],
    ['http://met.test/mirror/', '/mirror/weatherapi/nowcast/2.0/complete'],
    ['http://met.test/compact/mirror', '/compact/mirror/weatherapi/nowcast/2.0/complete'],
    ['http://met.test/mirror/compact', '/mirror/compact'],
    ['http://met.test/mirror/complete', '/mirror/complete'],
    ['http://met.test/mirror/classic', '/mirror/classic'],
  ])('to %s goes to the product’s path, or a mirror’s own', (baseUrl, path) => {
    expect(metNorwayAddress(baseUrl, 'nowcast/2.0/complete', cell).pathname).toBe(path);
  });

  it('has at most four decimals', () => {
    const { searchParams } = metNorwayAddress('http://met.test', 'x', { lat: 59.123456, lng: -10.5 });
    expect([...searchParams]).toEqual([
      ['lat', '59.1235'],
      ['lon', '-10.5'],
    ]);
  });
});

describe('an answer of MET Norway', () => {
  const fetchFrom = (document: FetchedDocument, random = 0) =>
    createMetNorway({
      baseUrl: 'http://met.test',
      userAgent: 'Rainbell tester@example.org',
      clock: createManualClock(now),
      random: () => random,
      fetchDocument: async () => document,
    }).fetch(cell);

  it.each([
    ['half an hour if it does not say', undefined, 0, 30 * minute],
    ['as long as it says', hourMs, 0, hourMs],
    ['at least five minutes', minute, 0, 5 * minute],
    ['at most two hours', 3 * hourMs, 0, 2 * hourMs],
    ['up to three minutes longer', hourMs, 0.5, hourMs + 90_000],
    ['to the millisecond', hourMs, 1 / 180_000.1, hourMs + 1],
  ])('holds %s', async (_name, lifetimeMs, random, expected) => {
    const body = metDocument([step(hour('fog'))]);
    const document = { isNew: true, body, lastModified: 'then', lifetimeMs } as const;
    expect(await fetchFrom(document, random)).toMatchObject({
      source: 'met-norway',
      fetchedAt: now,
      freshUntil: now + expected,
      steps: [{ status: 'foggy' }],
      lastModified: 'then',
    });
  });

  it('without news to an unconditional request is a failure', async () => {
    await expect(fetchFrom({ isNew: false, lifetimeMs: undefined })).rejects.toMatchObject({
      name: 'ProviderFailure',
      provider: 'met-norway',
      message: expect.stringContaining('304'),
    });
  });
});

describe('a step of the forecast', () => {
  it('has the measured values, and the status and amount of its hour', () => {
    const weather = read(step(hour('rain', 1.2)));
    expect(weather).toEqual({
      source: 'met-norway',
      grid: { lat: 59.9, lng: 10.7 },
      fetchedAt: now,
      steps: [{ at: now, status: 'rainy', measured: { ...measured, rainfall: 1.2 } }],
      rainfall: [{ from: now, until: now + hourMs, mmPerHour: 1.2, kind: 'rain' }],
    });
  });

  it('has the status of 6 or 12 hours if there is none of the hour, or an odd one, without their amount', () => {
    const six = { next_6_hours: symbol('cloudy', { precipitation_amount: 3 }) };
    const twelve = { next_12_hours: symbol('fog', { precipitation_amount: 3 }) };
    const { steps, rainfall } = read(
      step({ ...hour('fair_day', 0), ...six, ...twelve }),
      step({ ...six, ...twelve }, 1),
      step({ next_1_hours: 'odd', next_6_hours: { summary: {} }, ...twelve }, 2),
      step({}, 3),
    );
    expect(steps.map(({ status }) => status)).toEqual(['sunny', 'cloudy', 'foggy']);
    expect(steps.map((each) => each.measured?.['rainfall'])).toEqual([0, undefined, undefined]);
    expect(rainfall).toHaveLength(1);
  });

  it.each(['snow', 'lightsnow'])('has no rain if there is %s, but the watch has the amount', (name) => {
    const { steps, rainfall } = read(step(hour(name, 2)));
    expect(steps[0]?.measured).toEqual(measured);
    expect(rainfall.map(({ mmPerHour }) => mmPerHour)).toEqual([2]);
  });

  it('is windy from 14 m/s under a dry sky', () => {
    expect(read({ time, data: { ...instant({ wind_speed: 14 }), ...hour('cloudy') } }).steps[0]?.status).toBe('windy');
  });

  it.each([['much'], [null], [undefined]])('has no amount if that is %s', (amount) => {
    expect(read(step(hour('rain', amount)))).toMatchObject({ steps: [{ status: 'rainy', measured }], rainfall: [] });
  });

  it('has no values without units', () => {
    const body = metDocument([step(hour('rain', 1))], { units: {} });
    expect(readLocationforecast(body, now)).toMatchObject({ steps: [{ at: now, status: 'rainy' }], rainfall: [] });
    expect(readLocationforecast(body, now).steps[0]).not.toHaveProperty('measured');
  });
});

describe('the forecast', () => {
  it('has the amounts of the first nine hours', () => {
    const { rainfall, steps } = read(...Array.from({ length: 12 }, (_, index) => step(hour('rain', index), index)));
    expect(rainfall.map(({ mmPerHour }) => mmPerHour)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(steps).toHaveLength(12);
  });

  it('has its valid steps in ascending order, and no minus zero in its place', () => {
    const odd = [{ time: 'noon', data: {} }, null, { time: 7 }, { time: atHour(1), data: null }];
    const body = metDocument([step(hour('fog'), 2), ...odd, step(hour('fog'))], {}, [-0, -0]);
    const { steps, grid } = readLocationforecast(body, now);
    expect(steps.map(({ at }) => (at - now) / hourMs)).toEqual([0, 2]);
    expect(grid).toStrictEqual({ lat: 0, lng: 0 });
  });

  it.each([
    ['no step', []],
    ['no symbol', [step({})]],
    ['only unknown symbols', [step(hour('frogs'))]],
  ])('with %s is rejected', (_name, steps) => {
    expect(() => read(...steps)).toThrow(
      expect.objectContaining({ provider: 'met-norway', message: 'its response has no time step with weather' }),
    );
  });

  it('of another form is refused with the field', () => {
    expect(() => readLocationforecast(metDocument([], {}, [180.1, 0]), now)).toThrow('(at "geometry.coordinates.0")');
  });

  it('with one known symbol is accepted', () => {
    expect(read(step(hour('frogs')), step(hour('fog'), 1)).steps).toHaveLength(2);
  });

  it('of last week is rejected', () => {
    const body = metDocument([step(hour('fog'))], { units });
    expect(() => readLocationforecast(body, now + 168 * hourMs)).toThrow('no weather for today');
  });
});

const radarStep = (index: number, rate: unknown) => ({
  time: new Date(now + index * 5 * minute).toISOString(),
  data: { instant: { details: { precipitation_rate: rate } } },
});
const rain = (index: number, mmPerHour: number, kind: 'snow' | 'unknown' = 'snow') => ({
  from: now + index * 5 * minute,
  until: now + (index + 1) * 5 * minute,
  mmPerHour,
  kind,
});
const first = { time, data: { ...instant({ precipitation_rate: 0.5 }), next_1_hours: symbol('lightsnow') } };
const covered = { radar_coverage: 'ok', updated_at: time };

describe('a nowcast', () => {
  it('has a rate for each five minutes, and the current weather', () => {
    expect(readNowcast(metDocument([first, radarStep(1, 2)], covered))).toEqual({
      source: 'met-norway-nowcast',
      rainfall: [rain(0, 0.5), rain(1, 2)],
      updatedAt: now,
      current: { at: now, status: 'snow flurries', measured },
    });
  });

  it('has no rates outside the radar, in another unit, or that are not numbers', () => {
    const ratesOf = (meta: object, ...steps: object[]) => readNowcast(metDocument(steps, meta))?.rainfall;
    expect(ratesOf({ radar_coverage: 'no coverage' }, radarStep(0, 1))).toEqual([]);
    expect(ratesOf({ radar_coverage: 'ok', units: { precipitation_rate: 'cm/h' } }, radarStep(0, 1))).toEqual([]);
    expect(ratesOf(covered, radarStep(0, 'odd'), { time, data: {} }, radarStep(1, 0))).toEqual([rain(1, 0, 'unknown')]);
  });

  it('has no current weather without a symbol or a temperature at its first step', () => {
    const currentOf = (...steps: object[]) => readNowcast(metDocument(steps, covered))?.current;
    expect(currentOf({ time, data: instant() }, first)).toBeUndefined();
    expect(currentOf({ ...first, data: { ...first.data, ...instant({ air_temperature: null }) } })).toBeUndefined();
    expect(currentOf()).toBeUndefined();
  });

  it('without a coverage is a forecast', () => {
    expect(readNowcast(metDocument([first]))).toBeUndefined();
    expect(() => readNowcast({})).toThrow(expect.objectContaining({ provider: 'met-norway-nowcast' }));
  });
});

describe('requests for a nowcast', () => {
  function start(respond: () => Promise<FetchedDocument>) {
    const clock = createManualClock(now);
    const requests: unknown[] = [];
    const health = createProviderHealth({ clock, log: pino({ level: 'silent' }) });
    const nowcast = createNowcast({
      baseUrl: 'http://met.test',
      userAgent: 'tester',
      side: { clock, machineClock: clock, health },
      fetchDocument(name, address, wanted) {
        requests.push([name, address.href, wanted]);
        return respond();
      },
    });
    return { clock, nowcast, requests, health };
  }
  const answer = (lifetimeMs?: number): FetchedDocument => ({
    isNew: true,
    body: metDocument([first], covered),
    lastModified: undefined,
    lifetimeMs,
  });

  it('name the user agent, and are repeated after five minutes, or when the answer expires', async () => {
    for (const [lifetimeMs, minutes] of [
      [undefined, 5],
      [minute, 5],
      [7 * minute, 7],
    ] as const) {
      const { clock, nowcast, requests } = start(async () => answer(lifetimeMs));
      expect((await nowcast.near(cell))?.rainfall).toEqual([rain(0, 0.5)]);
      clock.advance(minutes * minute - 1);
      await nowcast.near(cell);
      expect(requests).toEqual([
        [
          'met-norway-nowcast',
          'http://met.test/weatherapi/nowcast/2.0/complete?lat=59.9&lon=10.7',
          { userAgent: 'tester' },
        ],
      ]);
      clock.advance(1);
      await nowcast.near(cell);
      expect(requests).toHaveLength(2);
    }
  });

  it.each([
    ['six hours', 404, 6 * hourMs, 0],
    ['six hours', 422, 6 * hourMs, 0],
    ['a rest', 500, 10_000, 10_000],
  ])('are repeated after %s if the answer is %i', async (_name, status, afterMs, restMs) => {
    const failure = new ProviderFailure('met-norway-nowcast', `it returned ${status}`, { status });
    const { clock, nowcast, requests, health } = start(() => Promise.reject(failure));
    expect(await nowcast.near(cell)).toBeUndefined();
    expect(health.restMs('met-norway-nowcast')).toBe(restMs);
    clock.advance(afterMs - 1);
    await nowcast.near(cell);
    expect(requests).toHaveLength(1);
    clock.advance(1);
    await nowcast.near(cell);
    expect(requests).toHaveLength(2);
  });
});
