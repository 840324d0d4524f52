// Directions of the wind (16 points of 22.5° each: WMO-No. 8, part I, chapter 5), measured values, and what the temperature feels like
// (the tables of Environment Canada and the NWS).
import { describe, expect, it } from 'vitest';
import { formatMeasured } from '#renderer/features/forecast/common/format-measured.ts';
import { compassPoint, spokenDirection } from '#renderer/ui/text/wind-words.ts';
import { createUnitFormat, unitPresets } from '#renderer/ui/text/units.ts';
import { feelsLike } from '#renderer/features/forecast/common/feels-like.ts';

const compass = 'N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW'.split(' ');
const directions = 'north northeast east southeast south southwest west northwest'.split(' ');
const centered = (names: readonly string[]) =>
  names.map((name, index) => [name, (index * 360) / names.length] as const);

const metric = createUnitFormat(unitPresets.Metric, 'en-GB');

describe('the direction of the wind', () => {
  it.each(centered(compass))('is %s around %d°', (point, center) => {
    const ends = [center - 11.24, center + 11.24, center - 371.24, center + 371.24];
    expect(ends.map(compassPoint)).toEqual(ends.map(() => point));
    expect(formatMeasured({ wind_speed: 10, wind_direction: center }, metric)).toBe(`wind 10.0 m/s from ${point}`);
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

describe('what the temperature feels like', () => {
  const feels = (celsius: number, more: object) => {
    const kelvin = feelsLike({ temperature: celsius + 273.15, ...more });
    return kelvin === undefined ? undefined : Math.round((kelvin - 273.15) * 10) / 10;
  };

  it('is the wind chill of Environment Canada’s table', () => {
    // https://www.canada.ca: −10 °C at 20 km/h is −18, at 40 km/h −21; 5 °C at 5 km/h is 4.
    const table = [
      feels(-10, { wind_speed: 20 / 3.6 }),
      feels(-10, { wind_speed: 40 / 3.6 }),
      feels(5, { wind_speed: 5 / 3.6 }),
    ];
    expect(table.map((value) => Math.round(value ?? NaN))).toEqual([-18, -21, 4]);
    expect(feels(10, { wind_speed: 5 })).toBeUndefined();
    expect(feels(5, { wind_speed: 1.3 })).toBeUndefined();
    expect(feels(5, {})).toBeUndefined();
    expect(feelsLike({ wind_speed: 5 })).toBeUndefined();
  });

  it('is the heat index of the NWS’s chart', () => {
    // 90 °F at 60% is 100 °F, 100 °F at 50% is 118 °F.
    const fahrenheit = (f: number, humidity: number) =>
      Math.round((feels((f - 32) / 1.8, { humidity }) ?? NaN) * 1.8 + 32);
    expect([fahrenheit(90, 60), fahrenheit(100, 50)]).toEqual([100, 118]);
    expect(feels(26.6, { humidity: 60 })).toBeUndefined();
    expect(feels(30, { humidity: 39.9 })).toBeUndefined();
    expect(feels(30, { humidity: 40 })).toBeDefined();
    expect(feels(30, {})).toBeUndefined();
  });
});
