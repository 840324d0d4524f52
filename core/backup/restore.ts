// Restores a backup at the start of the app, before anything opens the data folder. Each step can be interrupted: the next start
// goes on. The present data is moved to a folder beside, never deleted. Tokens and secrets stay as they are.
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '#shared/time/clock.ts';
import { lockFile } from '#storage/file-lock.ts';
import { explainStorageError } from '#storage/open-database-file.ts';
import { makePrivateFolder, syncFolder, tightenFiles, writePrivateFile } from '#storage/private-files.ts';
import { fileStamp, FolderInUse } from '#core/database/app-database.ts';
import {
  appDatabase,
  backupsFolder,
  bodiesFolder,
  readManifest,
  serviceDatabase,
  settingsFile,
} from './backup-files.ts';

const planSchema = z.object({
  backup: z.string().regex(/^[\w-]+$/),
  /** Where the present data goes; set once the copy of the backup is complete. */
  keepIn: z
    .string()
    .regex(/^before-restore-[\w-]+$/)
    .nullable(),
  /** All current data are in place. */
  isMoved: z.boolean(),
});
type Plan = z.infer<typeof planSchema>;

const planName = 'restore.json';
const draftName = 'restoring';
/** The databases' own side files go before them: with another database they would damage it. */
const exchanged = [
  `${appDatabase}-wal`,
  `${appDatabase}-shm`,
  appDatabase,
  bodiesFolder,
  `${serviceDatabase}-wal`,
  `${serviceDatabase}-shm`,
  serviceDatabase,
  settingsFile,
];

export function planRestore(dataFolder: string, backup: string): void {
  writePlan(dataFolder, { backup, keepIn: null, isMoved: false });
}

export function cancelRestore(dataFolder: string): void {
  rmSync(join(dataFolder, planName), { force: true });
}

/** The backup that the next start restores. */
export function pendingRestore(dataFolder: string): string | null {
  return readPlan(dataFolder)?.backup ?? null;
}

/**
 * Call it before the settings are read. Returns sentences for the user, even if the backup can't be restored: then nothing is
 * changed, and the restore is canceled, so that the app starts. Throws FolderInUse if another app uses the folder, and the
 * system's error if present data can't be moved; the next start then goes on.
 */
export function finishRestore(dataFolder: string, clock: Clock): string[] {
  const plan = readPlan(dataFolder);
  if (!plan) return [];
  makePrivateFolder(join(dataFolder, dirname(serviceDatabase)));
  // A service that was started by hand uses its part of the folder without the app.
  const files = ['app.lock', serviceDatabase.replace(/\.sqlite$/, '.lock')];
  const locks = files.map((file) => lockFile(join(dataFolder, file), 'exclusive'));
  try {
    if (locks.includes(undefined)) throw new FolderInUse(dataFolder);
    return carryOut(dataFolder, plan, clock);
  } finally {
    for (const lock of locks) lock?.release();
  }
}

function carryOut(dataFolder: string, plan: Plan, clock: Clock): string[] {
  const draft = join(dataFolder, draftName);
  let { keepIn } = plan;
  if (keepIn === null) {
    const problem = copyBackup(join(dataFolder, backupsFolder, plan.backup), draft);
    if (problem !== undefined) {
      rmSync(draft, { recursive: true, force: true });
      cancelRestore(dataFolder);
      return [`The backup ${plan.backup} was not restored: ${problem}. Your data is unchanged.`];
    }
    keepIn = `before-restore-${fileStamp(clock)}`;
    writePlan(dataFolder, { ...plan, keepIn, isMoved: false });
  }
  const kept = join(dataFolder, keepIn);
  makePrivateFolder(kept);
  makePrivateFolder(join(kept, 'service'));
  if (!plan.isMoved) {
    for (const path of exchanged) moveIfThere(join(dataFolder, path), join(kept, path));
    writePlan(dataFolder, { ...plan, keepIn, isMoved: true });
  }
  for (const path of exchanged) moveIfThere(join(draft, path), join(dataFolder, path));
  rmSync(draft, { recursive: true, force: true });
  cancelRestore(dataFolder);
  syncFolder(dataFolder);
  return [`The backup ${plan.backup} was restored. The previous data is in the folder ${keepIn}.`];
}

/** Why the backup could not be copied, without a period; undefined if it was. Nothing but `draft` is changed. */
function copyBackup(folder: string, draft: string): string | undefined {
  if (!existsSync(folder)) return 'its folder no longer exists';
  const manifest = readManifest(folder);
  if (!manifest) return 'its backup.json can’t be read';
  try {
    rmSync(draft, { recursive: true, force: true });
    makePrivateFolder(draft);
    for (const { path, bytes } of manifest.files) {
      // Its content was checked when the restore was chosen.
      if (!existsSync(join(folder, path))) return `${path} is missing`;
      mkdirSync(dirname(join(draft, path)), { recursive: true, mode: 0o700 });
      copyFileSync(join(folder, path), join(draft, path));
      const found = statSync(join(draft, path)).size;
      if (found !== bytes) return `${path} is ${found} bytes instead of ${bytes}`;
    }
    tightenFiles(draft);
    return undefined;
  } catch (error) {
    return explainStorageError(error, draft).phrase;
  }
}

/** Files moved before an interruption no longer exist. */
function moveIfThere(from: string, to: string): void {
  if (!existsSync(from)) return;
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  renameSync(from, to);
}

function readPlan(dataFolder: string): Plan | undefined {
  try {
    return planSchema.parse(JSON.parse(readFileSync(join(dataFolder, planName), 'utf8')));
  } catch {
    return undefined;
  }
}

function writePlan(dataFolder: string, plan: Plan): void {
  writePrivateFile(join(dataFolder, planName), `${JSON.stringify(plan)}\n`);
}
