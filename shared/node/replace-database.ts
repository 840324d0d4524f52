// Puts a copy, or nothing, in the place of a database that is damaged, or to be restored. The old files
// are moved into a folder beside it, unchanged. A plan is written before the first move, so that a killed process leaves the rest to
// the next start.
import { constants, copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { formatInstant } from '../time/timestamp.ts';
import type { Clock } from '../time/clock.ts';
import { isDamage } from '../errors/storage-error.ts';
import { clearFound, foundDetail, saveReport } from './damage-reports.ts';
import { bodiesOf, copiedFile, linkBodies, listCopies } from './database-copies.ts';
import { explainStorageError } from './open-database-file.ts';
import { fileStamp, makePrivateFolder, syncFile, syncFolder, writePrivateFile } from './private-files.ts';

const planSchema = z.object({
  reason: z.enum(['damaged', 'before-restore']),
  /** The damage, to follow "because". */
  detail: z.string(),
  /** The name of the copy; null to start empty. */
  copy: z.string().nullable(),
  /** The folder of the old files; null until the new ones are ready. */
  keptIn: z.string().nullable(),
  /** All old files are in it. */
  isMoved: z.boolean(),
});
export type Replacement = z.infer<typeof planSchema>;

export type ReplaceOptions = {
  file: string;
  clock: Clock;
  /** Whether another version made a database, which this one can't use. */
  isForeign: (db: DatabaseSync) => boolean;
};

/** Reading a larger file would delay each start (60 to 400 ms per 100 MB); the daily copy reads it. */
const checkedAtStartBytes = 16 * 1024 * 1024;

/** SQLite's smallest page. */
const minBytes = 512;

/**
 * Call it before the database is opened, while no process has it open. Returns what was put into its place; then open it, and
 * call `finishReplacement`. Adds sentences for the user to `remarks`. Throws errors of the file system, for example on a full disk;
 * the next start goes on.
 */
export function replaceIfNeeded(options: ReplaceOptions, remarks: string[]): Replacement | undefined {
  const { file } = options;
  const planned = readPlan(file);
  if (planned && planned.keptIn !== null) return moveFiles(file, planned);
  if (planned?.copy != null) {
    const problem = describeProblem(options, planned.copy);
    if (problem === undefined) return replace(options, planned);
    cancelPlan(file);
    remarks.push(`The backup from ${formatTime(planned.copy)} was not restored: ${problem}. Your data is unchanged.`);
  }
  const detail = findDamage(options);
  if (detail === undefined) return undefined;
  const copy = listCopies(file).find(({ name }) => describeProblem(options, name) === undefined)?.name;
  return replace(options, { reason: 'damaged', detail, copy: copy ?? null, keptIn: null, isMoved: false });
}

export function planRestore(file: string, copy: string): void {
  writePlan(file, { reason: 'before-restore', detail: '', copy, keptIn: null, isMoved: false });
}

export function cancelPlan(file: string): void {
  rmSync(planFile(file), { force: true });
}

/** The copy that the next start restores. */
export function pendingRestore(file: string): string | null {
  return readPlan(file)?.copy ?? null;
}

/** Why a copy can't be used, without a period; undefined if it can. */
export function describeProblem({ file, isForeign }: Pick<ReplaceOptions, 'file' | 'isForeign'>, copy: string) {
  const database = copiedFile(file, copy);
  const size = statSync(database, { throwIfNoEntry: false })?.size;
  if (size === undefined) return `${basename(file)} is missing`;
  if (size < minBytes) return 'it is damaged';
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(database, { readOnly: true });
    if (isForeign(db)) return 'it was made by another version of Rainbell';
    return isSound(db) ? undefined : 'it is damaged';
  } catch (error) {
    return isDamage(error) ? 'it is damaged' : explainStorageError(error, database).phrase;
  } finally {
    db?.close();
  }
}

function findDamage({ file, isForeign }: ReplaceOptions): string | undefined {
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined) return hasRemains(file) ? 'the file was missing' : undefined;
  // A new file gets its name with its header, but SQLite takes what is shorter for a new file.
  if (size < minBytes) return size === 0 ? 'the file was empty' : 'the file was truncated';
  // Read-only, so that the log of a damaged file stays as it is.
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  try {
    if (isForeign(db)) return undefined;
    const found = foundDetail(file);
    if (found === undefined && size > checkedAtStartBytes) return undefined;
    if (!isSound(db)) return found ?? 'some of its pages can’t be read';
    clearFound(file);
    return undefined;
  } catch (error) {
    if (isDamage(error)) return foundDetail(file) ?? 'some of its pages can’t be read';
    throw error;
  } finally {
    db.close();
  }
}

