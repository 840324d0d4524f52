// Backups of a data folder, made while the app and its service run.
import { constants, copyFileSync, existsSync, linkSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Backup } from '#contract/app-rpc/data.ts';
import { formatInstant } from '#contract/service-api/timestamp.ts';
import { explainStorageError } from '#storage/open-database-file.ts';
import { makePrivateFolder, tightenFiles, writePrivateFile } from '#storage/private-files.ts';
import { fileStamp } from '#core/database/app-database.ts';
import { AppFailure } from '#core/errors/app-failure.ts';
import type { Clock } from '#shared/time/clock.ts';
import {
  appDatabase,
  backupsFolder,
  bodiesFolder,
  describeFile,
  findDamagedFile,
  manifestFile,
  type Manifest,
  readManifest,
  serviceDatabase,
  settingsFile,
} from './backup-files.ts';
import { checkDatabase, copyDatabase } from './copy-database.ts';
import { cancelRestore, pendingRestore, planRestore } from './restore.ts';

export type Backups = {
  list: () => Promise<Backup[]>;
  /** `signal` ends it, and removes what was copied. */
  create: (signal?: AbortSignal) => Promise<Backup>;
  /** An aborted `signal` plans nothing. Throws AppFailure INVALID_INPUT with the reason if the backup can't be used. */
  restore: (name: string, signal?: AbortSignal) => Promise<void>;
  cancelRestore: () => void;
  pendingRestore: () => string | null;
  delete: (name: string) => void;
};

type SchemaVersions = { first: number; last: number };
type BackupsDependencies = { dataFolder: string; appVersion: string; schemaVersions: SchemaVersions; clock: Clock };

