// The key from which the sandbox's credentials follow: a file of random bytes that only its owner may read. The database
// holds hashes alone, and the credentials can still be shown at every start.
import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError, systemCode } from '../start-error.ts';
import { derivedText, newId, secretLength } from './random-text.ts';

const keyBytes = 32;

export type SandboxCredentials = { clientId: string; clientSecret: string; password: string; accountSuffix: string };

/** Reads `sandbox.key` of the folder, or makes it. Two processes that start at once end up with the same key. */
export function sandboxCredentials(folder: string): SandboxCredentials {
  const key = readOrCreate(folder, 'sandbox.key');
  return {
    clientId: `sandbox${derivedText(key, 'client id', 13)}`,
    clientSecret: derivedText(key, 'client secret', secretLength),
    password: derivedText(key, 'password', 24),
    accountSuffix: derivedText(key, 'account', 6).toLowerCase(),
  };
}

function readOrCreate(folder: string, name: string): Buffer {
  const file = join(folder, name);
  try {
    mkdirSync(folder, { recursive: true });
    if (!existsSync(file)) create(file);
    const key = readFileSync(file);
    if (key.length === keyBytes) return key;
  } catch (error) {
    const reason = systemCode(error) ?? String(error);
    throw new StartError(
      'start',
      `The key file ${file} cannot be read or made (${reason}). Check its rights, or use --data.`,
      {
        cause: error,
      },
    );
  }
  throw new StartError('start', `The key file ${file} is damaged. Delete it; the sandbox then gets new credentials.`);
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
