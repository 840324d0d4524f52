// Secrets at rest in Electron: encrypted by the system's keyring through safeStorage's asynchronous calls, one file in the
// data folder. A keyring that is broken or was changed never stops the start; the person signs in again.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { safeStorage } from 'electron';
import { z } from 'zod';
import type { Clock } from '#contract/clock.ts';
import { fileStamp } from '#core/database/app-database.ts';
import type { SecretsPort } from '#core/host.ts';
import type { Log } from '#core/log.ts';

const fileSchema = z.record(z.string(), z.string());
type Sealed = z.infer<typeof fileSchema>;

type Options = { folder: string; clock: Clock; log: Log };

/** Answers the port, and sentences for the person. Electron must be ready. */
export async function openSealedSecrets({ folder, clock, log }: Options): Promise<{
  secrets: SecretsPort;
  notices: string[];
}> {
  const file = join(folder, 'secrets-keyring.json');
  const { sealed: found, notices } = readSealed(file, clock);
  const protection = await protectionOf(log);
  notices.push(...(await lostNotices(found, protection.isAvailable)));
  let sealed = found;
  // Kept in memory alone where there is nothing to encrypt with: writing them plainly is never the answer.
  const unsealed = new Map<string, string>();

  async function read(name: string): Promise<string | null> {
    const entry = sealed[name];
    if (entry === undefined || !protection.isAvailable) return unsealed.get(name) ?? null;
    try {
      const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(Buffer.from(entry, 'base64'));
      if (shouldReEncrypt) await write(name, result);
      return result;
    } catch (error) {
      log.warn({ err: error, name }, 'a stored secret could not be decrypted');
      return null;
    }
  }

  async function write(name: string, value: string | null): Promise<void> {
    if (value !== null && !protection.isAvailable) {
      unsealed.set(name, value);
      return;
    }
    unsealed.delete(name);
    const entry = value === null ? undefined : (await safeStorage.encryptStringAsync(value)).toString('base64');
    const { [name]: _, ...others } = sealed;
    sealed = entry === undefined ? others : { ...others, [name]: entry };
    writeFileSync(`${file}.new`, JSON.stringify(sealed), { mode: 0o600, flush: true });
    renameSync(`${file}.new`, file);
  }

  return { secrets: { protection: protection.words, read, write }, notices };
}

/** Whether what was stored can still be read; one entry stands for all, since one key sealed them. */
async function lostNotices(sealed: Sealed, isAvailable: boolean): Promise<string[]> {
  const [entry] = Object.values(sealed);
  if (entry === undefined) return [];
  if (!isAvailable) {
    return [
      'The system’s keyring cannot be opened now, so stored sign-ins and client secrets cannot be read. They are kept and work again when it opens; until then, sign in again where you are asked to.',
    ];
  }
  try {
    await safeStorage.decryptStringAsync(Buffer.from(entry, 'base64'));
    return [];
  } catch {
    return [
      'The system’s keyring is another one than before, so stored sign-ins and client secrets cannot be read. Sign in again where you are asked to, and type the client secrets of your connections anew.',
    ];
  }
}

async function protectionOf(log: Log): Promise<{ isAvailable: boolean; words: string }> {
  let isAvailable = false;
  try {
    isAvailable = await safeStorage.isAsyncEncryptionAvailable();
  } catch (error) {
    log.warn({ err: error }, 'the keyring could not be opened');
  }
  if (!isAvailable) {
    const words =
      'The system offers no keyring. Secrets are kept in memory only, and you sign in again after a restart.';
    return { isAvailable, words };
  }
  const isBasic = process.platform === 'linux' && safeStorage.getSelectedStorageBackend() === 'basic_text';
  const words = isBasic
    ? 'No keyring was found on this Linux desktop, so secrets are stored in a form that every program of yours can read. Install GNOME Keyring or KWallet to protect them.'
    : "Secrets are encrypted with a key in the system's keyring.";
  return { isAvailable, words };
}

function readSealed(file: string, clock: Clock): { sealed: Sealed; notices: string[] } {
  if (!existsSync(file)) return { sealed: {}, notices: [] };
  try {
    return { sealed: fileSchema.parse(JSON.parse(readFileSync(file, 'utf8'))), notices: [] };
  } catch {
    const kept = `${file}.unreadable-${fileStamp(clock)}`;
    renameSync(file, kept);
    const notice = `Stored sign-ins could not be read; the file is kept as ${basename(kept)}. Sign in again where you are asked to.`;
    return { sealed: {}, notices: [notice] };
  }
}