export function createBackups({ dataFolder, appVersion, schemaVersions, clock }: BackupsDependencies): Backups {
  const home = join(dataFolder, backupsFolder);
  let creating: Promise<Backup> | undefined;

  /** The folder of a backup; a name with a path in it is none. */
  function folderOf(name: string): string {
    const folder = join(home, name);
    if (!/^[\w-]+$/.test(name) || !existsSync(manifestFile(folder))) {
      throw new AppFailure('NOT_FOUND', `There is no backup “${name.slice(0, 60)}” in ${home}.`, { field: 'name' });
    }
    return folder;
  }

  async function create(signal: AbortSignal | undefined): Promise<Backup> {
    const name = `rainbell-${fileStamp(clock).slice(0, 19)}`;
    const draft = join(home, `${name}.new`);
    makePrivateFolder(home);
    rmSync(draft, { recursive: true, force: true });
    makePrivateFolder(draft);
    try {
      const bodies = await copyApp(dataFolder, draft);
      signal?.throwIfAborted();
      const files = [appDatabase, ...bodies];
      if (existsSync(join(dataFolder, serviceDatabase))) {
        makePrivateFolder(join(draft, 'service'));
        await copyDatabase(join(dataFolder, serviceDatabase), join(draft, serviceDatabase));
        files.push(serviceDatabase);
      }
      if (existsSync(join(dataFolder, settingsFile))) {
        copyFileSync(join(dataFolder, settingsFile), join(draft, settingsFile));
        files.push(settingsFile);
      }
      signal?.throwIfAborted();
      tightenFiles(draft);
      const described: Manifest['files'] = [];
      for (const file of files) {
        // One after the other, so that callbacks keep their share of the disk.
        // oxlint-disable-next-line no-await-in-loop
        described.push(await describeFile(draft, file));
        signal?.throwIfAborted();
      }
      const createdAt = formatInstant(clock.now());
      const manifest: Manifest = { rainbellBackup: 1, createdAt, appVersion, files: described };
      writePrivateFile(manifestFile(draft), `${JSON.stringify(manifest, undefined, 2)}\n`);
      renameSync(draft, join(home, name));
      return { name, createdAt, bytes: described.reduce((sum, { bytes }) => sum + bytes, 0) };
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      signal?.throwIfAborted();
      const { phrase, remedy } = explainStorageError(error, draft);
      throw new AppFailure('STORAGE', `The backup couldn’t be written (${phrase}). ${remedy}.`, {}, { cause: error });
    }
  }

  return {
    async list() {
      const names = await readdir(home).catch(() => []);
      const found = names.flatMap((name) => {
        const manifest = /^[\w-]+$/.test(name) ? readManifest(join(home, name)) : undefined;
        if (!manifest) return [];
        return [
          { name, createdAt: manifest.createdAt, bytes: manifest.files.reduce((sum, { bytes }) => sum + bytes, 0) },
        ];
      });
      return found.toSorted((one, other) => other.createdAt.localeCompare(one.createdAt));
    },
    create(signal) {
      creating ??= create(signal).finally(() => {
        creating = undefined;
      });
      return creating;
    },
    async restore(name, signal) {
      const folder = folderOf(name);
      const problem = await findProblem(folder, schemaVersions);
      if (problem !== undefined) {
        throw new AppFailure(
          'INVALID_INPUT',
          `The backup ${name} can’t be restored: ${problem}. Nothing was changed.`,
          {
            field: 'name',
          },
        );
      }
      signal?.throwIfAborted();
      planRestore(dataFolder, name);
    },
    cancelRestore: () => cancelRestore(dataFolder),
    pendingRestore: () => pendingRestore(dataFolder),
    delete(name) {
      const folder = folderOf(name);
      if (pendingRestore(dataFolder) === name) cancelRestore(dataFolder);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * The database, and the bodies that its rows name. Bodies are held by links first, because retention may delete their files; a
 * body is on disk before its row is.
 */
async function copyApp(dataFolder: string, draft: string): Promise<string[]> {
  const [source, held, target] = [bodiesFolder, 'held', bodiesFolder].map((name, index) =>
    join(index === 0 ? dataFolder : draft, name),
  ) as [string, string, string];
  if (existsSync(source)) makePrivateFolder(held);
  holdBodies(source, held);
  await copyDatabase(join(dataFolder, appDatabase), join(draft, appDatabase));
  holdBodies(source, held);
  const names = existsSync(held) ? readdirSync(held) : [];
  // A file gets its name without `.new` once a row names it; it may have been held under both.
  const kept = names.filter((name) => !(name.endsWith('.new') && names.includes(name.slice(0, -'.new'.length))));
  if (kept.length > 0) makePrivateFolder(target);
  for (const name of kept) copyFileSync(join(held, name), join(target, name), constants.COPYFILE_FICLONE);
  rmSync(held, { recursive: true, force: true });
  return kept.map((name) => `${bodiesFolder}/${name}`);
}

function holdBodies(source: string, held: string): void {
  if (!existsSync(source)) return;
  for (const name of readdirSync(source)) {
    if (!/^\d+\.bodies(?:\.new)?$/.test(name) || existsSync(join(held, name))) continue;
    try {
      linkSync(join(source, name), join(held, name));
    } catch {
      // A file system without hard links; or the file is gone, and then no row names it any more.
      if (existsSync(join(source, name))) copyFileSync(join(source, name), join(held, name));
    }
  }
}

/** Why a backup can't be restored, without a period; undefined if it can. */
async function findProblem(folder: string, { first, last }: SchemaVersions): Promise<string | undefined> {
  const manifest = readManifest(folder);
  if (!manifest) return 'its backup.json can’t be read';
  const damaged = await findDamagedFile(folder, manifest);
  if (damaged !== undefined) return damaged;
  if (!manifest.files.some(({ path }) => path === appDatabase)) return `${appDatabase} is missing`;
  for (const path of [appDatabase, serviceDatabase]) {
    if (!manifest.files.some((file) => file.path === path)) continue;
    // oxlint-disable-next-line no-await-in-loop
    const result = await checkDatabase(join(folder, path)).catch((error: Error) => error.message);
    if (result !== 'ok') return `${path} is damaged (${result})`;
  }
  const db = new DatabaseSync(join(folder, appDatabase), { readOnly: true });
  try {
    const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version']);
    if (version < first) return 'it was made by a pre-release version of Rainbell';
    if (version > last) return `it was made by a newer version of Rainbell (${manifest.appVersion})`;
  } finally {
    db.close();
  }
  return undefined;
}

/** The sizes of what is in a data folder, the largest first. */
export async function folderParts(dataFolder: string): Promise<{ name: string; bytes: number }[]> {
  const parts = new Map<string, number>();
  const entries = await readdir(dataFolder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name).slice(dataFolder.length + 1);
    // oxlint-disable-next-line no-await-in-loop -- thousands at once would use up the file descriptors
    const bytes = (await stat(join(dataFolder, path)).catch(() => undefined))?.size ?? 0;
    const part = partNames.find(([pattern]) => pattern.test(path))?.[1] ?? 'Other files';
    parts.set(part, (parts.get(part) ?? 0) + bytes);
  }
  return [...parts].map(([name, bytes]) => ({ name, bytes })).toSorted((one, other) => other.bytes - one.bytes);
}

const partNames: readonly (readonly [RegExp, string])[] = [
  [/^app\.sqlite(?:-wal|-shm)?$/, 'Callbacks, traffic, and forecasts'],
  [/^app\.sqlite-bodies[\\/]/, 'Long callback bodies'],
  [/^service[\\/]/, 'Sandbox service'],
  [/^backups[\\/]/, 'Backups'],
  [/^before-restore-/, 'Data from before a restore'],
  [/^logs[\\/]/, 'Logs'],
  [/^electron[\\/]/, 'Window profile'],
  [/^settings\.json/, 'Settings'],
];
