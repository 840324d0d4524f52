// MET Norway's radar: when it is requested, and what is read from it. What it changes in a cell's weather: observations.test.ts.
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { FetchedDocument } from '#service/weather/fetch/provider-http.ts';
import { createProviderHealth } from '#service/weather/fetch/provider-health.ts';
import { createNowcast, readNowcast } from '#service/weather/providers/met-norway/nowcast.ts';
import { ProviderFailure } from '#service/weather/reading/reading.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { hourMs, instant, measured, metDocument, now, symbol, time } from './met-documents.ts';

const minute = 60_000;
const cell = { lat: 59.9, lng: 10.7 };
const step = (index: number, rate: unknown) => ({
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
    expect(readNowcast(metDocument([first, step(1, 2)], covered))).toEqual({
      source: 'met-norway-nowcast',
      rainfall: [rain(0, 0.5), rain(1, 2)],
      updatedAt: now,
      current: { at: now, status: 'snow flurries', measured },
    });
  });

  it('has no rates outside the radar, in another unit, or that are not numbers', () => {
    const ratesOf = (meta: object, ...steps: object[]) => readNowcast(metDocument(steps, meta))?.rainfall;
    expect(ratesOf({ radar_coverage: 'no coverage' }, step(0, 1))).toEqual([]);
    expect(ratesOf({ radar_coverage: 'ok', units: { precipitation_rate: 'cm/h' } }, step(0, 1))).toEqual([]);
    expect(ratesOf(covered, step(0, 'odd'), { time, data: {} }, step(1, 0))).toEqual([rain(1, 0, 'unknown')]);
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
    validators: {},
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

  it('are repeated after six hours if the answer is 404 or 422', async () => {
    for (const status of [404, 422]) {
      const failure = new ProviderFailure('met-norway-nowcast', `it returned ${status}`, { status });
      const { clock, nowcast, requests, health } = start(() => Promise.reject(failure));
      expect(await nowcast.near(cell)).toBeUndefined();
      expect(health.restMs('met-norway-nowcast')).toBe(0);
      for (const [ms, count] of [
        [6 * hourMs - 1, 1],
        [1, 2],
      ] as const) {
        clock.advance(ms);
        await nowcast.near(cell);
        expect(requests).toHaveLength(count);
      }
    }
  });
});
