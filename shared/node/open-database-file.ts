// Opening a database, for app and service: a new file is never visible empty, and a failure names its real cause.
import { accessSync, closeSync, constants, existsSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describeStorageError, storageCauseOf, storageRemedy } from '../errors/storage-error.ts';
import { privateFileMode, publishFile } from './private-files.ts';
import { systemCode } from '../errors/system-code.ts';

/** Creates the file with a complete header unless it exists, so that an empty file always means damage. */
export function createDatabaseFile(file: string): void {
  if (existsSync(file)) return;
  const draft = `${file}.${randomUUID()}.new`;
  createEmptyFile(draft);
  try {
    const db = new DatabaseSync(draft);
    try {
      db.exec('PRAGMA journal_mode = WAL');
    } finally {
      db.close();
    }
    publishFile(draft, file);
  } finally {
    for (const suffix of ['', '-wal', '-shm']) rmSync(draft + suffix, { force: true });
  }
}

/** Creates an empty private file: SQLite uses its mode for the log and index files. */
export function createEmptyFile(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true });
  closeSync(openSync(file, 'ax', privateFileMode));
}

/** Why a database or its folder cannot be used, and what to do: "the disk is full", "Free some space on that disk". */
export function explainStorageError(error: unknown, file: string): { phrase: string; remedy: string } {
  const better = isVague(error) ? probe(file) : undefined;
  const cause = storageCauseOf(better) ?? storageCauseOf(error);
  return {
    phrase: describeStorageError(better) ?? describeStorageError(error) ?? ownMessage(error),
    remedy: storageRemedy(cause ?? 'not-opened'),
  };
}

function isVague(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (!('errcode' in error)) return isVague(error.cause);
  const cause = storageCauseOf(error);
  return cause === 'not-opened' || cause === 'unreadable' || cause === 'read-only';
}

function ownMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = systemCode(error);
  return code === undefined || code.startsWith('ERR_') ? error.message : code;
}

/** Does what SQLite does in and next to the file, and returns the system's error. */
function probe(file: string): unknown {
  const trial = join(dirname(file), `.rainbell-${randomUUID()}`);
  try {
    if (existsSync(file)) accessSync(file, constants.R_OK | constants.W_OK);
    writeFileSync(trial, Buffer.alloc(64 * 1024), { mode: privateFileMode });
    return undefined;
  } catch (refusal) {
    return refusal;
  } finally {
    rmSync(trial, { force: true });
  }
}
