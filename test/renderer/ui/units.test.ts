// Units and clocks on screens. Expected values come from outside tables: NIST SP 811 appendix B for factors, WMO-No. 306 code
// table 1100 for Beaufort, ICAO's standard atmosphere for pressure.
import { describe, expect, it } from 'vitest';
import {
  chosenUnits,
  createUnitFormat,
  hourCycleOfLocale,
  settingsOfUnits,
  unitPresets,
  type Units,
  unitsOfLocale,
} from '#renderer/ui/text/units.ts';
import { hourTicks, zonedTimes } from '#renderer/ui/text/zoned-times.ts';

const inUnits = (units: Partial<Units>, locale = 'en-GB') =>
  createUnitFormat({ ...unitPresets.Metric, ...units }, locale);

describe('units', () => {
  it('converts temperature at the fixed points of both scales', () => {
    const celsius = inUnits({}).temperature;
    const fahrenheit = inUnits({ temperature: '°F' }).temperature;
    // Water freezes and boils, the body's 37 °C, where both scales meet, absolute zero.
    expect([273.15, 373.15, 310.15, 233.15].map(celsius.text)).toEqual(['0.0 °C', '100.0 °C', '37.0 °C', '−40.0 °C']);
    expect([273.15, 373.15, 310.15, 233.15, 0].map(fahrenheit.text)).toEqual([
      '32.0 °F',
      '212.0 °F',
      '98.6 °F',
      '−40.0 °F',
      '−459.7 °F',
    ]);
    // Nothing is shown as minus zero.
    expect(celsius.text(273.13)).toBe('0.0 °C');
  });

  it('converts speeds, amounts, and pressure by the factors of NIST SP 811', () => {
    const speeds = (wind: Units['wind']) => [10, 44.704].map(inUnits({ wind }).wind.text);
    expect(speeds('m/s')).toEqual(['10.0 m/s', '44.7 m/s']);
    expect(speeds('km/h')).toEqual(['36 km/h', '161 km/h']);
    expect(speeds('mph')).toEqual(['22 mph', '100 mph']);
    expect(speeds('kn')).toEqual(['19 kn', '87 kn']);
    const inches = inUnits({ precipitation: 'in' }).precipitation;
    expect([25.4, 2.5, 0.1].map(inches.text)).toEqual(['1.00 in', '0.10 in', '0.00 in']);
    const pressure = inUnits({ pressure: 'inHg' }).pressure;
    expect([1013.25, 950].map(pressure.text)).toEqual(['29.92 inHg', '28.05 inHg']);
    expect(inUnits({}).pressure.text(1013.25)).toBe('1013 hPa');
  });

  it('gives the force of each row of the Beaufort table at both of its ends', () => {
    const rows: readonly [number, number][] = [
      [0, 0.2],
      [0.3, 1.5],
      [1.6, 3.3],
      [3.4, 5.4],
      [5.5, 7.9],
      [8, 10.7],
      [10.8, 13.8],
      [13.9, 17.1],
      [17.2, 20.7],
      [20.8, 24.4],
      [24.5, 28.4],
      [28.5, 32.6],
      [32.7, 60],
    ];
    const { wind } = inUnits({ wind: 'Bft' });
    expect(rows.map((ends) => ends.map(wind.text))).toEqual(rows.map((_, force) => [`${force} Bft`, `${force} Bft`]));
  });

  it('follows the locale for units, decimal sign, and clock, unless the user chose', () => {
    expect(unitsOfLocale('en-US')).toEqual(unitPresets.US);
    expect(unitsOfLocale('en')).toEqual(unitPresets.US);
    expect(unitsOfLocale('en-GB')).toEqual(unitPresets.UK);
    expect(unitsOfLocale('it')).toEqual(unitPresets.Metric);
    expect(unitsOfLocale('en-BS').temperature).toBe('°F');
    const system = { temperatureUnit: 'system', precipitationUnit: 'system', pressureUnit: 'system' } as const;
    expect(chosenUnits({ ...system, windUnit: 'kn' }, 'en-US')).toEqual({ ...unitPresets.US, wind: 'kn' });
    expect(inUnits({}, 'de').temperature.text(280.55)).toBe('7,4 °C');
    expect(inUnits({}, 'ar-EG').temperature.text(280.55)).toMatch(/^7[.,٫]4 °C$/);
    expect(['en-US', 'de', 'it', 'en-AU', 'ja'].map(hourCycleOfLocale)).toEqual(['h12', 'h23', 'h23', 'h12', 'h23']);
  });

  it('have presets, and defaults by region', () => {
    const metric = { temperature: '°C', precipitation: 'mm', wind: 'm/s', pressure: 'hPa' };
    const uk = { ...metric, wind: 'mph' };
    const us = { temperature: '°F', precipitation: 'in', wind: 'mph', pressure: 'inHg' };
    expect(unitPresets).toEqual({ Metric: metric, UK: uk, US: us, Aviation: { ...metric, wind: 'kn' } });
    expect(['de', 'it-CH', 'en', 'en-US', 'es-PR', 'en-GB', 'und-XX'].map(unitsOfLocale)).toEqual([
      metric,
      metric,
      us,
      us,
      us,
      uk,
      metric,
    ]);
    for (const region of ['BS', 'BZ', 'KY', 'PW'])
      expect(unitsOfLocale(`en-${region}`)).toEqual({ ...metric, temperature: '°F' });
    const system = {
      temperatureUnit: 'system',
      precipitationUnit: 'system',
      windUnit: 'system',
      pressureUnit: 'system',
    } as const;
    expect(chosenUnits(system, 'en-US')).toEqual(us);
    expect(chosenUnits(settingsOfUnits(unitPresets.Aviation), 'en-US')).toEqual({ ...metric, wind: 'kn' });
    const cycles = ['en-US', 'de', 'en-US', 'ja-JP-u-hc-h11', 'en-GB'].map(hourCycleOfLocale);
    expect(cycles).toEqual(['h12', 'h23', 'h12', 'h12', 'h23']);
  });

  it.each([
    [{}, 'temperature', 263.15, '−10.0 °C', '−10', -10, 'minus 10.0 degrees'],
    [{ temperature: '°F' }, 'temperature', 283.15, '50.0 °F', '50', 50, '50.0 degrees Fahrenheit'],
    [{}, 'precipitation', 2.54, '2.5 mm', '3', 2.54, '2.5 millimeters'],
    [{ precipitation: 'in' }, 'precipitation', 25.4, '1.00 in', '1', 1, '1.00 inches'],
    [{}, 'wind', 10, '10.0 m/s', '10', 10, '10.0 meters per second'],
    [{ wind: 'km/h' }, 'wind', 10, '36 km/h', '36', 36, '36 kilometers per hour'],
    [{ wind: 'mph' }, 'wind', 4.4704, '10 mph', '10', 10, '10 miles per hour'],
    [{ wind: 'kn' }, 'wind', 18.52 / 3.6, '10 kn', '10', 10, '10 knots'],
    [{ wind: 'kn' }, 'wind', 1.852 / 3.6, '1 kn', '1', 1, '1 knot'],
    [{ wind: 'mph' }, 'wind', 0.447_04, '1 mph', '1', 1, '1 mile per hour'],
    [{ wind: 'km/h' }, 'wind', 1 / 3.6, '1 km/h', '1', 1, '1 kilometer per hour'],
    [{ wind: 'Bft' }, 'wind', 8, '5 Bft', '5', 5, 'Beaufort force 5'],
    [{}, 'pressure', 1013.25, '1013 hPa', '1013', 1013.25, '1013 hectopascals'],
    [{ pressure: 'inHg' }, 'pressure', 1015.9167, '30.00 inHg', '30', 30, '30.00 inches of mercury'],
  ] as const)('%j write %s %d as %s', (units, kind, value, text, whole, converted, spoken) => {
    const writer = inUnits(units, 'en')[kind];
    const [bare, unit] = text.split(' ');
    expect([writer.unit, writer.text(value), writer.bare(value), writer.whole(value), writer.spoken(value)]).toEqual([
      unit,
      text,
      bare,
      whole,
      spoken,
    ]);
    expect(writer.convert(value)).toBeCloseTo(converted, 9);
  });

  it('have the locale’s decimal sign, and no grouping or negative zero', () => {
    const { number } = createUnitFormat(unitPresets.Metric, 'de');
    expect([number(12_345.67, 1), number(-0.04, 1), number(-1, 0), number(1, 2)]).toEqual([
      '12345,7',
      '0,0',
      '−1',
      '1,00',
    ]);
  });
});

