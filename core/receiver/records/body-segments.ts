// Long bodies are in append-only files next to app.sqlite, 64 MB each, because SQLite would write every page of them twice. They
// are on disk before the row that names them. A file is deleted only if its last callback was deleted on purpose.
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writevSync,
} from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { makePrivateFolder, syncFolder } from '@rainbell/shared/node';
import type { ChunkedBody } from '../requests/received-callback.ts';

/** Longer bodies are stored in segments. */
export const maxInlineBytes = 4096;
const segmentBytes = 64 * 1024 * 1024;

export type BodyPlace = { segment: number; offset: number };

export function segmentFolder(databaseFile: string): string {
  return `${databaseFile}-bodies`;
}

type OpenSegment = { number: number; descriptor: number; end: number };

/**
 * Until a row on disk names it, a file has this ending: after a crash, such files contain only what was not acknowledged to a
 * sender.
 */
const unconfirmedEnding = '.new';

export function openBodySegments(db: DatabaseSync) {
  const folder = segmentFolder(db.location() ?? '');
  const isNamed = db.prepare('SELECT 1 FROM callback_bodies WHERE segment = ? LIMIT 1');
  const newest = db.prepare('SELECT max(segment) AS segment FROM callback_bodies').get()?.['segment'];
  let next = Math.max(Number(newest ?? 0), ...filesIn(folder).map(numberOf)) + 1;
  let open: OpenSegment | undefined;
  let unconfirmed: number | undefined;

  function start(): OpenSegment {
    if (open) closeSync(open.descriptor);
    makePrivateFolder(folder);
    const file = segmentFile(folder, next) + unconfirmedEnding;
    open = { number: next, descriptor: openSync(file, 'wx', 0o600), end: 0 };
    unconfirmed = next;
    next += 1;
    // The file's name must be on disk as well.
    syncFolder(folder);
    return open;
  }

  function writeAll(segment: OpenSegment, chunks: readonly Buffer[], position: number): void {
    let rest = chunks;
    let at = position;
    while (rest.length > 0) {
      const written = writevSync(segment.descriptor, rest, at);
      if (written === 0) throw Object.assign(new Error('nothing could be written'), { code: 'EIO' });
      at += written;
      rest = restAfter(rest, written);
    }
  }

  return {
    /** On disk when it returns; `places` are in the order of the bodies. */
    append(bodies: readonly (Buffer | ChunkedBody)[]): BodyPlace[] {
      if (bodies.length === 0) return [];
      const segment = open && open.end < segmentBytes ? open : start();
      let { end } = segment;
      const places = bodies.map(({ length }) => {
        const offset = end;
        end += length;
        return { segment: segment.number, offset };
      });
      writeAll(
        segment,
        bodies.flatMap((body) => ('chunks' in body ? body.chunks : [body])),
        segment.end,
      );
      fdatasyncSync(segment.descriptor);
      segment.end = end;
      return places;
    },
    /** Call it when the rows that name what was appended are on disk. */
    confirm() {
      if (unconfirmed === undefined) return;
      renameSync(segmentFile(folder, unconfirmed) + unconfirmedEnding, segmentFile(folder, unconfirmed));
      unconfirmed = undefined;
    },
    /** Deletes these files if no row names them any more. */
    drop(segments: readonly number[]) {
      for (const number of segments) {
        if (number !== open?.number && !isNamed.get(number)) rmSync(segmentFile(folder, number), { force: true });
      }
    },
    close() {
      if (open) closeSync(open.descriptor);
      open = undefined;
    },
  };
}

function restAfter(chunks: readonly Buffer[], written: number): readonly Buffer[] {
  let left = written;
  let index = 0;
  for (let chunk = chunks[0]; chunk && left >= chunk.length; chunk = chunks[index]) {
    left -= chunk.length;
    index += 1;
  }
  const rest = chunks.slice(index);
  const [first] = rest;
  return first ? [first.subarray(left), ...rest.slice(1)] : rest;
}

function segmentFile(folder: string, number: number): string {
  return join(folder, `${number}.bodies`);
}

function filesIn(folder: string): string[] {
  return statSync(folder, { throwIfNoEntry: false }) ? readdirSync(folder) : [];
}

/** Returns 0 for the name of an unrelated file. */
function numberOf(name: string): number {
  return Number(/^(\d+)\.bodies/.exec(name)?.[1] ?? 0);
}

/** At most `length` bytes of a body; undefined if the file is gone or shorter. */
export function readBody(databaseFile: string, { segment, offset }: BodyPlace, length: number): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    const file = segmentFile(segmentFolder(databaseFile), segment);
    descriptor = openSync(existsSync(file) ? file : file + unconfirmedEnding, 'r');
    const body = Buffer.allocUnsafe(length);
    return readSync(descriptor, body, 0, length, offset) === length ? body : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** The number of bodies whose file is gone, or ends before they do. */
export function countMissingBodies(db: DatabaseSync): number {
  const folder = segmentFolder(db.location() ?? '');
  const sizes = filesIn(folder).map((name) => [numberOf(name), statSync(join(folder, name)).size]);
  return Number(db.prepare(missingSql).get(JSON.stringify(Object.fromEntries(sizes)))?.['count']);
}

const bodiesSql = 'callback_bodies JOIN callbacks ON id = callback_id';
const isMissing = 'offset + size_bytes > coalesce((SELECT value FROM json_each(?1) WHERE key = segment), 0)';
/** The last body of each file shows whether others have to be checked. */
const missingSql = `SELECT count(*) AS count FROM ${bodiesSql} WHERE ${isMissing} AND segment IN (SELECT segment FROM ${bodiesSql}
  WHERE ${isMissing} AND callback_id IN (SELECT max(callback_id) FROM callback_bodies GROUP BY segment))`;

/** Removes the files of lost callbacks, which are kept with the damaged database. Their numbers are not given again. */
export function dropUnnamed(db: DatabaseSync): void {
  const folder = segmentFolder(db.location() ?? '');
  const isNamed = db.prepare('SELECT 1 FROM callback_bodies WHERE segment = ? LIMIT 1');
  const unnamed = filesIn(folder).filter((name) => numberOf(name) > 0 && !isNamed.get(numberOf(name)));
  for (const name of unnamed) rmSync(join(folder, name));
  const newest = Math.max(0, ...unnamed.map(numberOf));
  if (newest > 0) writeFileSync(segmentFile(folder, newest), '', { mode: 0o600 });
}

/** Call it at the start, while nothing else uses the folder: ends what a crash interrupted. */
export function settleSegments(db: DatabaseSync): void {
  const folder = segmentFolder(db.location() ?? '');
  const isNamed = db.prepare('SELECT 1 FROM callback_bodies WHERE segment = ? LIMIT 1');
  const isRemoved = db.prepare('SELECT 1 FROM removed_segments WHERE segment = ?');
  for (const name of filesIn(folder)) {
    const [number, file] = [numberOf(name), join(folder, name)];
    if (number === 0) continue;
    if (isNamed.get(number)) {
      if (name.endsWith(unconfirmedEnding)) renameSync(file, segmentFile(folder, number));
    } else if (name.endsWith(unconfirmedEnding) || isRemoved.get(number)) {
      rmSync(file, { force: true });
    }
  }
  db.exec('DELETE FROM removed_segments');
}
