// Files of random bytes, readable only by their owner: the secrets next to a database.
import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { explainStorageError, makePrivateFolder, syncFolder } from '@rainbell/shared/node';
import { systemCode } from '@rainbell/shared';
import { StartError } from '../errors/start-error.ts';
import { newId } from './random-text.ts';

const keyBytes = 32;

/** Reads a key in the folder, or creates it. Two processes that start at once end up with the same key. */
export function readOrCreateKey(folder: string, name: string): Buffer {
  const file = join(folder, name);
  try {
    makePrivateFolder(folder);
    if (!existsSync(file)) create(file);
    const key = readFileSync(file);
    if (key.length === keyBytes) return key;
  } catch (error) {
    const { phrase, remedy } = explainStorageError(error, file);
    const advice = `${remedy}, or choose another folder with --data.`;
    throw new StartError('start', `The key file ${file} cannot be read or created (${phrase}). ${advice}`, {
      cause: error,
    });
  }
  throw new StartError(
    'start',
    `The key file ${file} is damaged. Restore it from a backup. If you have no backup, delete the file: the next start creates a new key, ` +
      'but everything that was encrypted with the old key or derived from it is lost.',
  );
}

/** Links a complete file into place, so that no one ever reads a partial key; it is on disk before anything is encrypted with it. */
function create(file: string): void {
  const draft = `${file}.${newId()}`;
  writeFileSync(draft, randomBytes(keyBytes), { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  syncFolder(dirname(file));
}
