// Values in the units that the user chose. The service sends kelvin, millimeters, meters per second, and hectopascals; only
// screens convert, JSON and exports never do.
import type { Settings } from '@rainbell/contract/app-rpc';
import { compassPoint, spokenDirection } from './wind-words.ts';
import type { HourCycle } from './zoned-times.ts';

type Chosen<Field extends keyof Settings> = Exclude<Settings[Field], 'system'>;

export type Units = {
  temperature: Chosen<'temperatureUnit'>;
  precipitation: Chosen<'precipitationUnit'>;
  wind: Chosen<'windUnit'>;
  pressure: Chosen<'pressureUnit'>;
};

export const unitPresets: Readonly<Record<'Metric' | 'UK' | 'US' | 'Aviation', Units>> = {
  Metric: { temperature: '°C', precipitation: 'mm', wind: 'm/s', pressure: 'hPa' },
  UK: { temperature: '°C', precipitation: 'mm', wind: 'mph', pressure: 'hPa' },
  US: { temperature: '°F', precipitation: 'in', wind: 'mph', pressure: 'inHg' },
  Aviation: { temperature: '°C', precipitation: 'mm', wind: 'kn', pressure: 'hPa' },
};

/** Regions with Fahrenheit in CLDR's unit preferences; of them, only the US and its territory also measure rain in inches. */
const fahrenheitRegions = new Set(['BS', 'BZ', 'KY', 'PR', 'PW', 'US']);

/** The defaults in the region of a locale such as `en-US`. */
export function unitsOfLocale(locale: string): Units {
  const region = new Intl.Locale(locale).maximize().region ?? '';
  if (region === 'US' || region === 'PR') return unitPresets.US;
  if (region === 'GB') return unitPresets.UK;
  return fahrenheitRegions.has(region) ? { ...unitPresets.Metric, temperature: '°F' } : unitPresets.Metric;
}

/** Reading it takes a third of a millisecond, and every component with times does so on each render. */
const hourCycles = new Map<string, HourCycle>();

export function hourCycleOfLocale(locale: string): HourCycle {
  let cycle = hourCycles.get(locale);
  if (cycle === undefined) {
    const { hourCycle } = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions();
    cycle = hourCycle === 'h11' || hourCycle === 'h12' ? 'h12' : 'h23';
    hourCycles.set(locale, cycle);
  }
  return cycle;
}

export type UnitChoice = Pick<Settings, 'temperatureUnit' | 'precipitationUnit' | 'windUnit' | 'pressureUnit'>;

export function chosenUnits(choice: UnitChoice, locale: string): Units {
  const localeUnits = unitsOfLocale(locale);
  const { temperatureUnit, precipitationUnit, windUnit, pressureUnit } = choice;
  return {
    temperature: temperatureUnit === 'system' ? localeUnits.temperature : temperatureUnit,
    precipitation: precipitationUnit === 'system' ? localeUnits.precipitation : precipitationUnit,
    wind: windUnit === 'system' ? localeUnits.wind : windUnit,
    pressure: pressureUnit === 'system' ? localeUnits.pressure : pressureUnit,
  };
}

/** The settings that choose these units, whatever the locale. */
export function settingsOfUnits({ temperature, precipitation, wind, pressure }: Units): UnitChoice {
  return { temperatureUnit: temperature, precipitationUnit: precipitation, windUnit: wind, pressureUnit: pressure };
}

export type Writer = {
  readonly unit: string;
  /** With its unit: `7.4 °C`. */
  text: (value: number) => string;
  /** Without it, for a column or an axis that names the unit: `7.4`. */
  bare: (value: number) => string;
  /** Rounded to whole units, without the unit, for a label in a chart: `7`. */
  whole: (value: number) => string;
  /** In this unit and not rounded, for the scale of an axis. */
  convert: (value: number) => number;
  /** With the unit as a screen reader says it: `7.4 degrees`. */
  spoken: (value: number) => string;
};

/** `#` is the number; of a unit with an irregular one, for 1 and for all others. */
const spokenUnits: Readonly<Record<string, readonly [string, string] | string>> = {
  '°C': '# degrees',
  '°F': '# degrees Fahrenheit',
  mm: '# millimeters',
  cm: '# centimeters',
  in: '# inches',
  'm/s': '# meters per second',
  'km/h': ['1 kilometer per hour', '# kilometers per hour'],
  mph: ['1 mile per hour', '# miles per hour'],
  kn: ['1 knot', '# knots'],
  Bft: 'Beaufort force #',
  hPa: '# hectopascals',
  inHg: '# inches of mercury',
  '%': '# percent',
};

