// What the chart, the pane, and the table calculate: sums, icons, and changes of the clocks.
import { describe, expect, it } from 'vitest';
import { daySummaries } from '#renderer/features/forecast/common/amounts.ts';
import { dayAmount } from '#renderer/features/forecast/common/format-measured.ts';
import { summarySentence } from '#renderer/features/forecast/common/summary.ts';
import { timedForecast } from '#renderer/features/forecast/common/timed-points.ts';
import { timelineModel } from '#renderer/features/forecast/common/timeline-model.ts';
import { clockChanges, zonedTimes } from '#renderer/ui/text/zoned-times.ts';
import { createUnitFormat, unitPresets } from '#renderer/ui/text/units.ts';
import { forecastOf, hour, pointsOf, start } from './forecast-points.ts';

describe('amounts', () => {
  const amounts = [0, 0.3, 0.6, 0, undefined, 1.2];
  const points = pointsOf(start + 21 * hour, Array<string>(6).fill('cloudy'), (point, index) => {
    const rainfall = amounts[index];
    return { ...point, measured: { temperature: 270 + index, ...(rainfall === undefined ? {} : { rainfall }) } };
  });
  const timed = timedForecast(points)?.points ?? [];
  const fell = (rain: number) => ({ rain, snow: null });

  it('are summed by day of the zone, with the extremes of each', () => {
    const midnight = start + 24 * hour;
    expect(
      daySummaries(timed, [start + 21 * hour, midnight], start + 27 * hour, [{ kind: 'rises', at: midnight + hour }]),
    ).toEqual([
      {
        startsAt: start + 21 * hour,
        until: midnight,
        lowest: 270,
        highest: 272,
        sum: fell(0.9),
        isPart: false,
        rises: null,
        sets: null,
      },
      {
        startsAt: midnight,
        until: start + 27 * hour,
        lowest: 273,
        highest: 275,
        sum: fell(1.2),
        isPart: false,
        rises: midnight + hour,
        sets: null,
      },
    ]);
  });

  it.each([
    [0, undefined],
    [1, '≥ 1.0 mm'],
  ])('of %d mm promise no more than that while a wet hour has none', (rainfall, text) => {
    const wet = pointsOf(start, ['cloudy', 'rainy'], (point, index) => ({
      ...point,
      measured: index === 0 ? { rainfall } : {},
    }));
    const [day] = daySummaries(timedForecast(wet)?.points ?? [], [start], start + 2 * hour, []);
    expect(day && dayAmount(day, createUnitFormat(unitPresets.Metric, 'en-GB'))).toBe(text);
  });
});

describe('the timeline’s model', () => {
  it('reports precipitation that ends now as over', () => {
    const rain = pointsOf(start, ['rainy', 'cloudy', 'rainy'], (point, index) => ({
      ...point,
      measured: { rainfall: index === 1 ? 0 : 1 },
    }));
    const model = timelineModel(forecastOf(rain), zonedTimes('UTC'));
    if (!model) throw new Error('there is no model');
    const units = createUnitFormat(unitPresets.Metric, 'en-GB');
    expect(summarySentence(model, { times: model.times, units, now: start + hour })).toMatch(/^Dry until 02:00, then/);
  });
});

describe('a change of the clocks', () => {
  const rome = zonedTimes('Europe/Rome');

  it('is found to the minute, with the names on both sides', () => {
    const from = Date.parse('2026-10-24T10:12:00Z');
    expect(clockChanges(rome, from, from + 72 * hour)).toEqual([
      { at: Date.parse('2026-10-25T01:00:00Z'), before: 'CEST', after: 'CET', shiftMs: -hour },
    ]);
    const spring = Date.parse('2026-03-28T10:12:00Z');
    expect(clockChanges(rome, spring, spring + 72 * hour).map(({ shiftMs }) => shiftMs)).toEqual([hour]);
    expect(
      clockChanges(
        zonedTimes('Australia/Lord_Howe'),
        Date.parse('2026-04-03T00:00:00Z'),
        Date.parse('2026-04-06T00:00:00Z'),
      ).map(({ shiftMs }) => shiftMs),
    ).toEqual([-hour / 2]);
    expect(clockChanges(rome, start, start + 72 * hour)).toEqual([]);
  });

  it('names the doubled hour apart, and zones without an abbreviation by their offset', () => {
    const hours = ['2026-10-25T00:00:00Z', '2026-10-25T01:00:00Z'].map((at) => Date.parse(at));
    expect(hours.map((at) => `${rome.clock(at)} ${rome.zoneName(at)}`)).toEqual(['02:00 CEST', '02:00 CET']);
    expect(zonedTimes('America/New_York').zoneName(start)).toBe('EST');
    expect(zonedTimes('Asia/Kathmandu').zoneName(start)).toBe('UTC+5:45');
    expect(zonedTimes('UTC').zoneName(start)).toBe('UTC');
    const names = Intl.supportedValuesOf('timeZone').map((zone) => zonedTimes(zone).zoneName(start));
    expect(names.filter((name) => /^GMT[+-]/.test(name))).toEqual([]);
  });
});
