// "Create many": parses pasted `lat,lng[,callback]` lines, CSV, or JSON as written by export-monitors.ts, and plans the import line
// by line before anything is sent. Importing the same file again plans nothing: existing monitors are skipped.
import { formatSchemaError, parseCallbackAddress, parseDegrees, unguarded } from '@rainbell/shared';
import Papa from 'papaparse';
import { z } from 'zod';
import type { AppMonitor, CallbackTarget, MonitorNotes } from '../app-rpc/monitors.ts';
import { anyGeoSchema, type LatLng } from '../service-api/geo.ts';
import { monitorOptions, type MonitorOptions, optionsOf, optionsProblem } from '../service-api/rain-event.ts';
import type { fileColumns } from './export-monitors.ts';
import { MonitorIndex, thisApp } from './monitor-index.ts';

type Draft = { geo: LatLng; callback: CallbackTarget; options?: MonitorOptions | undefined };

type Planned =
  | { kind: 'create'; draft: Draft; notes: MonitorNotes }
  | { kind: 'skip'; message: string }
  | { kind: 'error'; message: string };

/** `line`: as an editor counts them; in JSON, the number of the entry. */
export type PlannedRow = Planned & { line: number; cells: string };

export type ImportColumn = (typeof fileColumns)[number];

const headerNames: Readonly<Record<string, ImportColumn>> = {
  id: 'id',
  name: 'name',
  lat: 'lat',
  latitude: 'lat',
  lng: 'lng',
  lon: 'lng',
  long: 'lng',
  longitude: 'lng',
  callback: 'callback_uri',
  callback_uri: 'callback_uri',
  callbackuri: 'callback_uri',
  tags: 'tags',
  note: 'note',
  notes: 'note',
  options: 'options',
};

const withoutHeader: readonly ImportColumn[] = ['lat', 'lng', 'callback_uri', 'name', 'tags', 'note'];
const rowLimit = 20_000;
const sampledRows = 3;

type ImportContext = {
  existing: readonly AppMonitor[];
  /** Null if the service did not return it. */
  monitorLimit: number | null;
  /** Overrides the header's meaning of each column; null skips it. */
  columns?: readonly (ImportColumn | null)[] | undefined;
};

/** A column of a file: its heading, its first values, and its detected meaning. */
export type FileColumn = { heading: string; samples: readonly string[]; column: ImportColumn | null };

/** The columns of a CSV file with a header; null for lines without one, and for JSON. */
export function readFileColumns(marked: string): readonly FileColumn[] | null {
  const text = withoutMark(marked);
  if (isJsonText(text) || unclosedQuote(text) !== undefined) return null;
  const [first, ...body] = readRows(text);
  const header = first && readHeader(first.cells);
  if (!header) return null;
  return first.cells.map((heading, index) => ({
    heading: heading.trim(),
    samples: body.slice(0, sampledRows).map(({ cells }) => cells[index] ?? ''),
    column: header[index] ?? null,
  }));
}

