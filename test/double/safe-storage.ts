// safeStorage over a "keyring" that is a file in the profile, so that a test can change or break it between two starts. Electron's
// own: shell/browser/api/electron_api_safe_storage.cc. RAINBELL_DOUBLE_KEYRING chooses the state:
// - unset: there and open (a Secret Service on Linux; entries begin with v11).
// - absent: Linux without one; Chromium encrypts with a key that is the same everywhere (v10).
// - locked: nothing is answered until a test calls `unlock`; with a question on the screen in between.
// - denied: the user refused; availability is true all the same, and encrypting fails.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { app } from './app.ts';
import { inside } from './inside.ts';
import { world } from './world.ts';

type State = 'open' | 'absent' | 'locked' | 'denied';

const answers = Promise.withResolvers<void>();
let state = (process.env['RAINBELL_DOUBLE_KEYRING'] || 'open') as State;
if (state !== 'locked') answers.resolve();

const everywhere = { prefix: 'v10', key: Buffer.alloc(32, 'peanuts') };

function ownKey(): { prefix: string; key: Buffer } {
  const file = join(app.getPath('userData'), 'double-keyring');
  if (!existsSync(file)) writeFileSync(file, randomBytes(32));
  return { prefix: 'v11', key: readFileSync(file) };
}

async function keyFor(name: string): Promise<{ prefix: string; key: Buffer }> {
  await answers.promise;
  const found = state === 'absent' ? everywhere : ownKey();
  if (state !== 'denied' && found.key.length === 32) return found;
  throw new Error(
    `Error while ${name === 'encryptStringAsync' ? 'encrypting' : 'decrypting'} the text provided to safeStorage.${name}.`,
  );
}

export const safeStorage = {
  [inside]: {
    unlock(next: State = 'open'): void {
      state = next;
      answers.resolve();
    },
  },

  /** False before ready only; afterwards it waits for the key, and is true even where there is none. */
  async isAsyncEncryptionAvailable(): Promise<boolean> {
    if (!world.isReady) return false;
    await answers.promise;
    return true;
  },

  async encryptStringAsync(text: string): Promise<Buffer> {
    const { prefix, key } = await keyFor('encryptStringAsync');
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, iv);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.from(prefix), iv, cipher.getAuthTag(), sealed]);
  },

  async decryptStringAsync(sealed: Buffer): Promise<{ shouldReEncrypt: boolean; result: string }> {
    const found = await keyFor('decryptStringAsync');
    const prefix = sealed.subarray(0, 3).toString('latin1');
    // A key that is the same everywhere still opens what it sealed, once there is a keyring; the entry should be sealed anew.
    const { key } = prefix === 'v10' ? everywhere : found;
    const bytes = sealed.subarray(prefix.length);
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(12, 28));
    const result = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
    return { shouldReEncrypt: prefix !== found.prefix, result };
  },
};
