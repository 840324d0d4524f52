// Converts providers' units to those of `measured`. Unknown units return undefined.

type Convert = (value: number) => number;

const kelvin: Readonly<Record<string, Convert>> = {
  '°C': (celsius) => celsius + 273.15,
  celsius: (celsius) => celsius + 273.15,
  '°F': (fahrenheit) => (fahrenheit - 32) / 1.8 + 273.15,
  K: (value) => value,
};

const metresPerSecond: Readonly<Record<string, Convert>> = {
  'm/s': (value) => value,
  'km/h': (value) => value / 3.6,
  'mp/h': (value) => value * 0.44704,
  mph: (value) => value * 0.44704,
  kn: (value) => value * 0.514444,
  kt: (value) => value * 0.514444,
};

const millimetres: Readonly<Record<string, Convert>> = {
  mm: (value) => value,
  cm: (value) => value * 10,
  inch: (value) => value * 25.4,
};

const same: Readonly<Record<string, Convert>> = {
  hPa: (value) => value,
  '%': (value) => value,
  '°': (value) => value,
  degrees: (value) => value,
};

const tables = { kelvin, metresPerSecond, millimetres, same };

/** Above any measured weather value; a larger value is a provider's error. */
const maxValue = 10_000;

/** Converts `value` to our unit, with two decimals; undefined if it is missing, implausible, or in an unknown unit. */
export function inUnit(
  into: keyof typeof tables,
  value: number | null | undefined,
  unit: string | undefined,
): number | undefined {
  if (typeof value !== 'number' || !(Math.abs(value) < maxValue) || unit === undefined) return undefined;
  const convert = Object.hasOwn(tables[into], unit) ? tables[into][unit] : undefined;
  return convert ? Math.round(convert(value) * 100) / 100 + 0 : undefined;
}
