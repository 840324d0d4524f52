// Copies of a database that is in use, in the folder `backups` beside it: made daily, before an upgrade, and on request. A copy is
// a folder with the database and its body files; its name is its time.
import { copyFileSync, existsSync, linkSync, readdirSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { parseTimestamp } from '../time/timestamp.ts';
import { type Clock, dayMs } from '../time/clock.ts';
import { copyDatabase } from './copy-database.ts';
import { createEmptyFile } from './open-database-file.ts';
import { fileStamp, makePrivateFolder, syncFile, syncFolder } from './private-files.ts';

export type DatabaseCopy = {
  name: string;
  /** ISO 8601, UTC. */
  createdAt: string;
  bytes: number;
  /** False if the body files were left out. */
  hasBodies: boolean;
};

const keptCopies = 3;
/** Larger body files would multiply what the data folder takes. */
const maxBodyBytes = 256 * 1024 * 1024;
const withoutBodies = '-without-long-bodies';
const namePattern = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z(?:-without-long-bodies)?$/;
const bodyPattern = /^\d+\.bodies$/;

export function bodiesOf(file: string): string {
  return `${file}-bodies`;
}

/** The path of the database inside a copy. */
export function copiedFile(file: string, name: string): string {
  return join(homeOf(file), name, basename(file));
}

/** The copies of a database, newest first. */
export function listCopies(file: string): DatabaseCopy[] {
  return namesIn(homeOf(file))
    .filter((name) => namePattern.test(name))
    .toSorted()
    .toReversed()
    .map((name) => describeCopy(file, name));
}

/** Copies the database in a separate thread. An aborted `signal` leaves nothing behind. */
export async function createCopy(file: string, clock: Clock, signal?: AbortSignal): Promise<DatabaseCopy> {
  const draft = startCopy(file, clock);
  try {
    await copyDatabase(file, draft.database, signal);
    return draft.finish();
  } catch (error) {
    draft.remove();
    signal?.throwIfAborted();
    throw error;
  }
}

/** Copies an open database before its schema changes. */
export function createCopyNow(db: DatabaseSync, file: string, clock: Clock): DatabaseCopy {
  const draft = startCopy(file, clock);
  try {
    db.prepare('VACUUM INTO ?').run(draft.database);
    return draft.finish();
  } catch (error) {
    draft.remove();
    throw error;
  }
}

const firstLookMs = 60_000;
const lookMs = 3_600_000;

export type DailyCopies = {
  file: string;
  clock: Clock;
  create: (signal: AbortSignal) => Promise<unknown>;
  onFailed: (error: unknown) => void;
};

/** Copies a database whose newest copy is a day old, which also finds damage that no query meets. Returns a function that ends it. */
export function keepDailyCopies({ file, clock, create, onFailed }: DailyCopies): () => Promise<void> {
  const ending = new AbortController();
  let copying: Promise<unknown> = Promise.resolve();
  let cancelTimer = clock.after(firstLookMs, look);

  function look(): void {
    cancelTimer = clock.after(lookMs, look);
    copying = copyIfOld().catch((error: unknown) => {
      if (!ending.signal.aborted) onFailed(error);
    });
  }

  async function copyIfOld(): Promise<void> {
    const [newest] = listCopies(file);
    const age = newest ? clock.now() - (parseTimestamp(newest.createdAt) ?? 0) : Infinity;
    // A clock that was set back must not stop the copies.
    if (age >= 0 && age < dayMs) return;
    requireSpace(file);
    await create(ending.signal);
  }

  return async () => {
    cancelTimer();
    ending.abort();
    await copying;
  };
}

/** A copy that no one requested must not fill the disk. */
function requireSpace(file: string): void {
  const { bavail, bsize } = statfsSync(dirname(file));
  if (bavail * bsize < 2 * statSync(file).size) {
    throw Object.assign(new Error('too little free space for a copy'), { code: 'ENOSPC' });
  }
}

function startCopy(file: string, clock: Clock) {
  const home = homeOf(file);
  const bodies = bodiesOf(file);
  const hasBodies = sizeOf(bodies) <= maxBodyBytes;
  const name = `${fileStamp(clock)}${hasBodies ? '' : withoutBodies}`;
  const folder = join(home, `${name}.new`);
  makePrivateFolder(home);
  for (const other of namesIn(home)) {
    if (other.endsWith('.new')) rmSync(join(home, other), { recursive: true, force: true });
  }
  makePrivateFolder(folder);
  const database = join(folder, basename(file));
  createEmptyFile(database);
  const hold = () => {
    if (hasBodies) linkBodies(bodies, bodiesOf(database));
  };
  // Linked before, because retention may delete the files of what is copied; and after, because a body is on disk before its row.
  hold();
  return {
    database,
    finish(): DatabaseCopy {
      hold();
      syncFile(database);
      syncFolder(folder);
      renameSync(folder, join(home, name));
      syncFolder(home);
      for (const old of listCopies(file).slice(keptCopies)) rmSync(join(home, old.name), { recursive: true });
      return describeCopy(file, name);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Gives the body files a second name in `target`, except those that it has already. Their bytes never change. */
export function linkBodies(source: string, target: string): void {
  const names = namesIn(source).filter((name) => bodyPattern.test(name));
  if (names.length > 0) makePrivateFolder(target);
  for (const name of names) {
    const [from, to] = [join(source, name), join(target, name)];
    if (existsSync(to)) continue;
    try {
      linkSync(from, to);
    } catch {
      // A file system without hard links; or the file is gone, and then no row names it anymore.
      if (existsSync(from)) copyFileSync(from, to);
    }
  }
  if (names.length > 0) syncFolder(target);
}

function describeCopy(file: string, name: string): DatabaseCopy {
  const database = copiedFile(file, name);
  const [, day, ...time] = namePattern.exec(name) ?? [];
  const [hours, minutes, seconds, milliseconds] = time;
  return {
    name,
    createdAt: `${day}T${hours}:${minutes}:${seconds}.${milliseconds}Z`,
    bytes: (statSync(database, { throwIfNoEntry: false })?.size ?? 0) + sizeOf(bodiesOf(database)),
    hasBodies: !name.endsWith(withoutBodies),
  };
}

function homeOf(file: string): string {
  return join(dirname(file), 'backups');
}

function sizeOf(folder: string): number {
  return namesIn(folder).reduce(
    (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
