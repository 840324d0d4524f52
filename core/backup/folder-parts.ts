// What is in a data folder, and how large it is.
import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** The sizes of what is in a data folder, the largest first. */
export async function folderParts(dataFolder: string): Promise<{ name: string; bytes: number }[]> {
  const parts = new Map<string, number>();
  for (const { path, bytes } of await filesIn(dataFolder)) {
    const part = partNames.find(([pattern]) => pattern.test(path))?.[1] ?? 'Other files';
    parts.set(part, (parts.get(part) ?? 0) + bytes);
  }
  return [...parts].map(([name, bytes]) => ({ name, bytes })).toSorted((one, other) => other.bytes - one.bytes);
}

/** By their paths in the folder. One that was deleted in the meantime has no size. */
export async function filesIn(folder: string): Promise<{ path: string; bytes: number }[]> {
  const files: { path: string; bytes: number }[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    // Thousands at once would use up the file descriptors.
    const bytes = (await stat(file).catch(() => undefined))?.size ?? 0;
    files.push({ path: relative(folder, file), bytes });
  }
  return files;
}

const partNames: readonly (readonly [RegExp, string])[] = [
  [/^app\.sqlite(?:-wal|-shm)?$/, 'Callbacks, traffic, and forecasts'],
  [/^app\.sqlite-bodies[\\/]/, 'Long callback bodies'],
  [/^service[\\/]/, 'Sandbox service'],
  [/^backups[\\/]/, 'Backups'],
  [/^app\.sqlite\.(?:damaged|before-restore|pre-release)-/, 'Replaced data'],
  [/^logs[\\/]/, 'Logs'],
  [/^electron[\\/]/, 'Window profile'],
  [/^settings\.json/, 'Settings'],
];
