// What the temperature feels like, against the tables of Environment Canada and the NWS.
import { describe, expect, it } from 'vitest';
import { feelsLike } from '#renderer/features/forecast/common/feels-like.ts';

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
