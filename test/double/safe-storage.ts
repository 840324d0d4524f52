// safeStorage over a "keyring" that is a file in the profile, so that a test can remove it between two starts. Electron's own:
// shell/browser/api/electron_api_safe_storage.cc. With RAINBELL_DOUBLE_KEYRING=locked nothing is answered until a test calls `unlock`,
// as with a question on the screen in between; keyring.test.ts has all other states.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { app } from './app.ts';
import { inside } from './inside.ts';
import { world } from './world.ts';

const answers = Promise.withResolvers<void>();
if (process.env['RAINBELL_DOUBLE_KEYRING'] !== 'locked') answers.resolve();

/** What a Secret Service on Linux encrypts begins with it. */
const prefix = 'v11';

async function key(): Promise<Buffer> {
  await answers.promise;
  const file = join(app.getPath('userData'), 'double-keyring');
  if (!existsSync(file)) writeFileSync(file, randomBytes(32));
  return readFileSync(file);
}

export const safeStorage = {
  [inside]: { unlock: (): void => answers.resolve() },

  /** False before ready only; afterwards it waits for the key. */
  async isAsyncEncryptionAvailable(): Promise<boolean> {
    if (!world.isReady) return false;
    await answers.promise;
    return true;
  },

  async encryptStringAsync(text: string): Promise<Buffer> {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', await key(), iv);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.from(prefix), iv, cipher.getAuthTag(), sealed]);
  },

  async decryptStringAsync(sealed: Buffer): Promise<{ shouldReEncrypt: boolean; result: string }> {
    const bytes = sealed.subarray(prefix.length);
    const decipher = createDecipheriv('aes-256-gcm', await key(), bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(12, 28));
    const result = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
    return { shouldReEncrypt: false, result };
  },
};