/** Pasted text may have a byte order mark, too. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}

/** Whether the text is read as JSON, whose entries have numbers instead of lines. */
export function isJsonText(text: string): boolean {
  return /^\uFEFF?\s*[[{]/.test(text);
}

/** Returns one entry per line, except empty lines and lines that start with #. */
export function planImport(marked: string, context: ImportContext): readonly PlannedRow[] {
  const text = withoutMark(marked);
  if (isJsonText(text)) return planJson(text, context);
  const open = unclosedQuote(text);
  if (open !== undefined) {
    const message =
      'A quote opens on this line and is never closed, so nothing was read. Close it, or write "" for a quote.';
    return [{ line: open, cells: '', kind: 'error', message }];
  }
  const rows = readRows(text);
  const [first] = rows;
  if (!first) return [];
  const header = readHeader(first.cells);
  const columns = header ? (context.columns ?? header) : withoutHeader;
  if (!(columns.includes('lat') && columns.includes('lng'))) {
    const message = 'Choose the latitude and longitude columns, or name them lat and lng.';
    return [{ line: first.line, cells: first.cells.join(', '), kind: 'error', message }];
  }
  const plan = createPlanner(context);
  return planEach(header ? rows.slice(1) : rows, ({ line, cells }) => ({
    ...plan(line, readCells(cells, columns)),
    line,
    cells: cells.map((cell) => cell.trim()).join(', '),
  }));
}

const jsonEntrySchema = z.object({
  callback_uri: z.string().nullable().default(null),
  geo: anyGeoSchema,
  name: z.string().default(''),
  tags: z.array(z.string()).default([]),
  note: z.string().default(''),
  ...monitorOptions,
});
const list = z.array(z.unknown());
/** A plain list, our own export, a response of the service, or GeoJSON. */
const jsonSchema = list.or(
  z
    .looseObject({})
    .transform(({ monitors, objects, features }) => monitors ?? objects ?? features)
    .pipe(list),
);
const featureSchema = z
  .object({ type: z.literal('Feature'), properties: z.looseObject({}).nullish(), geometry: z.unknown() })
  .transform(({ properties, geometry }) => ({ ...properties, geo: geometry }));

function planJson(text: string, context: ImportContext): readonly PlannedRow[] {
  let entries: readonly unknown[];
  try {
    entries = jsonSchema.parse(JSON.parse(text));
  } catch (error) {
    const why = error instanceof SyntaxError ? error.message : 'It doesn’t contain a list of monitors.';
    return [{ line: 1, cells: '', kind: 'error', message: `The JSON can’t be read. ${why}` }];
  }
  const plan = createPlanner(context);
  return planEach(entries, (entry, index) => {
    const line = index + 1;
    return { ...plan(line, readEntry(entry)), line, cells: JSON.stringify(entry) };
  });
}

function readEntry(given: unknown): Wanted {
  const entry = featureSchema.safeParse(given).data ?? given;
  const read = jsonEntrySchema.safeParse(entry);
  if (!read.success) {
    return { ok: false, message: formatSchemaError(read.error.issues[0], entry, 'The entry') };
  }
  const { callback_uri: uri, geo, name, tags, note } = read.data;
  const callback = readCallback(uri ?? '');
  if (!callback.ok) return { ok: false, message: callback.problem };
  const problem = optionsProblem(read.data);
  if (problem !== undefined) return { ok: false, message: problem };
  const options = optionsOf(read.data);
  return {
    ok: true,
    draft: { geo, callback: callback.value, ...(options && { options }) },
    notes: limitedNotes({ name, tags, note }),
  };
}

/** Skips rows beyond the limit; the last row says so. */
function planEach<Row>(rows: readonly Row[], plan: (row: Row, index: number) => PlannedRow): readonly PlannedRow[] {
  const planned = rows.slice(0, rowLimit).map(plan);
  if (rows.length <= rowLimit) return planned;
  const message = `The rest was not read: an import can have at most ${rowLimit.toLocaleString('en')} monitors.`;
  return [...planned, { line: (planned.at(-1)?.line ?? 0) + 1, cells: '', kind: 'error', message }];
}

type Wanted = { ok: true; draft: Draft; notes: MonitorNotes } | { ok: false; message: string };

/** Plans each requested monitor in file order, because an earlier one can conflict with a later one. */
function createPlanner({ existing, monitorLimit }: ImportContext): (line: number, wanted: Wanted) => Planned {
  const known = new MonitorIndex(existing);
  let room = monitorLimit === null ? Infinity : Math.max(0, monitorLimit - existing.length);
  return (line, wanted) => {
    if (!wanted.ok) return { kind: 'error', message: wanted.message };
    const { draft, notes } = wanted;
    const address = draft.callback.kind === 'address' ? draft.callback.uri : thisApp;
    const [same] = known.find(draft.geo, address, draft.options);
    if (same !== undefined)
      return { kind: 'skip', message: `Already exists: ${same} has this location and callback URL.` };
    const [unknown] = known.find(draft.geo, null);
    if (unknown !== undefined)
      return {
        kind: 'skip',
        message: `${unknown} is already at this location; the service does not return its callback URL.`,
      };
    known.add(draft.geo, address, `line ${line}`, draft.options);
    room -= 1;
    if (room >= 0) return { kind: 'create', draft, notes };
    const message = `Your plan’s monitor limit (${monitorLimit}) would be exceeded by this line.`;
    return { kind: 'error', message };
  };
}

function readCells(cells: readonly string[], columns: readonly (ImportColumn | null)[]): Wanted {
  if (cells.length > columns.length) {
    const message = `This line has ${cells.length} cells, but at most ${columns.length} are expected. Put text with commas in quotes.`;
    return { ok: false, message };
  }
  const cell = (name: ImportColumn) => cells[columns.indexOf(name)] ?? '';
  const lat = parseDegrees(cell('lat'), 'lat');
  const lng = parseDegrees(cell('lng'), 'lng');
  const callback = readCallback(cell('callback_uri').trim());
  if (!lat.ok || !lng.ok || !callback.ok) {
    return { ok: false, message: [lat, lng, callback].flatMap((part) => (part.ok ? [] : [part.problem])).join(' ') };
  }
  const options = readOptions(cell('options'));
  if (options === null) return { ok: false, message: 'options must be JSON with payload, events, and conditions.' };
  return {
    ok: true,
    draft: { geo: { lat: lat.value, lng: lng.value }, callback: callback.value, ...(options && { options }) },
    notes: limitedNotes({ name: cell('name'), tags: readTags(cell('tags')), note: cell('note') }),
  };
}

const optionsSchema = z.strictObject(monitorOptions).refine((options) => optionsProblem(options) === undefined);

/** As the export writes them: undefined for an empty cell, null for something else. */
function readOptions(text: string): MonitorOptions | null | undefined {
  if (text.trim() === '') return undefined;
  try {
    return optionsSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Reads an empty value, `this app`, and `this-app` as this app. */
function readCallback(text: string): { ok: true; value: CallbackTarget } | { ok: false; problem: string } {
  if (['', 'this app', thisApp].includes(text)) return { ok: true, value: { kind: 'this-app' } };
  const address = parseCallbackAddress(text);
  return address.ok ? { ok: true, value: { kind: 'address', uri: address.value } } : address;
}

function limitedNotes({ name, tags, note }: MonitorNotes): MonitorNotes {
  const known = tags.map((tag) => tag.trim().slice(0, 60).trim()).filter((tag) => tag !== '');
  return {
    name: name.trim().slice(0, 200).trim(),
    tags: [...new Set(known)].slice(0, 30),
    note: note.slice(0, 10_000),
  };
}

/** Splits at semicolons, as the export writes them, or commas; a backslash makes one part of the tag. */
function readTags(text: string): string[] {
  return (text.match(/(?:\\[\s\S]|[^;,\\])+/g) ?? []).map((tag) => tag.replaceAll(/\\([\\;,])/g, '$1'));
}

/** Maps columns by their headings; undefined if the cells are not a header: one known name and no digit. */
function readHeader(cells: readonly string[]): (ImportColumn | null)[] | undefined {
  const names = cells.map((cell) => headerNames[cell.trim().toLowerCase()] ?? null);
  const isHeader = names.some((name) => name !== null) || (cells.length > 1 && !cells.some((cell) => /\d/.test(cell)));
  return isHeader ? names : undefined;
}

/** Returns the line, from 1, of an unclosed quote; undefined if there is none. */
function unclosedQuote(plain: string): number | undefined {
  const { errors } = Papa.parse<string[]>(plain, { delimiter: delimiterOf(plain) });
  const open = errors.find(({ code }) => code === 'MissingQuotes');
  return open && plain.slice(0, open.index).split(/\r\n|\n|\r/).length;
}

function readRows(plain: string): { line: number; cells: string[] }[] {
  const { data } = Papa.parse<string[]>(plain, { delimiter: delimiterOf(plain) });
  let line = 1;
  return data.flatMap((cells) => {
    const at = line;
    line += 1 + cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 0);
    const isSilent =
      cells.every((cell) => cell.trim() === '') ||
      cells[0]?.trim().startsWith('#') ||
      (at === 1 && separatorForm.test(plain));
    return isSilent ? [] : [{ line: at, cells: cells.map(unguarded) }];
  });
}

/** The line with which a spreadsheet names the delimiter. */
const separatorForm = /^"?sep=([^"\r\n])"?(?:[\r\n]|$)/i;

/** Returns the delimiter after which the first line starts with a number or a column name: `45,07;7,69` uses semicolons. */
function delimiterOf(text: string): string {
  const [, named] = separatorForm.exec(text) ?? [];
  if (named !== undefined) return named;
  const first = text.split(/[\r\n]+/).find((line) => line.trim() !== '' && !line.trim().startsWith('#')) ?? '';
  const fits = (delimiter: string) => {
    const [cell = ''] = first.split(delimiter);
    const word = cell.replaceAll('"', '').trim().toLowerCase();
    return first.includes(delimiter) && (/^[+−-]?\d+([.,]\d+)?$/.test(word) || headerNames[word] !== undefined);
  };
  const known = ['\t', ';'].find(fits);
  if (known !== undefined || /\d/.test(first)) return known ?? ',';
  // Unknown headings: the most frequent delimiter.
  const count = (delimiter: string) => first.split(delimiter).length;
  return [',', ';', '\t'].toSorted((one, other) => count(other) - count(one))[0] ?? ',';
}
