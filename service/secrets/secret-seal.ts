// Signing needs webhook secrets in plain text, so they cannot be hashed; they are encrypted (AES-256-GCM) with a key next to the
// database, not in it. A copy of only the database reveals nothing.
import { type CipherKey, createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readOrCreateKey } from './key-file.ts';

export type SecretSeal = ReturnType<typeof sealWith>;

const prefix = 'sealed1:';
const ivBytes = 12;
const tagBytes = 16;
const keyFile = 'webhook.key';

type SealOptions = {
  /** The first key encrypts; the others only decrypt older texts. */
  secretKey: readonly string[] | undefined;
  databaseUrl: string | undefined;
  folder: string;
};

/** PostgreSQL without `secretKey` has no common place for a key: nothing is encrypted. */
export function createSecretSeal({ secretKey, databaseUrl, folder }: SealOptions): SecretSeal {
  const isSqlite = databaseUrl === undefined;
  if (secretKey === undefined) return isSqlite ? sealWith([readOrCreateKey(folder, keyFile)], 'file') : openSeal;
  // Texts encrypted with the file's key before the setting existed can still be decrypted.
  const hasFile = isSqlite && existsSync(join(folder, keyFile));
  const fileKeys = hasFile ? [readOrCreateKey(folder, keyFile)] : [];
  return sealWith([...secretKey.map(keyOf), ...fileKeys], 'setting');
}

/** Returns texts unchanged; rejects encrypted ones. */
export const openSeal = sealWith([], 'none');

function keyOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function sealWith(keys: readonly Buffer[], source: 'setting' | 'file' | 'none') {
  const [first] = keys;
  return {
    source,
    seal: (secret: string): string => (first ? prefix + encrypt(first, secret).toString('base64') : secret),
    /** Whether it is stored as `seal` would: encrypted with the first key, or unencrypted if there is none. */
    isCurrent(stored: string): boolean {
      if (!first) return !stored.startsWith(prefix);
      return stored.startsWith(prefix) && decrypt(first, bytesOf(stored)) !== undefined;
    },
    /** Returns undefined if no key decrypts it. Returns a text that was never encrypted unchanged. */
    open(stored: string): string | undefined {
      if (!stored.startsWith(prefix)) return stored;
      for (const key of keys) {
        const secret = decrypt(key, bytesOf(stored));
        if (secret !== undefined) return secret;
      }
      return undefined;
    },
  };
}

function bytesOf(stored: string): Buffer {
  return Buffer.from(stored.slice(prefix.length), 'base64');
}

/** Encrypts and authenticates (AES-256-GCM): a random IV, the tag, and the encrypted text. */
export function encrypt(key: CipherKey, text: string): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** Returns undefined if the key did not encrypt it. */
export function decrypt(key: CipherKey, bytes: Buffer): string | undefined {
  try {
    const options = { authTagLength: tagBytes };
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), options);
    decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    return decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
}
