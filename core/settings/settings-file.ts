// Prepares the settings file before the host opens it, Electron's with electron-store: a file that is not a JSON object is
// renamed, because that library would throw or start empty; a valid one is backed up.
import { copyFileSync, existsSync, readFileSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Clock, parseJsonObject, readText } from '@rainbell/shared';
import type { SettingsPort } from '../ports/host.ts';
import { fileStamp, syncFolder, writePrivateFile } from '@rainbell/shared/node';

/** Opens `settings.json` of a data folder, after checking it. `open` opens it as the host does, by this name. */
export function openSettingsFile(
  dataFolder: string,
  clock: Clock,
  open: (name: string) => { store: Record<string, unknown> },
): { port: SettingsPort; notices: string[] } {
  const name = 'settings';
  const file = join(dataFolder, `${name}.json`);
  const notices = prepareSettingsFile(file, clock);
  const library = open(name);
  return {
    notices,
    port: {
      read: () => library.store,
      write: (values) => {
        library.store = values;
        // The library syncs the file that it renames, and not the new name.
        syncFolder(dataFolder);
      },
      backUp: () => backUpSettings(file, clock),
    },
  };
}

/** Returns sentences for the user. Never throws for the content of the file. */
export function prepareSettingsFile(file: string, clock: Clock): string[] {
  if (!existsSync(file)) return [];
  const bytes = readFileSync(file);
  const { text } = readText(bytes);
  if (parseJsonObject(text)) {
    // The library reads only UTF-8 without a byte order mark.
    if (!bytes.equals(Buffer.from(text))) writePrivateFile(file, text);
    copyFileSync(file, backupName(file));
    return [];
  }
  const backup = `${file}.unreadable-${fileStamp(clock)}`;
  renameSync(file, backup);
  const hasBackup = existsSync(backupName(file));
  if (hasBackup) copyFileSync(backupName(file), file);
  return [
    hasBackup
      ? `The settings file could not be read. It was backed up as ${basename(backup)} in the data folder, and the settings from the last successful start are being used.`
      : `The settings file could not be read. It was backed up as ${basename(backup)} in the data folder, and the default settings are being used.`,
  ];
}

/** Copies the file under a name with the time in it; null when there is no file. */
export function backUpSettings(file: string, clock: Clock): string | null {
  if (!existsSync(file)) return null;
  const backup = `${file}.kept-${fileStamp(clock)}`;
  copyFileSync(file, backup);
  return basename(backup);
}

function backupName(file: string): string {
  return `${file}.backup-1`;
}
