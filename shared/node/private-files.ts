// Private files: folders that Rainbell creates have mode 0700 and its files 0600, whatever the umask. The mode of a folder
// that already exists is never changed. Modes are given file by file: an umask of the process would also apply to the browser
// that it opens. On Windows, files inherit the rules of the user's profile.
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { formatInstant } from '../time/timestamp.ts';
import type { Clock } from '../time/clock.ts';
import { systemCode } from '../errors/system-code.ts';

/** The current time for a file name on every system. */
export function fileStamp(clock: Clock): string {
  return formatInstant(clock.now()).replaceAll(/[:.]/g, '-');
}

const isWindows = process.platform === 'win32';
export const privateFileMode = 0o600;
const privateFolderMode = 0o700;

/** Creates the missing part of the path, on disk when it returns; throws the system's error if the folder cannot be made or written. */
export function makePrivateFolder(folder: string): void {
  const first = makeMissing(resolve(folder));
  if (first !== undefined) syncNames(first, folder);
  accessSync(folder, constants.W_OK | constants.X_OK);
}

/** Returns the first folder that it made. Node's recursive call never ends in /proc, and hides that a disk is read-only. */
function makeMissing(folder: string): string | undefined {
  const above = existsSync(dirname(folder)) ? undefined : makeMissing(dirname(folder));
  try {
    mkdirSync(folder, { mode: privateFolderMode });
    return above ?? folder;
  } catch (error) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return above;
    throw error;
  }
}

/** Makes the names of new folders durable, from `first` to `last` inside it. */
function syncNames(first: string, last: string): void {
  const top = dirname(resolve(first));
  for (let folder = dirname(resolve(last)); ; folder = dirname(folder)) {
    syncFolder(folder);
    if (folder === top || folder === dirname(folder)) return;
  }
}

/** Writes a whole file or nothing, readable by this user only, and on disk when it returns. */
export function writePrivateFile(file: string, content: string | Buffer): void {
  const draft = `${file}.new`;
  // An old draft keeps its own mode, so it must not be written over.
  rmSync(draft, { force: true });
  writeFileSync(draft, content, { mode: privateFileMode, flush: true });
  renameSync(draft, file);
  syncFolder(dirname(file));
}

/** Renames a complete file unless the name is taken; returns true if it was free. The draft is always removed. */
export function publishFile(draft: string, file: string): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    // A file system without hard links.
    if (statSync(file, { throwIfNoEntry: false })) return false;
    renameSync(draft, file);
    return true;
  } finally {
    rmSync(draft, { force: true });
  }
}

export function syncFile(file: string): void {
  const descriptor = openSync(file, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Makes a renamed or new name durable. */
export function syncFolder(folder: string): void {
  // Windows cannot open folders, and needs no such call.
  if (isWindows) return;
  let descriptor: number | undefined;
  try {
    descriptor = openSync(folder, 'r');
    fsyncSync(descriptor);
  } catch (error) {
    // The folder can be written and not listed, or its file system, such as some network ones, syncs no folders.
    if (!['EACCES', 'EINVAL', 'ENOTSUP'].includes(systemCode(error) ?? '')) throw error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** None if it can’t be listed. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Returns a sentence if others can list or enter the folder and it was not reported before; records the report in the folder. */
export function reportOpenFolder(folder: string): string | undefined {
  if (isWindows) return undefined;
  const mode = (statSync(folder, { throwIfNoEntry: false })?.mode ?? 0) & 0o777;
  if ((mode & 0o077) === 0) return undefined;
  const note = join(folder, 'data-folder.json');
  if (statSync(note, { throwIfNoEntry: false })) return undefined;
  try {
    writePrivateFile(note, `${JSON.stringify({ openModeReported: mode.toString(8) })}\n`);
  } catch {
    // Without room for the note, the next start reports it again.
  }
  return (
    `Other users of this computer can open the data folder ${folder} (mode ${mode.toString(8).padStart(4, '0')}). ` +
    `The files that Rainbell creates in it are private. To make everything in it private, run: chmod -R go= ${folder}`
  );
}
