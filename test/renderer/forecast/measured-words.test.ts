// Directions of the wind (16 points of 22.5° each: WMO-No. 8, part I, chapter 5), and measured values.
import { describe, expect, it } from 'vitest';
import { fallenText, formatMeasured } from '#renderer/features/forecast/common/format-measured.ts';
import { compassPoint, spokenDirection } from '#renderer/ui/text/wind-words.ts';
import { createUnitFormat, unitPresets } from '#renderer/ui/text/units.ts';

const compass = 'N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW'.split(' ');
const directions = 'north northeast east southeast south southwest west northwest'.split(' ');
const centered = (names: readonly string[]) =>
  names.map((name, index) => [name, (index * 360) / names.length] as const);

const metric = createUnitFormat(unitPresets.Metric, 'en-GB');

describe('the direction of the wind', () => {
  it.each(centered(compass))('is %s around %d°', (point, center) => {
    const ends = [center - 11.24, center + 11.24, center - 371.24, center + 371.24];
    expect(ends.map(compassPoint)).toEqual(ends.map(() => point));
    expect(formatMeasured({ wind_direction: center }, metric)).toBe(`wind direction ${point}`);
  });

  it.each(centered(directions))('is spoken %s around %d°', (spoken, center) => {
    const ends = [center - 22.4, center + 22.4, center - 382.4, center + 382.4];
    expect(ends.map(spokenDirection)).toEqual(ends.map(() => spoken));
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
    'temperature 0.0 °C',
    'dew point −1.0 °C',
    'rain 2.5 mm',
    'snow 0.0 cm',
    'humidity 81%',
    'pressure 1013 hPa',
  ]);
  expect(formatMeasured({ wind_speed: 10 }, metric)).toBe('wind 10.0 m/s');
  expect(formatMeasured({}, metric)).toBe('an empty object');
});

it.each([
  [{ rain: 3, snow: null }, '3.0 mm'],
  [{ rain: 3, snow: 0 }, '3.0 mm'],
  [{ rain: 3, snow: 12 }, '3.0 mm + 1.2 cm snow'],
  [{ rain: 0, snow: 12 }, '1.2 cm snow'],
  [{ rain: null, snow: 0 }, '0.0 cm snow'],
])('of water and snow what fell is written: %o is %s', (fallen, words) => {
  expect(fallenText(fallen, metric)).toBe(words);
});
