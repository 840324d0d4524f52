// The sizes of what is in a data folder.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

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
  [/^app\.sqlite\.(?:damaged|before-restore|pre-release)-/, 'Replaced data'],
  [/^logs[\\/]/, 'Logs'],
  [/^electron[\\/]/, 'Window profile'],
  [/^settings\.json/, 'Settings'],
];
