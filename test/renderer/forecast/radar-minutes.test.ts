// The sentence of the layer "Radar nowcast".
import { describe, expect, it } from 'vitest';
import { radarSentence, type RadarStep } from '#renderer/features/forecast/radar/radar-summary.ts';
import { createUnitFormat, unitPresets } from '#renderer/ui/text/units.ts';
import { zonedTimes } from '#renderer/ui/text/zoned-times.ts';

const minute = 60_000;

describe('the sentence of the radar', () => {
  const start = Date.parse('2026-11-22T13:00:00Z');
  const writers = { times: zonedTimes('UTC'), units: createUnitFormat(unitPresets.Metric, 'en-GB') };
  const stepsOf = (rates: readonly (number | null)[]): RadarStep[] =>
    rates.map((rate, index) => ({
      at: start + index * 5 * minute,
      until: start + (index + 1) * 5 * minute,
      rate,
    }));

  it.each<[readonly (number | null)[], string]>([
    [[0, 0, 0.05], 'Dry until 13:15 UTC'],
    [[0, 1.2, 2.4, 0], 'Precipitation from 13:05 to 13:15 UTC, up to 2.4 mm/h, 0.3 mm in total'],
    [[6, 6], 'Precipitation until 13:10 UTC or later, up to 6.0 mm/h, 1.0 mm in total'],
    [[null, null, 0, 3, 0], 'Precipitation until 13:10 UTC, rate unknown, and 1 more period of precipitation'],
    [[0, null, 3, 0], 'Precipitation from 13:05 to 13:15 UTC, up to 3.0 mm/h'],
    [[], 'No radar data for the next two hours'],
  ])('for %j is %j', (rates, sentence) => {
    expect(radarSentence(stepsOf(rates), start + minute, writers)).toBe(sentence);
  });

  it('gives a rate in the units of the user', () => {
    const units = createUnitFormat(unitPresets.US, 'en-US');
    expect(radarSentence(stepsOf([2.54]), start, { ...writers, units })).toContain('up to 0.10 in/h');
  });
});
