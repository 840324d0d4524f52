// Stores secrets on disk without a keyring: AES-256-GCM with a key file that only this account may read. It keeps them out of
// backups and greps of the settings, not from a program that runs as the same user; the description of the protection says so.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '@rainbell/shared';
import type { SecretsPort } from '../ports/host.ts';
import { fileStamp, writePrivateFile } from '@rainbell/shared/node';

const fileSchema = z.record(z.string(), z.object({ iv: z.string(), tag: z.string(), data: z.string() }));
type SealedSecrets = z.infer<typeof fileSchema>;
type Sealed = SealedSecrets[string];

/** Uses `secrets.key` and `secrets.json` in the folder, making the key at first. Throws what the file system throws. */
export function openSecretFile({ folder, clock }: { folder: string; clock: Clock }): {
  secrets: SecretsPort;
  notices: string[];
} {
  const key = readOrMakeKey(join(folder, 'secrets.key'), clock);
  const file = join(folder, 'secrets.json');
  const notices: string[] = key.notice === undefined ? [] : [key.notice];
  let sealed: SealedSecrets = {};
  if (existsSync(file)) {
    const read = readSealed(file);
    if (read) sealed = read;
    else
      notices.push(
        `Stored sign-ins could not be read. The file was backed up as ${backUp(file, clock)}. Sign in again when Rainbell asks you to.`,
      );
  }
  const secrets: SecretsPort = {
    protection:
      'Secrets are encrypted on disk (AES-256-GCM) with a key file that only your account can read. A program that runs under your account could read both.',
    read: async (name) => {
      const entry = sealed[name];
      return entry ? unseal(entry, key.bytes, name) : null;
    },
    stateOf: (name) => (sealed[name] === undefined ? 'absent' : 'stored'),
    write: async (name, value) => {
      const { [name]: _, ...others } = sealed;
      const next = value === null ? others : { ...others, [name]: seal(value, key.bytes, name) };
      writePrivateFile(file, JSON.stringify(next));
      sealed = next;
    },
  };
  return { secrets, notices };
}

function seal(value: string, key: Buffer, name: string): Sealed {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  // The name is authenticated too, so that entries cannot be swapped.
  cipher.setAAD(Buffer.from(name));
  const data = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
  return { iv: iv.toString('base64'), tag: cipher.getAuthTag().toString('base64'), data: data.toString('base64') };
}

/** Null if the key differs or the entry was changed: the user signs in again. */
function unseal({ iv, tag, data }: Sealed, key: Buffer, name: string): string | null {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64'), { authTagLength: 16 });
    decipher.setAAD(Buffer.from(name));
    decipher.setAuthTag(Buffer.from(tag, 'base64'));
    return Buffer.concat([decipher.update(Buffer.from(data, 'base64')), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

function readOrMakeKey(file: string, clock: Clock): { bytes: Buffer; notice?: string } {
  let notice: string | undefined;
  if (existsSync(file)) {
    const bytes = readFileSync(file);
    chmodSync(file, 0o600);
    if (bytes.length === 32) return { bytes };
    notice = `The key for the stored sign-ins could not be read. The file was backed up as ${backUp(file, clock)}. Sign in again when Rainbell asks you to.`;
  }
  const bytes = randomBytes(32);
  writePrivateFile(file, bytes);
  return notice === undefined ? { bytes } : { bytes, notice };
}

function readSealed(file: string): SealedSecrets | undefined {
  try {
    return fileSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Returns the name under which the file is kept. */
function backUp(file: string, clock: Clock): string {
  const backup = `${file}.unreadable-${fileStamp(clock)}`;
  renameSync(file, backup);
  return basename(backup);
}
