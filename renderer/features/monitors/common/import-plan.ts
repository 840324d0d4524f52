// "Create many": reads pasted `lat,lng[,callback]` lines or CSV with a header, and plans what an import would do, line by line,
// before anything is sent. Reading the same file again plans nothing: what is there already is skipped.
import Papa from 'papaparse';
import type { AppMonitor, MonitorNotes } from '#contract/app-rpc/monitors.ts';
import { parseDegrees } from '#renderer/ui/text/coordinate-text.ts';
import { parseCallbackAddress } from '#renderer/ui/text/parse-callback-address.ts';
import { fileColumns, unguarded } from './monitor-files.ts';
import type { MonitorDraft } from './monitors-slice.ts';

type Planned =
  | { kind: 'create'; draft: MonitorDraft; notes: MonitorNotes }
  | { kind: 'skip'; words: string }
  | { kind: 'error'; words: string };

/** `line`: as an editor counts them. */
export type PlannedRow = Planned & { line: number; cells: string };

type Column = (typeof fileColumns)[number];

const headerNames: Readonly<Record<string, Column>> = {
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
};

const withoutHeader: readonly Column[] = ['lat', 'lng', 'callback_uri', 'name', 'tags', 'note'];
const rowLimit = 20_000;

type Surroundings = {
  existing: readonly AppMonitor[];
  /** Null: not told by the service. */ monitorLimit: number | null;
};

/** One entry per line that says something; empty lines and lines that begin with # say nothing. */
export function planImport(text: string, { existing, monitorLimit }: Surroundings): readonly PlannedRow[] {
  const open = unclosedQuote(text);
  if (open !== undefined) {
    const words =
      'A quote opens in this line and is never closed, so nothing was read. Close it, or write "" for a quote.';
    return [{ line: open, cells: '', kind: 'error', words }];
  }
  const rows = readRows(text);
  const [first] = rows;
  if (!first) return [];
  const header = readHeader(first.cells);
  if (header && !(header.includes('lat') && header.includes('lng'))) {
    return [
      { line: first.line, cells: first.cells.join(', '), kind: 'error', words: 'The header must name lat and lng.' },
    ];
  }
  const body = header ? rows.slice(1) : rows;
  const places = knownPlaces(existing);
  let room = monitorLimit === null ? Infinity : Math.max(0, monitorLimit - existing.length);
  const planned = body.slice(0, rowLimit).map(({ line, cells }): PlannedRow => {
    const row = planRow(cells, header ?? withoutHeader, places, line);
    const isOver = row.kind === 'create' && room <= 0;
    if (row.kind === 'create') room -= 1;
    const words = `The plan allows ${monitorLimit} monitors, and they are used up before this line.`;
    const plan: Planned = isOver ? { kind: 'error', words } : row;
    return { ...plan, line, cells: cells.join(', ') };
  });
  const [beyond] = body.slice(rowLimit);
  if (!beyond) return planned;
  const words = `From this line on nothing is read: at most ${rowLimit} lines at once.`;
  return [...planned, { line: beyond.line, cells: '', kind: 'error', words }];
}

/** Which monitors are there, by place and address; `null` stands for an address that the service does not tell. */
type KnownPlaces = Map<string, Map<string | null, string>>;

const thisApp = '(this app)';

function knownPlaces(existing: readonly AppMonitor[]): KnownPlaces {
  const places: KnownPlaces = new Map();
  for (const { id, geo, callbackUri, toThisApp } of existing) {
    notePlace(places, geo, callbackUri, id);
    if (toThisApp) notePlace(places, geo, thisApp, id);
  }
  return places;
}

function notePlace(places: KnownPlaces, geo: MonitorDraft['geo'], address: string | null, holder: string): void {
  const key = placeKey(geo);
  const there = places.get(key) ?? new Map<string | null, string>();
  if (!there.has(address)) there.set(address, holder);
  places.set(key, there);
}

function placeKey({ lat, lng }: MonitorDraft['geo']): string {
  return `${lat} ${lng}`;
}

