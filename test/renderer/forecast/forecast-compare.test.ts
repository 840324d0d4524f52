// What differs between two to four forecasts. How the screen shows it: compare-view.test.tsx.
import { describe, expect, it } from 'vitest';
import { compareForecasts } from '#renderer/features/forecast/compare/compare-forecasts.ts';
import type { ForecastPoint } from '#contract/app-rpc/forecast.ts';
import { createUnitFormat, unitPresets } from '#renderer/ui/text/units.ts';
import { forecastOf, hour, pointsOf, start } from './forecast-points.ts';

const units = createUnitFormat(unitPresets.Metric, 'en-GB');
const compare = (...forecasts: readonly (readonly ForecastPoint[])[]) =>
  compareForecasts(forecasts.map(forecastOf), units);

describe('two forecasts', () => {
  const measured = (values: readonly ForecastPoint['measured'][]) => (point: ForecastPoint, index: number) => ({
    ...point,
    measured: values[index] ?? null,
  });

  it('are compared hour by hour, and neighboring differences are one row', () => {
    const before = pointsOf(start, ['sunny', 'cloudy', 'cloudy', 'rainy', 'foggy']);
    const compared = compare(before, pointsOf(start + hour, ['rainy', 'rainy', 'rainy', 'windy', 'sunny']));
    expect(compared).toMatchObject({
      sides: [{ shared: 4, differing: 3, onlyFirst: 1, onlyOther: 1, now: [] }],
      now: [],
    });
    expect(compared.differences).toEqual([
      { field: 'status', from: start + hour, until: start + 2 * hour, first: 'cloudy', others: ['rainy'] },
      { field: 'status', from: start + 4 * hour, until: start + 4 * hour, first: 'foggy', others: ['windy'] },
    ]);
  });

  it('differ in each field whose shown value differs, and in no other', () => {
    const statuses = ['cloudy', 'cloudy', 'cloudy'];
    const before = [
      { temperature: 281.06, rainfall: 0.42, wind_direction: 90 },
      { temperature: 281.06, rainfall: 0.4 },
      { temperature: 280, rainfall: 0 },
    ];
    const after = [
      { temperature: 281.09, rainfall: 0.38, wind_direction: 92 },
      { temperature: 283.06, rainfall: 0.4 },
      { temperature: 280.9 },
    ];
    const compared = compare(pointsOf(start, statuses, measured(before)), pointsOf(start, statuses, measured(after)));
    expect(
      compared.differences.map(({ field, from, first, others }) => [field, (from - start) / hour, first, ...others]),
    ).toEqual([
      ['temperature', 1, '7.9 °C', '9.9 °C'],
      ['temperature', 2, '6.9 °C', '7.8 °C'],
      ['rain', 2, '0.0 mm', 'not sent'],
    ]);
    expect(compared.sides[0]?.fields).toEqual([
      { field: 'temperature', differing: 2 },
      { field: 'rain', differing: 1 },
    ]);
    expect(compared.sides[0]?.differing).toBe(2);
  });

  it('never differ from themselves', () => {
    const one = pointsOf(start, ['rainy', 'unknown', 'odd'], measured([{ temperature: 280 }]));
    expect(compare(one, one, one)).toMatchObject({
      sides: [
        { differing: 0, fields: [] },
        { differing: 0, fields: [] },
      ],
      differences: [],
      now: [],
    });
  });

  it('compare the current weather apart from the hours', () => {
    const fetchAt = (minutes: number, status: string) => [
      ...pointsOf(start + minutes * 60_000, [status]),
      ...pointsOf(start + hour, ['cloudy', 'cloudy']),
    ];
    const compared = compare(fetchAt(12, 'rainy'), fetchAt(47, 'cloudy'), fetchAt(50, 'rainy'));
    const same = { shared: 2, differing: 0, onlyFirst: 0, onlyOther: 0 };
    expect(compared).toMatchObject({
      sides: [
        { ...same, now: ['status'] },
        { ...same, now: [] },
      ],
      differences: [],
    });
    expect(compared.now).toMatchObject([{ field: 'status', first: 'rainy', others: ['cloudy', 'rainy'] }]);
  });

  it('without a common hour share nothing', () => {
    const compared = compare(pointsOf(start, ['sunny']), pointsOf(start + 80 * hour, ['rainy', 'rainy']));
    expect(compared).toMatchObject({
      sides: [{ shared: 0, onlyFirst: 1, onlyOther: 2, fields: [] }],
      differences: [],
    });
  });
});

describe('three or four forecasts', () => {
  it('are each compared with the first, and hours that all have alike are one row', () => {
    const compared = compare(
      pointsOf(start, ['cloudy', 'cloudy', 'cloudy', 'foggy']),
      pointsOf(start, ['rainy', 'rainy', 'rainy', 'foggy']),
      pointsOf(start + hour, ['cloudy', 'cloudy', 'foggy']),
      pointsOf(start, ['cloudy', 'snowy', 'snowy', 'foggy']),
    );
    const row = { field: 'status', first: 'cloudy' };
    expect(compared.differences).toEqual([
      { ...row, from: start, until: start, others: ['rainy', null, 'cloudy'] },
      { ...row, from: start + hour, until: start + 2 * hour, others: ['rainy', 'cloudy', 'snowy'] },
    ]);
    expect(compared.sides).toMatchObject([
      { shared: 4, differing: 3, onlyFirst: 0 },
      { shared: 3, differing: 0, onlyFirst: 1 },
      { shared: 4, differing: 2, onlyFirst: 0 },
    ]);
  });
});
