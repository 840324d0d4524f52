// The states of the keyring, step by step: what is written, kept in memory, and reported in each.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createHostNotices } from '#electron/system/host-notices.ts';
import { openSealedSecrets } from '#electron/host/sealed-secrets.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { electron } from '#test/double/electron.ts';
import { pretendPlatform, recordLog } from './without-chromium.ts';

vi.mock('electron', async () => (await import('./without-chromium.ts')).readyElectron());

/** A keyring whose encrypted text is its kind and the reversed text, so that a test can read the file. */
function createKeyring() {
  const keyring = {
    kind: 'v11',
    opening: Promise.resolve(true),
    failure: undefined as Error | undefined,
    stale: false,
  };
  const reverse = (text: string) => text.split('').toReversed().join('');
  vi.spyOn(electron.safeStorage, 'isAsyncEncryptionAvailable').mockImplementation(() => keyring.opening);
  vi.spyOn(electron.safeStorage, 'encryptStringAsync').mockImplementation(async (text) => {
    if (keyring.failure) throw keyring.failure;
    return Buffer.from(keyring.kind + reverse(text));
  });
  vi.spyOn(electron.safeStorage, 'decryptStringAsync').mockImplementation(async (sealed) => {
    const text = sealed.toString();
    if (!text.startsWith('v1')) throw new Error('another key');
    return { result: reverse(text.slice(3)), shouldReEncrypt: keyring.stale };
  });
  return keyring;
}

const seal = (text: string) => Buffer.from(text).toString('base64');

let folder: string;
let keyring: ReturnType<typeof createKeyring>;
beforeEach(() => {
  folder = temporaryFolder();
  keyring = createKeyring();
  pretendPlatform('linux');
});

