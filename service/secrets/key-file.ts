// Files of random bytes that only their owner may read: what must be kept secret beside a database lies here.
import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { explainStorageError } from '#storage/open-database-file.ts';
import { makePrivateFolder } from '#storage/private-files.ts';
import { systemCode } from '#shared/errors/system-code.ts';
import { StartError } from '#service/errors/start-error.ts';
import { newId } from './random-text.ts';

const keyBytes = 32;

/** Reads a key of the folder, or makes it. Two processes that start at once end up with the same key. */
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
    throw new StartError('start', `The key file ${file} cannot be read or made (${phrase}). ${advice}`, {
      cause: error,
    });
  }
  throw new StartError('start', `The key file ${file} is damaged. Delete it; what followed from it is then made anew.`);
}

/** Written beside and linked into place, so that nobody ever reads half a key; whoever links first wins. */
function create(file: string): void {
  const draft = `${file}.${newId()}`;
  writeFileSync(draft, randomBytes(keyBytes), { mode: 0o600, flag: 'wx' });
  try {
    linkSync(draft, file);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}
