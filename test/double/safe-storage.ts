// safeStorage over a "keyring" that is a file in the profile, so that a test can change or break it between two starts.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { app } from './app.ts';

const prefix = 'v11';

function key(): Buffer {
  const file = join(app.getPath('userData'), 'double-keyring');
  if (!existsSync(file)) writeFileSync(file, randomBytes(32));
  const bytes = readFileSync(file);
  if (bytes.length !== 32) throw new Error('The keyring cannot be opened.');
  return bytes;
}

export const safeStorage = {
  async isAsyncEncryptionAvailable(): Promise<boolean> {
    return process.env['RAINBELL_DOUBLE_KEYRING'] !== 'none';
  },

  async encryptStringAsync(text: string): Promise<Buffer> {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key(), iv);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.from(prefix), iv, cipher.getAuthTag(), sealed]);
  },

  async decryptStringAsync(sealed: Buffer): Promise<{ shouldReEncrypt: boolean; result: string }> {
    const bytes = sealed.subarray(prefix.length);
    const decipher = createDecipheriv('aes-256-gcm', key(), bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(12, 28));
    const result = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
    return { shouldReEncrypt: false, result };
  },

  getSelectedStorageBackend(): 'basic_text' | 'gnome_libsecret' {
    return process.env['RAINBELL_DOUBLE_KEYRING'] === 'basic_text' ? 'basic_text' : 'gnome_libsecret';
  },
};
