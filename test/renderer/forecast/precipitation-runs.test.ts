// Precipitation of a forecast: its state, sums, spells, unknown hours, and names.
import { describe, expect, it } from 'vitest';
import type { ForecastPoint } from '#contract/app-rpc/forecast.ts';
import {
  countUnknownHours,
  fallenIn,
  fallenInSpan,
  mergeRuns,
  pointLabel,
  precipitationName,
  precipitationState,
  totalFallen,
  wetSpells,
} from '#renderer/features/forecast/common/runs.ts';
import { hour, pointsOf, start, sunny, timed } from './forecast-points.ts';

const forecasted = (all: readonly ForecastPoint[]) => {
  const found = timed(all).points;
  return { points: found, runs: mergeRuns(found) };
};

const wet = (rainfall?: number, snowfall?: number) => ({
  measured: { ...(rainfall === undefined ? {} : { rainfall }), ...(snowfall === undefined ? {} : { snowfall }) },
});

describe('precipitation', () => {
  it.each<[string | null, ReturnType<typeof wet> | { measured: null }, string]>([
    ['rainy', { measured: null }, 'wet'],
    // An amount beats the word.
    ['sunny', wet(5), 'wet'],
    ['cloudy', wet(0, 5), 'wet'],
    ['cloudy', wet(0.1), 'dry'],
    ['rainy', wet(0), 'wet'],
    ['stormy', wet(0.1), 'dry'],
    // 0.6 mm of snow are less than 0.1 mm of water.
    ['stormy', wet(0, 0.6), 'dry'],
    ['stormy', wet(0.05, 0.6), 'wet'],
    ['stormy', { measured: null }, 'unknown'],
    [null, wet(5), 'wet'],
    ['odd', wet(5), 'wet'],
    ['odd', wet(0), 'unknown'],
  ])('of %s with %j is %s', (status, amounts, state) => {
    expect(precipitationState({ ...sunny, status, ...amounts })).toBe(state);
  });

  it('is summed for the part of the hour, and water and snow are never added', () => {
    expect([wet(), wet(1), wet(undefined, 70), wet(1, 14)].map(fallenIn)).toEqual([
      { rain: null, snow: null },
      { rain: 1, snow: null },
      { rain: null, snow: 70 },
      { rain: 1, snow: 14 },
    ]);
    expect(fallenIn({ measured: null })).toEqual({ rain: null, snow: null });
    const span = (minutes: number) =>
      fallenInSpan({ point: { ...sunny, ...wet(3, 6) }, at: start, until: start + minutes * 60_000 });
    expect([span(20), span(60), span(180)]).toEqual([
      { rain: 1, snow: 2 },
      { rain: 3, snow: 6 },
      { rain: 3, snow: 6 },
    ]);
    expect(totalFallen([span(20), span(60), { rain: null, snow: null }])).toEqual({ rain: 4, snow: 8 });
    expect(totalFallen([{ rain: null, snow: 1 }])).toEqual({ rain: null, snow: 1 });
  });

  it('comes in spells of touching hours', () => {
    const forecast = forecasted(
      pointsOf(start, ['sunny', 'rainy', 'rainy', 'snowy', 'sunny', 'rainy'], (point, index) =>
        index === 1 || index === 2 ? { ...point, ...wet(index) } : point,
      ),
    );
    const runs = forecast.runs.map(({ status, from, until, first, last, precipitation }) =>
      [status, (from - start) / hour, (until - start) / hour, first, last, precipitation].join(' '),
    );
    expect(runs).toEqual([
      'sunny 0 1 0 0 dry',
      'rainy 1 3 1 2 wet',
      'snowy 3 4 3 3 wet',
      'sunny 4 5 4 4 dry',
      'rainy 5 6 5 5 wet',
    ]);
    const rest = { isAmountComplete: false, denials: [] };
    const [first, second] = [
      {
        names: ['rain', 'snow'],
        from: start + hour,
        until: start + 4 * hour,
        amount: { rain: 3, snow: null },
        ...rest,
      },
      { names: ['rain'], from: start + 5 * hour, until: start + 6 * hour, amount: { rain: null, snow: null }, ...rest },
    ];
    expect(wetSpells(forecast.points)).toEqual([first, second]);
  });

  it('is unknown in hours without data and in gaps', () => {
    const unknown = (hours: readonly number[], missing: readonly number[], now = start, until?: number) =>
      countUnknownHours(
        forecasted(
          pointsOf(
            start,
            hours.map((_, index) => (missing.includes(index) ? 'stormy' : 'sunny')),
            (point, index) => ({ ...point, at: new Date(start + (hours[index] ?? 0) * hour).toISOString() }),
          ),
        ).points,
        now,
        until,
      );
    expect(countUnknownHours([], 0)).toEqual({ hours: 0, total: 0, isNowUnknown: false });
    expect(unknown([0], [0])).toEqual({ hours: 1, total: 1, isNowUnknown: false });
    expect(unknown([0, 1, 2, 3], [1, 2])).toEqual({ hours: 2, total: 4, isNowUnknown: false });
    expect(unknown([0, 1, 2, 5], [])).toEqual({ hours: 2, total: 6, isNowUnknown: false });
    // The current weather applies to the rest of its hour.
    expect(unknown([0.5, 1, 2, 3], [0])).toEqual({ hours: 0, total: 3, isNowUnknown: true });
    expect(unknown([0.5, 1, 2, 3], [0], start + hour)).toEqual({ hours: 0, total: 3, isNowUnknown: false });
    expect(unknown([0, 1, 2, 3], [0, 2], start + hour, start + 2.5 * hour)).toMatchObject({ hours: 1 });
    expect(unknown([0, 1, 2, 3], [0], start + hour, start + 3 * hour)).toMatchObject({ hours: 0 });
  });

  it('has names', () => {
    const statuses = ['rainy', 'snowy', 'snow flurries', 'hailing', 'stormy', 'odd'];
    const named = (status: string | null, amounts = wet()) => precipitationName({ ...sunny, status, ...amounts });
    expect(statuses.map((status) => named(status))).toEqual([
      'rain',
      'snow',
      'snow flurries',
      'hail',
      'thunderstorms',
      'precipitation',
    ]);
    expect(named(null)).toBe('precipitation');
    // The word says nothing of what falls; the amounts do.
    expect([wet(2), wet(0, 20), wet(2, 20)].map((amounts) => named('cloudy', amounts))).toEqual([
      'rain',
      'snow',
      'rain and snow',
    ]);
    expect(pointLabel({ ...sunny, status: null })).toBe('no status');
    expect(pointLabel({ ...sunny, status: 'x'.repeat(99) })).toBe(`${'x'.repeat(60)}…`);
    for (let index = 0; index < 250; index += 1)
      expect(pointLabel({ ...sunny, status: `odd ${index}` })).toBe(`odd ${index}`);
  });
});
