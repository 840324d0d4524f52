// Long bodies lie beside app.sqlite in append-only files of some megabytes each, since SQLite would write every page of them
// twice. They are on disk before the row that names them; bytes that no row names, after a crash, are overwritten or removed. A file goes when its last callback went.
import {
  closeSync,
  fdatasyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writevSync,
} from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { ChunkedBody } from './received-callback.ts';

/** Longer bodies lie in segments. */
export const longestInlineBytes = 4096;
const segmentBytes = 64 * 1024 * 1024;

export type BodyPlace = { segment: number; offset: number };

export type BodySegments = {
  /** On disk when it returns; `places` are in the order of the bodies. */
  append: (bodies: readonly (Buffer | ChunkedBody)[]) => BodyPlace[];
  /** Removes these segments where no row names them any more. */
  drop: (segments: readonly number[]) => void;
  close: () => void;
};

export function segmentFolder(databaseFile: string): string {
  return `${databaseFile}-bodies`;
}

type OpenSegment = { number: number; descriptor: number; end: number };

export function openBodySegments(db: DatabaseSync): BodySegments {
  const folder = segmentFolder(db.location() ?? '');
  const isNamed = db.prepare('SELECT 1 FROM callback_bodies WHERE segment = ? LIMIT 1');
  const newest = db.prepare('SELECT max(segment) AS segment FROM callback_bodies').get()?.['segment'];
  /** The one after those that rows name: what a crash left without rows is begun anew. */
  let next = Number(newest ?? 0) + 1;
  let open: OpenSegment | undefined;
  removeOrphans();

  function removeOrphans(): void {
    for (const name of filesIn(folder)) {
      const number = Number(/^(\d+)\.bodies$/.exec(name)?.[1] ?? Number.NaN);
      if (!Number.isNaN(number) && !isNamed.get(number)) rmSync(join(folder, name), { force: true });
    }
  }

  function begin(): OpenSegment {
    if (open) closeSync(open.descriptor);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    open = { number: next, descriptor: openSync(segmentFile(folder, next), 'w', 0o600), end: 0 };
    next += 1;
    // The file's name must be on disk as well.
    syncFolder(folder);
    return open;
  }

  function writeAll(segment: OpenSegment, chunks: readonly Buffer[], position: number): void {
    let rest = chunks;
    let at = position;
    while (rest.length > 0) {
      const written = writevSync(segment.descriptor, rest.slice(0, longestVector), at);
      if (written === 0) throw Object.assign(new Error('nothing could be written'), { code: 'EIO' });
      at += written;
      rest = restAfter(rest, written);
    }
  }

  return {
    append(bodies) {
      if (bodies.length === 0) return [];
      const segment = open && open.end < segmentBytes ? open : begin();
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
    drop(segments) {
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

/** The system takes so many buffers at once. */
const longestVector = 1000;

function restAfter(chunks: readonly Buffer[], written: number): readonly Buffer[] {
  let left = written;
  let index = 0;
  for (let chunk = chunks[0]; chunk && left >= chunk.length; chunk = chunks[index]) {
    left -= chunk.length;
    index += 1;
  }
  const rest = chunks.slice(index);
  const [first] = rest;
  return first && left > 0 ? [first.subarray(left), ...rest.slice(1)] : rest;
}

function segmentFile(folder: string, number: number): string {
  return join(folder, `${number}.bodies`);
}

function filesIn(folder: string): string[] {
  return statSync(folder, { throwIfNoEntry: false }) ? readdirSync(folder) : [];
}

function syncFolder(folder: string): void {
  // Windows opens no folders, and keeps names by itself.
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fdatasyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** At most `length` bytes of a body; undefined where the file is gone or shorter. */
export function readBody(databaseFile: string, { segment, offset }: BodyPlace, length: number): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(segmentFile(segmentFolder(databaseFile), segment), 'r');
    const body = Buffer.allocUnsafe(length);
    return readSync(descriptor, body, 0, length, offset) === length ? body : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** The bodies go where their damaged database goes. */
export function setSegmentsAside(databaseFile: string, keptFile: string): void {
  const folder = segmentFolder(databaseFile);
  if (statSync(folder, { throwIfNoEntry: false })) renameSync(folder, segmentFolder(keptFile));
}