function open() {
  const clock = createManualClock();
  const notices = createHostNotices();
  const { log, entries } = recordLog();
  const secrets = openSealedSecrets({ folder, clock, log, notices });
  return { clock, notices, entries, secrets, messages: () => entries.map(({ msg }) => msg) };
}
const file = () => join(folder, 'secrets-keyring.json');
const stored = () => JSON.parse(readFileSync(file(), 'utf8')) as unknown;
const store = (entries: Record<string, string>) => writeFileSync(file(), JSON.stringify(entries));
/** Lets every promise that can settle do so. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('an open keyring', () => {
  it('stores each secret encrypted, under its name', async () => {
    const { secrets, notices, entries } = open();
    let readable = 0;
    secrets.onReadable?.(() => (readable += 1));
    expect(secrets.stateOf('a')).toBe('absent');
    expect(await secrets.read('a')).toBeNull();
    await secrets.write('a', 'one');
    await secrets.write('b', 'two');
    expect(stored()).toEqual({ a: seal('v11eno'), b: seal('v11owt') });
    expect([secrets.stateOf('a'), secrets.stateOf('c')]).toEqual(['stored', 'absent']);
    expect(await secrets.read('b')).toBe('two');
    // None stays in memory.
    expect(electron.safeStorage.decryptStringAsync).toHaveBeenCalledOnce();
    expect([notices.list(), entries, readable]).toEqual([[], [], 0]);
  });

  it('deletes one secret and keeps the others, and writes no file for one that is absent', async () => {
    const { secrets } = open();
    await secrets.write('a', null);
    expect(readdirSync(folder)).toEqual([]);
    await secrets.write('a', 'one');
    await secrets.write('b', 'two');
    const writing = secrets.write('a', 'three');
    await secrets.write('a', null);
    await writing;
    expect(stored()).toEqual({ b: seal('v11owt') });
    expect([secrets.stateOf('a'), await secrets.read('a')]).toEqual(['absent', null]);
  });

  it('stores a value that is written while the one before is encrypted', async () => {
    const { secrets } = open();
    await settle();
    const encryptOne = Promise.withResolvers<Buffer>();
    vi.mocked(electron.safeStorage.encryptStringAsync).mockImplementationOnce(() => encryptOne.promise);
    const writing = secrets.write('a', 'one');
    await settle();
    const writingNext = secrets.write('a', 'two');
    await settle();
    encryptOne.resolve(Buffer.from('v11eno'));
    await Promise.all([writing, writingNext]);
    expect([stored(), await secrets.read('a')]).toEqual([{ a: seal('v11owt') }, 'two']);
  });

  it('encrypts a secret again if its key is out of date', async () => {
    store({ a: seal('v10eno'), b: seal('v10owt') });
    const { secrets } = open();
    expect(await secrets.read('a')).toBe('one');
    expect(stored()).toEqual({ a: seal('v10eno'), b: seal('v10owt') });
    keyring.stale = true;
    expect(await secrets.read('a')).toBe('one');
    expect(stored()).toEqual({ a: seal('v11eno'), b: seal('v10owt') });
  });

  it.each([
    ['linux', 'v11', 'Secrets are encrypted'],
    ['linux', 'v10', 'any of your programs can read'],
    ['darwin', 'v10', 'Secrets are encrypted'],
    ['win32', 'v10', 'Secrets are encrypted'],
  ] as const)('on %s with a key of kind %s reports: %s', async (platform, kind, protection) => {
    pretendPlatform(platform);
    keyring.kind = kind;
    const { secrets, notices } = open();
    expect(secrets.protection).toContain('Waiting');
    await settle();
    expect(secrets.protection).toContain(protection);
    expect(notices.list()).toEqual([]);
  });

  it('reports secrets that another key encrypted, and keeps them', async () => {
    store({ a: seal('another') });
    const { secrets, notices, messages, entries } = open();
    await settle();
    expect(notices.list()).toEqual([expect.stringContaining('decrypted')]);
    expect(await secrets.read('a')).toBeNull();
    expect(messages()).toEqual(['the stored secrets could not be decrypted', 'a stored secret could not be decrypted']);
    expect(entries[1]).toMatchObject({ level: 40, name: 'a', err: { message: 'another key' } });
    expect(stored()).toEqual({ a: seal('another') });
  });
});

describe('a locked keyring', () => {
  it('is waited for during five seconds, and not longer', async () => {
    store({ a: seal('v11eno') });
    keyring.opening = new Promise(() => {});
    const { secrets, clock, notices } = open();
    let result: unknown = 'waiting';
    void secrets.read('a').then((value) => (result = value));
    clock.advance(4_999);
    await settle();
    expect([result, secrets.stateOf('a'), notices.list()]).toEqual(['waiting', 'locked', []]);
    clock.advance(1);
    await settle();
    expect([result, secrets.stateOf('a')]).toEqual([null, 'locked']);
    expect(notices.list()).toEqual([expect.stringMatching(/isn’t responding.* are not deleted\./)]);
    expect(secrets.protection).toContain('isn’t responding');
  });

  it('lets new secrets be read from memory, and stores them once it opens', async () => {
    store({ a: seal('v11eno') });
    const unlocked = Promise.withResolvers<boolean>();
    keyring.opening = unlocked.promise;
    const { secrets, clock, notices } = open();
    let readable = 0;
    secrets.onReadable?.(() => (readable += 1));
    const reading = secrets.read('a');
    const writing = secrets.write('a', 'two');
    clock.advance(5_000);
    await writing;
    expect([await reading, await secrets.read('a'), secrets.stateOf('a')]).toEqual(['two', 'two', 'stored']);
    expect(stored()).toEqual({ a: seal('v11eno') });
    unlocked.resolve(true);
    await settle();
    expect([stored(), readable, notices.list()]).toEqual([{ a: seal('v11owt') }, 1, []]);
  });

  it('logs a secret that could not be written when it opened, and keeps it in memory', async () => {
    const { secrets, messages } = open();
    const written = secrets.write('a', 'one');
    // A file is where the folder was.
    rmSync(folder, { recursive: true });
    writeFileSync(folder, '');
    await expect(written).rejects.toThrow(/ENOTDIR|EEXIST/);
    expect([await secrets.read('a'), messages()]).toEqual(['one', ['a secret could not be written']]);
  });
});

describe('a keyring that refuses', () => {
  it('keeps secrets in memory, and encrypts them once it accepts one', async () => {
    store({ a: seal('v11eno') });
    keyring.failure = new Error('denied');
    const { secrets, notices, messages } = open();
    await secrets.write('b', 'two');
    expect(notices.list()).toEqual([expect.stringMatching(/refused to encrypt.* are not deleted\./)]);
    expect([await secrets.read('a'), await secrets.read('b'), secrets.stateOf('a')]).toEqual([null, 'two', 'locked']);
    expect(secrets.protection).toContain('can’t encrypt');
    expect(messages()).toEqual(['the keyring could not be opened', 'a secret could not be encrypted']);
    keyring.failure = undefined;
    await secrets.write('c', 'three');
    expect(stored()).toEqual({ a: seal('v11eno'), c: seal('v11eerht') });
    expect([notices.list(), await secrets.read('a')]).toEqual([[], 'one']);
  });
});

it('a keyring that refuses later keeps what it stored', async () => {
  const { secrets, notices } = open();
  await secrets.write('a', 'one');
  keyring.failure = new Error('denied');
  await secrets.write('a', 'two');
  expect([await secrets.read('a'), stored()]).toEqual(['two', { a: seal('v11eno') }]);
  expect(notices.list()).toEqual([expect.stringContaining('refused to encrypt')]);
});

describe('a damaged file', () => {
  it.each(['{"token', '[]', '{"a":1}', '"text"'])('of %s is backed up', async (text) => {
    writeFileSync(file(), text);
    const { secrets, notices } = open();
    expect(await secrets.read('a')).toBeNull();
    // The manual clock's time, 2026-11-21T06:00:00Z.
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^secrets-keyring\.json\.unreadable-2026/)]);
    expect(readFileSync(join(folder, readdirSync(folder)[0]!), 'utf8')).toBe(text);
    expect(notices.list()).toEqual([expect.stringContaining(readdirSync(folder)[0]!)]);
  });
});
