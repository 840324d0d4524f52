// Derives the sandbox's credentials from a key, so that the database contains only hashes and the service can still show the
// credentials each time it starts. The key file is next to a SQLite database. Processes on one PostgreSQL share one sandbox: the key is in the
// database, encrypted like the webhook secrets.
import { randomBytes } from 'node:crypto';
import type { Db } from '../database/tables.ts';
import { readOrCreateKey } from '../secrets/key-file.ts';
import { derivedText, secretLength } from '../secrets/random-text.ts';
import type { SecretSeal } from '../secrets/secret-seal.ts';
import { ensureStoredKey, readStoredKey } from '../secrets/stored-keys.ts';

export type SandboxCredentials = { clientId: string; clientSecret: string; password: string; accountSuffix: string };

/** The row of `signing_keys` with the key that processes share. */
const sharedKeyName = 'sandbox';
/** A row with this name means that this database has no sandbox. */
export const closedSandboxName = 'sandbox-closed';

const keyBytes = 32;

/** Derives them from the folder's `sandbox.key`; creates the file if it is missing. */
export function sandboxCredentials(folder: string): SandboxCredentials {
  return credentialsFrom(readOrCreateKey(folder, 'sandbox.key'));
}

/** Derives them from the key in the database; creates it if it is missing. Undefined if the sandbox is closed there. */
export async function sharedSandboxCredentials(db: Db, seal: SecretSeal): Promise<SandboxCredentials | undefined> {
  if ((await readStoredKey(db, closedSandboxName)) !== undefined) return undefined;
  const create = () => seal.seal(randomBytes(keyBytes).toString('hex'));
  const key = seal.open(await ensureStoredKey(db, sharedKeyName, create));
  // The keys were checked before (secrets/secret-keys.ts).
  if (key === undefined) throw new Error("The sandbox's key cannot be decrypted.");
  return credentialsFrom(Buffer.from(key, 'hex'));
}

function credentialsFrom(key: Buffer): SandboxCredentials {
  return {
    clientId: `sandbox${derivedText(key, 'client id', 13)}`,
    clientSecret: derivedText(key, 'client secret', secretLength),
    password: derivedText(key, 'password', 24),
    accountSuffix: derivedText(key, 'account', 6).toLowerCase(),
  };
}
