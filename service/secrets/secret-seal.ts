// Webhook secrets must be read to sign with them, so they cannot be hashed; they are encrypted (AES-256-GCM) with a key that
// lies beside the database and not in it. A copy of the database alone gives nothing away.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { readOrCreateKey } from './key-file.ts';

export type SecretSeal = {
  seal(secret: string): string;
  /** Undefined for a text that was sealed with another key or damaged. */
  open(stored: string): string | undefined;
  /** Whether it lies as this seal would leave it. */
  isSealed(stored: string): boolean;
};

const prefix = 'sealed1:';
const ivBytes = 12;
const tagBytes = 16;

/**
 * The key is `secretKey` where the operator gives one (a team with PostgreSQL gives all its processes the same), else a
 * file in the folder of the SQLite database. PostgreSQL without `secretKey` has no common place for a key: nothing is sealed.
 */
export function createSecretSeal(options: {
  secretKey: string | undefined;
  databaseUrl: string | undefined;
  folder: string;
}): SecretSeal {
  const { secretKey, databaseUrl, folder } = options;
  if (secretKey !== undefined) return sealWith(createHash('sha256').update(secretKey).digest());
  return databaseUrl === undefined ? sealWith(readOrCreateKey(folder, 'webhook.key')) : openSeal;
}

/** Keeps texts as they are; reads none that is sealed. */
export const openSeal: SecretSeal = {
  seal: (secret) => secret,
  open: (stored) => (stored.startsWith(prefix) ? undefined : stored),
  isSealed: () => true,
};

function sealWith(key: Buffer): SecretSeal {
  return {
    seal(secret) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return prefix + Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
    },
    isSealed: (stored) => stored.startsWith(prefix),
    open(stored) {
      if (!stored.startsWith(prefix)) return stored;
      const bytes = Buffer.from(stored.slice(prefix.length), 'base64');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes));
      try {
        decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
        return decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
      } catch {
        return undefined;
      }
    },
  };
}
