// Databases of the pre-release version, which no version migrates: they are moved into a folder of their own.
import { existsSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makePrivateFolder, syncFolder } from './private-files.ts';

/**
 * Moves a closed database and its body files into a folder beside it, and returns a sentence about it. The database goes last, so
 * that a killed process leaves the rest to the next start.
 */
export function movePreRelease(file: string): string {
  const name = basename(file);
  let folder = join(dirname(file), 'before-0.1.0');
  for (let number = 2; existsSync(join(folder, name)); number += 1) {
    folder = join(dirname(file), `before-0.1.0-${number}`);
  }
  makePrivateFolder(folder);
  for (const suffix of ['-wal', '-shm', '-bodies', '']) {
    if (existsSync(file + suffix)) renameSync(file + suffix, join(folder, name + suffix));
  }
  syncFolder(folder);
  syncFolder(dirname(file));
  return (
    `${name} was written by a pre-release version of Rainbell, which this version can’t read. It was moved to ${folder}, and ` +
    'Rainbell started with an empty database. Settings, connections, and secrets are unchanged.'
  );
}