function planRow(
  cells: readonly string[],
  columns: readonly (Column | null)[],
  places: KnownPlaces,
  line: number,
): Planned {
  if (cells.length > columns.length)
    return {
      kind: 'error',
      words: `${cells.length} cells, but ${columns.length} are known here. Put text with commas into quotes.`,
    };
  const cell = (name: Column) => (cells[columns.indexOf(name)] ?? '').trim();
  const lat = parseDegrees(cell('lat'), 'Latitude');
  const lng = parseDegrees(cell('lng'), 'Longitude');
  const typed = cell('callback_uri');
  const address = typed === '' || typed === 'this app' ? null : parseCallbackAddress(typed);
  const problems = [lat, lng, address].flatMap((part) => (part && !part.ok ? [part.problem] : []));
  if (!lat.ok || !lng.ok || address?.ok === false) return { kind: 'error', words: problems.join(' ') };
  const draft: MonitorDraft = {
    geo: { lat: lat.value, lng: lng.value },
    callback: address?.ok ? { kind: 'address', uri: address.value } : { kind: 'this-app' },
  };
  const wanted = address?.ok ? address.value : thisApp;
  const there = places.get(placeKey(draft.geo));
  const same = there?.get(wanted);
  if (same !== undefined) return { kind: 'skip', words: `Already there: ${same} has this place and callback.` };
  const shy = there?.get(null);
  if (shy !== undefined)
    return { kind: 'skip', words: `${shy} is at this place already; the service does not tell where it calls.` };
  notePlace(places, draft.geo, wanted, `line ${line}`);
  return {
    kind: 'create',
    draft,
    notes: { name: cell('name').slice(0, 200), tags: readTags(cell('tags')), note: cell('note').slice(0, 10_000) },
  };
}

/** Separated by semicolons, as the export writes them, or by commas. */
function readTags(text: string): string[] {
  const tags = text.split(/[;,]/).map((tag) => tag.trim().slice(0, 60));
  return [...new Set(tags.filter((tag) => tag !== ''))].slice(0, 30);
}

function readHeader(cells: readonly string[]): (Column | null)[] | undefined {
  const names = cells.map((cell) => headerNames[cell.trim().toLowerCase()] ?? null);
  return names.some((name) => name !== null) ? names : undefined;
}

/** The line, from 1, of a quote that the text never closes; undefined if there is none. */
function unclosedQuote(text: string): number | undefined {
  const plain = text.replace(/^\uFEFF/, '');
  const { errors } = Papa.parse<string[]>(plain, { delimiter: delimiterOf(plain) });
  if (!errors.some(({ code }) => code === 'MissingQuotes')) return undefined;
  const delimiter = delimiterOf(plain);
  let [line, isQuoted, isStart, openedAt] = [1, false, true, 1];
  for (let at = 0; at < plain.length; at += 1) {
    const letter = plain[at];
    if (letter === '\n') line += 1;
    if (isQuoted) {
      if (letter === '"' && plain[at + 1] === '"') at += 1;
      else if (letter === '"') isQuoted = false;
    } else if (letter === '"' && isStart) [isQuoted, openedAt] = [true, line];
    isStart = !isQuoted && (letter === delimiter || letter === '\n' || letter === '\r');
  }
  return openedAt;
}

function readRows(text: string): { line: number; cells: string[] }[] {
  const plain = text.replace(/^\uFEFF/, '');
  const { data } = Papa.parse<string[]>(plain, { delimiter: delimiterOf(plain) });
  let line = 1;
  return data.flatMap((cells) => {
    const at = line;
    line += 1 + cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 0);
    const isSilent = cells.every((cell) => cell.trim() === '') || cells[0]?.trim().startsWith('#');
    return isSilent ? [] : [{ line: at, cells: cells.map((cell) => unguarded(cell.trim())) }];
  });
}

/** The one after which the first line begins with a number or a column's name: `45,07;7,69` is written with semicolons. */
function delimiterOf(text: string): string {
  const first = text.split(/[\r\n]+/).find((line) => line.trim() !== '' && !line.trim().startsWith('#')) ?? '';
  const fits = (delimiter: string) => {
    const [cell = ''] = first.split(delimiter);
    const word = cell.replaceAll('"', '').trim().toLowerCase();
    return first.includes(delimiter) && (/^[+−-]?\d+([.,]\d+)?$/.test(word) || headerNames[word] !== undefined);
  };
  return ['\t', ';'].find(fits) ?? ',';
}
