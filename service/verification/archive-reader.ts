// Reads an archive (archive-format.ts): a whole folder for `npm run verify`, or the area around one place. Counts and skips
// unreadable lines, such as a last one cut off by a crash.
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import type { LatLng } from '#contract/service-api/geo.ts';
import {
  archiveLineSchema,
  dayOf,
  maxLineLength,
  recordedForecast,
  recordedObservation,
  recordedRadar,
  type RecordedForecast,
  type RecordedObservation,
  type RecordedRadar,
  tileOf,
} from './archive-format.ts';

/** The recorded data by cell, in order of time. */
export type Archive = {
  forecasts: ReadonlyMap<string, readonly RecordedForecast[]>;
  radars: ReadonlyMap<string, readonly RecordedRadar[]>;
  observations: readonly RecordedObservation[];
  lines: number;
  skippedLines: number;
  /** The archive was not read completely, because it was too large or the time was up. */
  isPartial: boolean;
};

export type ArchiveSelection = {
  from?: number;
  until?: number;
  /** Reads only files around this place, which is within `aroundKm` of its airports and neighbors. */
  around?: { place: LatLng; km: number };
  maxBytes?: number;
  /** Returns true to stop and return the data read so far. */
  isOver?: () => boolean;
};

const dayMs = 86_400_000;
const defaultMaxBytes = 2 * 1024 ** 3;
const fileForm = /^(?<tile>-?\d{1,2},-?\d{1,3})\.ndjson(?:\.gz)?$/;
const dayForm = /^\d{4}-\d{2}-\d{2}$/;
const kmPerDegree = 111.19;

/** `path`: the folder, or one of its files. Throws if it can't be opened. */
export async function readArchive(path: string, selection: ArchiveSelection = {}): Promise<Archive> {
  const forecasts = new Map<string, RecordedForecast[]>();
  const radars = new Map<string, RecordedRadar[]>();
  const observations: RecordedObservation[] = [];
  const counts = { lines: 0, skippedLines: 0 };
  let left = selection.maxBytes ?? defaultMaxBytes;
  let isPartial = false;
  const { from = -Infinity, until = Infinity, isOver = () => false } = selection;

  function take(text: string): void {
    counts.lines += 1;
    const line = text.length > maxLineLength ? undefined : archiveLineSchema.safeParse(parse(text)).data;
    if (line === undefined) {
      counts.skippedLines += 1;
      return;
    }
    if (line.kind === 'rainbell-archive' || line.at * 1000 < from || line.at * 1000 >= until) return;
    if (line.kind === 'forecast') push(forecasts, line.cell, recordedForecast(line));
    else if (line.kind === 'radar') push(radars, line.cell, recordedRadar(line));
    else observations.push(recordedObservation(line));
  }

  for (const file of await filesOf(path, selection)) {
    if (isOver() || left <= 0) {
      isPartial = true;
      break;
    }
    // A cut-off or damaged file still returns the lines before.
    try {
      for await (const text of linesOf(file)) {
        left -= text.length + 1;
        if (left <= 0 || (counts.lines % 1_000 === 0 && isOver())) {
          isPartial = true;
          break;
        }
        if (text !== '') take(text);
      }
    } catch {
      counts.skippedLines += 1;
    }
  }
  for (const each of [...forecasts.values(), ...radars.values(), observations]) each.sort((a, b) => a.at - b.at);
  return { forecasts, radars, observations, ...counts, isPartial };
}

function push<Entry>(map: Map<string, Entry[]>, key: string, entry: Entry): void {
  const entries = map.get(key);
  if (entries) entries.push(entry);
  else map.set(key, [entry]);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const bytes = createReadStream(file);
  const input = file.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes;
  bytes.on('error', (error) => void input.destroy(error));
  try {
    let rest = '';
    for await (const chunk of input.setEncoding('utf8')) {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
      // A file without line breaks is not an archive.
      if (rest.length > maxLineLength) throw new Error('A line is too long.');
    }
    yield rest;
  } finally {
    bytes.destroy();
    input.destroy();
  }
}

async function filesOf(path: string, { from, until, around }: ArchiveSelection): Promise<string[]> {
  if ((await stat(path)).isFile()) return [path];
  const tiles = around && tilesAround(around.place, around.km);
  const first = from === undefined ? '' : dayOf(from - dayMs);
  const last = until === undefined ? '9999' : dayOf(until);
  const days = (await readdir(path)).filter((day) => dayForm.test(day) && day >= first && day <= last).toSorted();
  const files = await Promise.all(
    days.map(async (day) => {
      const names = await readdir(join(path, day));
      const wanted = names.filter((name) => {
        const tile = fileForm.exec(name)?.groups?.['tile'];
        return tile !== undefined && (tiles === undefined || tiles.has(tile));
      });
      return wanted.toSorted().map((name) => join(path, day, name));
    }),
  );
  return files.flat();
}

function tilesAround({ lat, lng }: LatLng, km: number): ReadonlySet<string> {
  const north = km / kmPerDegree;
  const east = Math.min(180, north / Math.max(0.01, Math.cos((lat * Math.PI) / 180)));
  const tiles = new Set<string>();
  for (let up = Math.floor(Math.max(-90, lat - north)); up <= Math.min(90, lat + north); up += 1) {
    for (let right = Math.floor(lng - east); right <= lng + east; right += 1) {
      tiles.add(tileOf({ lat: up, lng: ((((right + 180) % 360) + 360) % 360) - 180 }));
    }
  }
  return tiles;
}