/** Whether other files show that there was a database. */
function hasRemains(file: string): boolean {
  const hasLog = (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  return hasLog || existsSync(bodiesOf(file)) || listCopies(file).length > 0;
}

function isSound(db: DatabaseSync): boolean {
  return db.prepare('PRAGMA quick_check(1)').get()?.['quick_check'] === 'ok';
}

function replace({ file, clock }: ReplaceOptions, plan: Replacement): Replacement {
  const draft = draftOf(file);
  try {
    rmSync(draft, { recursive: true, force: true });
    makePrivateFolder(draft);
    if (plan.copy !== null) {
      const [from, to] = [copiedFile(file, plan.copy), join(draft, basename(file))];
      copyFileSync(from, to, constants.COPYFILE_FICLONE);
      syncFile(to);
      linkBodies(bodiesOf(from), bodiesOf(to));
      // The copy may be without them, and those of its rows that retention spared are still here.
      linkBodies(bodiesOf(file), bodiesOf(to));
    }
    syncFolder(draft);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
  const ready = { ...plan, keptIn: freeName(`${file}.${plan.reason}-${fileStamp(clock)}`) };
  writePlan(file, ready);
  return moveFiles(file, ready);
}

function freeName(path: string): string {
  let free = path;
  for (let number = 2; existsSync(free); number += 1) free = `${path}_${number}`;
  return basename(free);
}

function moveFiles(file: string, plan: Replacement): Replacement {
  const kept = keptFolder(file, plan);
  makePrivateFolder(kept);
  if (!plan.isMoved) {
    for (const suffix of ['-wal', '-shm', '-bodies', ''])
      moveIfThere(file + suffix, join(kept, basename(file) + suffix));
    syncFolder(kept);
    writePlan(file, { ...plan, isMoved: true });
  }
  for (const suffix of ['-bodies', '']) moveIfThere(join(draftOf(file), basename(file) + suffix), file + suffix);
  syncFolder(dirname(file));
  rmSync(draftOf(file), { recursive: true, force: true });
  return { ...plan, isMoved: true };
}

/** Files moved before an interruption no longer exist. */
function moveIfThere(from: string, to: string): void {
  if (!existsSync(from)) return;
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  renameSync(from, to);
}

/** Call it when the new database is open. Reports damage, or returns a sentence about a restore. */
export function finishReplacement(
  { file, clock }: Pick<ReplaceOptions, 'file' | 'clock'>,
  plan: Replacement,
  missingBodies: number,
): string | undefined {
  const folder = keptFolder(file, plan);
  const copiedAt = listCopies(file).find(({ name }) => name === plan.copy)?.createdAt ?? null;
  if (plan.reason === 'damaged') {
    saveReport(folder, {
      id: basename(folder),
      at: formatInstant(clock.now()),
      database: basename(file),
      state: 'replaced',
      detail: plan.detail,
      folder,
      copiedAt,
      missingBodies,
    });
  }
  clearFound(file);
  cancelPlan(file);
  syncFolder(dirname(file));
  return plan.reason === 'damaged'
    ? undefined
    : `The backup from ${formatTime(plan.copy ?? '')} was restored. The previous data is in ${folder}.`;
}

/** The time in the name of a copy: "2026-11-28 15:44 UTC". */
function formatTime(name: string): string {
  return `${name.slice(0, 10)} ${name.slice(11, 16).replace('-', ':')} UTC`;
}

function keptFolder(file: string, { keptIn }: Replacement): string {
  return join(dirname(file), keptIn ?? '');
}

function draftOf(file: string): string {
  return `${file}.replacement`;
}

function planFile(file: string): string {
  return `${file}.replacement.json`;
}

function readPlan(file: string): Replacement | undefined {
  try {
    return planSchema.parse(JSON.parse(readFileSync(planFile(file), 'utf8')));
  } catch {
    return undefined;
  }
}

function writePlan(file: string, plan: Replacement): void {
  writePrivateFile(planFile(file), `${JSON.stringify(plan)}\n`);
}
