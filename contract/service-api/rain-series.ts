// A series of weather for the sandbox, as CSV: each line applies until the minute of the next one, the last for 12 hours.
import { z } from 'zod';
import { type PrecipitationType, precipitationTypes } from './rain-event.ts';
import type { Status } from './vocabulary.ts';

export const seriesMaxCharacters = 64_000;
const maxRows = 1_000;
const lastRowMinutes = 720;

function number(min: number, max: number, isRight: (value: number) => boolean = () => true, what = 'number') {
  const rule = `must be a ${what} from ${min} to ${max}`;
  return z
    .string(rule)
    .regex(/^-?\d+(?:\.\d+)?$/, rule)
    .transform(Number)
    .refine((value) => value >= min && value <= max && isRight(value), rule);
}

const rowSchema = z.strictObject({
  minute: number(0, 4320, Number.isInteger, 'whole number'),
  mm_per_hour: number(0, 300, (rate) => rate === 0 || rate >= 0.1, 'number (0, or at least 0.1)'),
  kind: z.enum(precipitationTypes, `must be one of ${precipitationTypes.join(', ')}`).optional(),
  temperature_c: number(-90, 55).optional(),
  wind_ms: number(0, 110).optional(),
});
const names = Object.keys(rowSchema.shape);

/** A step of a series; `minute` is from its start. */
export type SeriesStep = {
  minute: number;
  untilMinute: number;
  status: Status;
  mmPerHour?: number;
  kind?: PrecipitationType | undefined;
  temperature?: number;
  windSpeed?: number | undefined;
};

/** Of 0 °C. */
export const kelvin = 273.15;

/** The status that goes with precipitation of a kind. */
export function statusOfKind(kind: PrecipitationType = 'rain'): Status {
  if (kind === 'snow' || kind === 'sleet') return 'snowy';
  return kind === 'hail' ? 'hailing' : 'rainy';
}

/** Returns what is wrong as a sentence, or the steps. */
export function readRainSeries(csv: string): SeriesStep[] | string {
  if (csv.length > seriesMaxCharacters) return 'A series has at most 64,000 characters.';
  const [header = [], ...lines] = csv
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line) => line.split(',').map((cell) => cell.trim().replace(/^"(.*)"$/, '$1')));
  const unknown = header.find((name) => !names.includes(name));
  if (unknown !== undefined || !header.includes('minute') || !header.includes('mm_per_hour'))
    return `Line 1: the columns must be minute, mm_per_hour, and optionally kind, temperature_c, and wind_ms, not "${header.join(',').slice(0, 100)}".`;
  const rows: z.output<typeof rowSchema>[] = [];
  for (const [index, cells] of lines.entries()) {
    if (cells.every((cell) => cell === '')) continue;
    const line = `Line ${index + 2}`;
    if (cells.length > header.length) return `${line}: it has more values than the first line has columns.`;
    const given = header.map((name, column) => [name, cells[column] || undefined]);
    const { data, error } = rowSchema.safeParse(Object.fromEntries(given));
    const [issue] = error?.issues ?? [];
    if (!data) return `${line}: ${String(issue?.path[0])} ${issue?.message}.`;
    if (data.minute <= (rows.at(-1)?.minute ?? -1)) return `${line}: minute must be greater than in the line before.`;
    if (rows.length === maxRows)
      return `A series has at most 1,000 lines after its header; ${line.toLowerCase()} is one more.`;
    rows.push(data);
  }
  if (rows.length === 0) return 'The series has no lines after its header.';
  return rows.map(({ minute, mm_per_hour: rate, kind, temperature_c: celsius, wind_ms: windSpeed }, index) => ({
    minute,
    untilMinute: rows[index + 1]?.minute ?? minute + lastRowMinutes,
    ...(rate === 0 ? { status: 'cloudy' } : { status: statusOfKind(kind), mmPerHour: rate, kind }),
    ...(celsius === undefined ? {} : { temperature: celsius + kelvin }),
    windSpeed,
  }));
}
