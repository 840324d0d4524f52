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
  it('gives the force of each row of the Beaufort table at both of its ends', () => {
    const starts = [0, 0.3, 1.6, 3.4, 5.5, 8, 10.8, 13.9, 17.2, 20.8, 24.5, 28.5, 32.7, 60];
    const rows = starts.slice(0, -1).map((speed, force) => [speed, (starts[force + 1] ?? 0) - 0.1]);
    const { wind } = inUnits({ wind: 'Bft' });
    expect(rows.map((ends) => ends.map(wind.text))).toEqual(rows.map((_, force) => [`${force} Bft`, `${force} Bft`]));
  });

  it('follow the region of the locale, unless the user chose', () => {
    const { Metric: metric, UK: uk, US: us, Aviation: aviation } = unitPresets;
    const inFahrenheit = { ...metric, temperature: '°F' };
    for (const [locales, units] of [
      ['de it-CH und-XX', metric],
      ['en-GB', uk],
      ['en en-US es-PR', us],
      ['en-BS en-BZ en-KY en-PW', inFahrenheit],
    ] as const)
      for (const locale of locales.split(' ')) expect([locale, unitsOfLocale(locale)]).toEqual([locale, units]);
    const system = { temperatureUnit: 'system', precipitationUnit: 'system', pressureUnit: 'system' } as const;
    expect(chosenUnits({ ...system, windUnit: 'system' }, 'en-US')).toEqual(us);
    expect(chosenUnits({ ...system, windUnit: 'kn' }, 'en-US')).toEqual({ ...us, wind: 'kn' });
    expect(chosenUnits(settingsOfUnits(aviation), 'en-US')).toEqual(aviation);
    const cycles = ['en-US', 'de', 'en-US', 'ja-JP-u-hc-h11', 'en-GB', 'en-AU'].map(hourCycleOfLocale);
    expect(cycles).toEqual(['h12', 'h23', 'h12', 'h12', 'h23', 'h12']);
  });

  it('have presets', () => {
    const metric = { temperature: '°C', precipitation: 'mm', wind: 'm/s', pressure: 'hPa' };
    expect(unitPresets).toEqual({
      Metric: metric,
      UK: { ...metric, wind: 'mph' },
      US: { temperature: '°F', precipitation: 'in', wind: 'mph', pressure: 'inHg' },
      Aviation: { ...metric, wind: 'kn' },
    });
  });

  // Where both scales of temperature meet, and the factors of NIST SP 811.
  it.each([
    [{}, 'temperature', 263.15, '−10.0 °C', '−10', -10, 'minus 10.0 degrees'],
    // Nothing is shown as minus zero.
    [{}, 'temperature', 273.13, '0.0 °C', '0', -0.02, '0.0 degrees'],
    [{ temperature: '°F' }, 'temperature', 373.15, '212.0 °F', '212', 212, '212.0 degrees Fahrenheit'],
    [{ temperature: '°F' }, 'temperature', 233.15, '−40.0 °F', '−40', -40, 'minus 40.0 degrees Fahrenheit'],
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

  it('have the locale’s decimal sign and Latin digits, and no grouping or negative zero', () => {
    const { number } = createUnitFormat(unitPresets.Metric, 'de');
    expect([number(12_345.67, 1), number(-0.04, 1), number(-1, 0), number(1, 2)].join(' ')).toBe('12345,7 0,0 −1 1,00');
    expect(inUnits({}, 'ar-EG').temperature.text(280.55)).toMatch(/^7[.,٫]4 °C$/);
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
