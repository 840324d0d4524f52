// Stores secrets in Electron: encrypted with a key of the system's keyring through safeStorage, in one file of the data folder. The
// keyring may respond late (macOS and GNOME ask the user for a password), refuse, or be missing. Nothing waits for it longer than a
// few seconds: until it opens, secrets stay in memory, and a banner says so.
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { safeStorage } from 'electron';
import { z } from 'zod';
import type { Clock } from '@rainbell/shared';
import { fileStamp, writePrivateFile } from '@rainbell/shared/node';
import type { Log, SecretsPort } from '@rainbell/core';
import type { HostNotices } from '../system/host-notices.ts';

const fileSchema = z.record(z.string(), z.string());
type Sealed = z.infer<typeof fileSchema>;

type Options = { folder: string; clock: Clock; log: Log; notices: HostNotices };

type Keyring =
  /** It has not answered yet. */
  | { state: 'opening' }
  /** It has not answered in time. It may still open. */
  | { state: 'locked' }
  /** It answered that it does not encrypt. */
  | { state: 'refused' }
  | { state: 'open'; isPlain: boolean };
type SettledKeyring = Exclude<Keyring, { state: 'opening' }>;

/** How long reads and writes wait for the keyring, counted from the start. */
const timeoutMs = 5000;

const protectionMessages = {
  opening: 'Waiting for the system’s keyring. Secrets are being kept in memory until it is unlocked.',
  locked:
    'The system’s keyring isn’t responding. Secrets are being kept in memory, and you will have to sign in again after a restart.',
  refused:
    'The system’s keyring can’t encrypt data. Secrets are being kept in memory, and you will have to sign in again after a restart.',
  plain:
    'This Linux session has no keyring, so secrets are stored in a form that any of your programs can read. Install GNOME Keyring or KWallet to protect them.',
  open: 'Secrets are encrypted with a key in the system’s keyring.',
} as const;

const unreadableMessages =
  'Stored sign-ins and client secrets can’t be decrypted: the keyring is not the one that encrypted them. Sign in again, and re-enter the client secrets for your connections.';

/** Returns at once; Electron must be ready. Damage and the state of the keyring go to `notices`. */
export function openSealedSecrets({ folder, clock, log, notices }: Options): SecretsPort {
  const file = join(folder, 'secrets-keyring.json');
  let sealed = readSealed(file, clock, notices);
  /** Newer than the file: not encrypted yet, or not at all. */
  const unsealed = new Map<string, string>();
  const readable = new Set<() => void>();
  let keyring: Keyring = { state: 'opening' };
  let sealing: Promise<unknown> = Promise.resolve();

  const opened = openKeyring(log).then(async (found) => {
    const isLate = keyring.state === 'locked';
    changeTo(found);
    if (found.state !== 'open') return;
    await reportUnreadable();
    const sealings = await Promise.allSettled([...unsealed.keys()].map(sealSoon));
    // What could not be written stays in memory, and the next write of its name tries again.
    for (const { reason } of sealings.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]) {
      log.error({ err: reason as unknown }, 'a secret could not be written');
    }
    if (isLate) for (const run of readable) run();
  });
  const settled = Promise.race([
    opened,
    new Promise<void>((resolve) => {
      const cancel = clock.after(timeoutMs, () => {
        if (keyring.state === 'opening') changeTo({ state: 'locked' });
        resolve();
      });
      void opened.then(cancel);
    }),
  ]);

  function changeTo(next: SettledKeyring): void {
    keyring = next;
    notices.set('keyring', noticeOf(next, Object.keys(sealed).length > 0));
  }

  /** One entry stands for all, because one key sealed them. */
  async function reportUnreadable(): Promise<void> {
    const [entry] = Object.values(sealed);
    if (entry === undefined) return;
    try {
      await unseal(entry);
    } catch (error) {
      log.warn({ err: error }, 'the stored secrets could not be decrypted');
      notices.set('unreadable secrets', unreadableMessages);
    }
  }

  async function read(name: string): Promise<string | null> {
    const entry = sealed[name];
    if (unsealed.has(name) || entry === undefined) return unsealed.get(name) ?? null;
    await settled;
    if (keyring.state !== 'open') return unsealed.get(name) ?? null;
    try {
      const { result, shouldReEncrypt } = await unseal(entry);
      if (shouldReEncrypt && !unsealed.has(name) && sealed[name] === entry) await write(name, result);
      return result;
    } catch (error) {
      log.warn({ err: error, name }, 'a stored secret could not be decrypted');
      return null;
    }
  }

  async function write(name: string, value: string | null): Promise<void> {
    if (value === null) {
      unsealed.delete(name);
      // After the current encryption, which would write it again.
      await afterSealing(() => store(name, undefined));
      return;
    }
    unsealed.set(name, value);
    await settled;
    if (keyring.state === 'open' || keyring.state === 'refused') await sealSoon(name);
  }

  /** Encrypts the newest value of a name; a keyring that refuses leaves it in memory. */
  function sealSoon(name: string): Promise<void> {
    return afterSealing(async () => {
      const value = unsealed.get(name);
      if (value === undefined) return;
      let entry: string;
      try {
        entry = (await safeStorage.encryptStringAsync(value)).toString('base64');
      } catch (error) {
        log.warn({ err: error, name }, 'a secret could not be encrypted');
        changeTo({ state: 'refused' });
        return;
      }
      if (keyring.state !== 'open') changeTo(openedBy(entry));
      if (unsealed.get(name) !== value) return;
      store(name, entry);
      unsealed.delete(name);
    });
  }

  function afterSealing(run: () => void | Promise<void>): Promise<void> {
    const next = sealing.then(run);
    sealing = next.catch(() => {});
    return next;
  }

  function store(name: string, entry: string | undefined): void {
    if (entry === undefined && sealed[name] === undefined) return;
    const { [name]: _, ...others } = sealed;
    const next = entry === undefined ? others : { ...others, [name]: entry };
    writePrivateFile(file, JSON.stringify(next));
    sealed = next;
  }

  return {
    get protection() {
      return keyring.state === 'open' && keyring.isPlain ? protectionMessages.plain : protectionMessages[keyring.state];
    },
    read,
    stateOf(name) {
      if (unsealed.has(name)) return 'stored';
      if (sealed[name] === undefined) return 'absent';
      return keyring.state === 'open' ? 'stored' : 'locked';
    },
    write,
    onReadable: (run) => void readable.add(run),
  };
}

