// Directions of the wind. The compass: each of 16 points covers 22.5°, centered on its direction (WMO-No. 8, part I,
// chapter 5).
import { describe, expect, it } from 'vitest';
import { formatMeasured } from '#renderer/features/forecast/common/format-measured.ts';
import { compassPoint, spokenDirection } from '#renderer/ui/text/wind-words.ts';
import { createUnitFormat, unitPresets } from '#renderer/ui/text/units.ts';

/** Each point with the degrees at which it begins and ends. */
const compass = [
  ['N', 348.76, 11.24],
  ['NNE', 11.26, 33.74],
  ['NE', 33.76, 56.24],
  ['ENE', 56.26, 78.74],
  ['E', 78.76, 101.24],
  ['ESE', 101.26, 123.74],
  ['SE', 123.76, 146.24],
  ['SSE', 146.26, 168.74],
  ['S', 168.76, 191.24],
  ['SSW', 191.26, 213.74],
  ['SW', 213.76, 236.24],
  ['WSW', 236.26, 258.74],
  ['W', 258.76, 281.24],
  ['WNW', 281.26, 303.74],
  ['NW', 303.76, 326.24],
  ['NNW', 326.26, 348.74],
] as const;

/** Each of the eight directions with the degrees at which it begins and ends. */
const directions = [
  ['north', 337.6, 22.4],
  ['northeast', 22.6, 67.4],
  ['east', 67.6, 112.4],
  ['southeast', 112.6, 157.4],
  ['south', 157.6, 202.4],
  ['southwest', 202.6, 247.4],
  ['west', 247.6, 292.4],
  ['northwest', 292.6, 337.4],
] as const;

const metric = createUnitFormat(unitPresets.Metric, 'en-GB');

describe('the direction of the wind', () => {
  it.each(compass)('is %s from %d° to %d°', (point, from, to) => {
    expect([from, to, from - 360, to + 360].map(compassPoint)).toEqual([point, point, point, point]);
    expect(formatMeasured({ wind_speed: 10, wind_direction: from }, metric)).toBe(`wind 10.0 m/s from ${point}`);
  });

  it.each(directions)('is spoken %s from %d° to %d°', (spoken, from, to) => {
    expect([from, to, from - 360, to + 360].map(spokenDirection)).toEqual([spoken, spoken, spoken, spoken]);
  });
});

it('measured values of a point are those that were sent, each in its unit', () => {
  const measured = {
    temperature: 273.15,
    dew_point: 272.15,
    humidity: 80.6,
    pressure: 1013.25,
    rainfall: 2.5,
    snowfall: 0,
  };
  expect(formatMeasured(measured, metric).split(' · ')).toEqual([
    '0.0 °C',
    'dew point −1.0 °C',
    'humidity 81%',
    '1013 hPa',
    'rain 2.5 mm',
    'snow depth 0.0 cm',
  ]);
  expect(formatMeasured({ wind_speed: 10 }, metric)).toBe('wind 10.0 m/s');
  expect(formatMeasured({}, metric)).toBe('an empty object');
});