/** Writes a number with the name of its unit. Screen readers skip a sign. */
function spokenAmount(amount: string, unit: string): string {
  const forms = spokenUnits[unit] ?? `# ${unit}`;
  const form = typeof forms === 'string' ? forms : forms[amount === '1' ? 0 : 1];
  return form.replace('#', amount.replace('−', 'minus '));
}

export type UnitFormat = ReturnType<typeof createUnitFormat>;

/** Meters per second per unit: the international mile is 1609.344 m, the nautical mile 1852 m (NIST SP 811, appendix B). */
const windFactors = { 'm/s': 1, 'km/h': 1 / 3.6, mph: 0.447_04, kn: 1852 / 3600 } as const;
const millimetersPerInch = 25.4;
/** The conventional inch of mercury (NIST SP 811, appendix B). */
const hectopascalsPerInch = 33.863_89;
export const kelvinOfZeroCelsius = 273.15;
/** The lowest speed of each force from 1 on, in m/s (WMO-No. 306, code table 1100). */
const beaufortStarts = [0.3, 1.6, 3.4, 5.5, 8, 10.8, 13.9, 17.2, 20.8, 24.5, 28.5, 32.7];

/** `locale` decides the decimal sign. */
export function createUnitFormat(units: Units, locale: string) {
  const formats = new Map<number, Intl.NumberFormat>();
  const number = (value: number, digits: number) => {
    let format = formats.get(digits);
    if (!format) {
      format = new Intl.NumberFormat(locale, {
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
        useGrouping: false,
        numberingSystem: 'latn',
        // A rounded −0.04 is 0.0.
        signDisplay: 'negative',
      });
      formats.set(digits, format);
    }
    return format.format(value).replace('-', '−');
  };
  const writer = (unit: string, digits: number, convert: (value: number) => number): Writer => {
    const bare = (value: number) => number(convert(value), digits);
    return {
      unit,
      bare,
      text: (value) => (unit === '%' ? `${bare(value)}%` : `${bare(value)} ${unit}`),
      whole: (value) => number(convert(value), 0),
      convert,
      spoken: (value) => spokenAmount(bare(value), unit),
    };
  };
  const { temperature, precipitation, wind, pressure } = units;
  return {
    /** Kelvin. */
    temperature: writer(temperature, 1, temperature === '°F' ? toFahrenheit : toCelsius),
    /** Millimeters of water. */
    precipitation:
      precipitation === 'in' ? writer('in', 2, (mm) => mm / millimetersPerInch) : writer('mm', 1, (mm) => mm),
    /** Millimeters of depth. */
    snow: precipitation === 'in' ? writer('in', 1, (mm) => mm / millimetersPerInch) : writer('cm', 1, (mm) => mm / 10),
    /** Meters per second. */
    wind:
      wind === 'Bft'
        ? writer('Bft', 0, beaufort)
        : writer(wind, wind === 'm/s' ? 1 : 0, (speed) => speed / windFactors[wind]),
    /** Degrees clockwise from north, as a point of the compass. */
    direction: { ...writer('', 0, (degrees) => degrees), text: compassPoint, spoken: spokenDirection },
    /** Percent. */
    humidity: writer('%', 0, (percent) => percent),
    /** Hectopascals. */
    pressure:
      pressure === 'inHg' ? writer('inHg', 2, (hPa) => hPa / hectopascalsPerInch) : writer('hPa', 0, (hPa) => hPa),
    /** A plain number with the locale's decimal sign. */
    number,
  };
}

function toCelsius(kelvin: number): number {
  return kelvin - kelvinOfZeroCelsius;
}

function toFahrenheit(kelvin: number): number {
  return (kelvin - kelvinOfZeroCelsius) * 1.8 + 32;
}

/** The force on the Beaufort scale, 0 to 12. */
export function beaufort(metersPerSecond: number): number {
  // The table has one decimal.
  const speed = Math.round(metersPerSecond * 10) / 10;
  return beaufortStarts.filter((start) => speed >= start).length;
}