/** Never rejects. It may take as long as the user takes to enter a password. */
async function openKeyring(log: Log): Promise<SettledKeyring> {
  try {
    // Resolves when the key has arrived; with true even if there is none (electron_api_safe_storage.cc), so one text is encrypted.
    if (!(await safeStorage.isAsyncEncryptionAvailable())) return { state: 'refused' };
    return openedBy((await safeStorage.encryptStringAsync('rainbell')).toString('base64'));
  } catch (error) {
    log.warn({ err: error }, 'the keyring could not be opened');
    return { state: 'refused' };
  }
}

/** The data starts with the key's kind. On Linux, `v10` is one key for all machines (os_crypt/async/browser/posix_key_provider.cc). */
function openedBy(entry: string): SettledKeyring {
  const kind = Buffer.from(entry, 'base64').subarray(0, 3).toString('latin1');
  return { state: 'open', isPlain: process.platform === 'linux' && kind === 'v10' };
}

function noticeOf(keyring: SettledKeyring, hasStored: boolean): string | undefined {
  if (keyring.state === 'open') return undefined;
  const problem =
    keyring.state === 'locked'
      ? 'The system’s keyring isn’t responding, so new sign-ins and secrets stay in memory until the app quits. If the keyring asks for a password, enter it so that they can be stored.'
      : 'The system’s keyring refused to encrypt the data, so new sign-ins and secrets stay in memory until the app quits. To store them, allow Rainbell to use the keyring, and restart the app.';
  return hasStored
    ? `${problem} Stored sign-ins and client secrets can’t be read until the keyring is unlocked; they are not deleted.`
    : problem;
}

async function unseal(entry: string): Promise<{ result: string; shouldReEncrypt: boolean }> {
  return safeStorage.decryptStringAsync(Buffer.from(entry, 'base64'));
}

function readSealed(file: string, clock: Clock, notices: HostNotices): Sealed {
  if (!existsSync(file)) return {};
  try {
    return fileSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    const backup = `${file}.unreadable-${fileStamp(clock)}`;
    renameSync(file, backup);
    notices.set(
      'damaged secrets',
      `The stored sign-ins are damaged and were backed up as ${basename(backup)}. Sign in again, and re-enter the client secrets for your connections.`,
    );
    return {};
  }
}