describe('a 12-hour clock', () => {
  const times = zonedTimes('America/New_York', 'h12');
  const at = (text: string) => Date.parse(text);

  it('writes midnight and noon as 12, and does not change days and hours', () => {
    expect([at('2026-07-01T04:05:09.123Z'), at('2026-07-01T16:00:00Z')].map(times.clock)).toEqual([
      '12:05\u00A0AM',
      '12:00\u00A0PM',
    ]);
    expect(times.clockSeconds(at('2026-07-01T04:05:09Z'))).toBe('12:05:09\u00A0AM');
    expect(times.clockMilliseconds(at('2026-07-01T17:05:09.120Z'))).toBe('1:05:09.120\u00A0PM');
    expect(times.dayClock(at('2026-07-01T17:05:00Z'))).toBe('Wed 1 Jul, 1:05\u00A0PM');
    expect([times.hour(at('2026-07-01T17:05:00Z')), times.minuteOfDay(at('2026-07-01T04:05:00Z'))]).toEqual([13, 5]);
    expect(zonedTimes('UTC').clockMilliseconds(at('2026-07-01T17:05:09.120Z'))).toBe('17:05:09.120');
  });

  it('puts the same ticks on the axis as a 24-hour clock', () => {
    const [from, to] = [at('2026-11-01T00:00:00Z'), at('2026-11-02T12:00:00Z')];
    const ticks = hourTicks(times, from, to, 6);
    expect(ticks).toEqual(hourTicks(zonedTimes('America/New_York'), from, to, 6));
    expect(ticks.slice(0, 3).map(times.axisHour)).toEqual(['12\u00A0AM', '6\u00A0AM', '12\u00A0PM']);
  });
});
