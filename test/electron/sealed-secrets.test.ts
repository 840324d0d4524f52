// Secrets in Electron: encrypted with the keyring's key. A keyring that is locked, denied, missing, or another one stops nothing.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isReal, type Rainbell, startRainbell, temporaryFolder } from './rainbell.ts';

type Globals = {
  readSecret: (name: string) => Promise<string | null>;
  writeSecret: (entry: [string, string | null]) => Promise<void>;
  describeSecrets: () => Promise<{ protection: string; notices: string[]; readableAgain: number }>;
  endPatience: () => void;
};

const start = (dataFolder: string, keyring = '') =>
  startRainbell({
    dataFolder,
    main: 'test/electron/secrets-main.ts',
    environment: { RAINBELL_DOUBLE_KEYRING: keyring },
  });
const read = (rainbell: Rainbell, name: string) =>
  rainbell.evaluate((_electron, wanted) => (globalThis as unknown as Globals).readSecret(wanted), name);
const write = (rainbell: Rainbell, name: string, value: string | null) =>
  rainbell.evaluate((_electron, entry) => (globalThis as unknown as Globals).writeSecret(entry), [name, value] as [
    string,
    string | null,
  ]);
const endPatience = (rainbell: Rainbell) => rainbell.evaluate(() => (globalThis as unknown as Globals).endPatience());
type Lock = { unlock: (state?: 'open' | 'denied') => void };
const unlock = (rainbell: Rainbell) =>
  rainbell.evaluate(({ safeStorage }) =>
    (safeStorage as unknown as Record<symbol, Lock>)[Symbol.for('inside the double')]?.unlock(),
  );
const describeSecrets = (rainbell: Rainbell) =>
  rainbell.evaluate(() => (globalThis as unknown as Globals).describeSecrets());

async function everythingIn(folder: string): Promise<string> {
  const names = await readdir(folder);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')));
  return texts.join('\n');
}

describe.skipIf(isReal)('stored secrets', () => {
  it('secrets are readable after a restart, and no file contains them in plain text', async () => {
    const folder = await temporaryFolder();
    const first = await start(folder);
    await write(first, 'token/sandbox', 'very-secret-token');
    await write(first, 'token/other', 'another-secret');
    await write(first, 'token/other', null);
    await first.quit();
    expect(await everythingIn(folder)).not.toContain('secret');
    const second = await start(folder);
    expect(await read(second, 'token/sandbox')).toBe('very-secret-token');
    expect(await read(second, 'token/other')).toBeNull();
    await expect.poll(async () => (await describeSecrets(second)).protection).toContain('encrypted with a key');
  });

  it('secrets are gone, and nothing fails, if the keyring is another one (docs/tokens.md T22)', async () => {
    const folder = await temporaryFolder();
    const first = await start(folder);
    await write(first, 'token/sandbox', 'very-secret-token');
    await first.quit();
    await rm(join(folder, 'double-keyring'));
    const second = await start(folder);
    expect(await read(second, 'token/sandbox')).toBeNull();
    expect((await describeSecrets(second)).notices[0]).toMatch(/not the one that encrypted them.*Sign in again/);
    await write(second, 'token/sandbox', 'new-token');
    expect(await read(second, 'token/sandbox')).toBe('new-token');
  });

  it('secrets stay in memory if the keyring refuses to encrypt, and a notice says so', async () => {
    const folder = await temporaryFolder();
    const rainbell = await start(folder, 'denied');
    await write(rainbell, 'token/sandbox', 'very-secret-token');
    expect(await read(rainbell, 'token/sandbox')).toBe('very-secret-token');
    expect(await everythingIn(folder)).not.toContain('secret-token');
    const { protection, notices } = await describeSecrets(rainbell);
    expect(protection).toContain('kept in memory');
    expect(notices).toEqual([expect.stringContaining('refused to encrypt')]);
  });

  it('secrets stay in memory while the keyring is locked, and are stored once it is unlocked', async () => {
    const folder = await temporaryFolder();
    const first = await start(folder);
    await write(first, 'token/sandbox', 'old-secret-token');
    await write(first, 'client secret c-1', 'secret-of-client');
    await first.quit();
    const second = await start(folder, 'locked');
    const writing = write(second, 'token/sandbox', 'new-secret-token');
    const reading = read(second, 'client secret c-1');
    expect(await read(second, 'token/sandbox')).toBe('new-secret-token');
    expect((await describeSecrets(second)).notices).toEqual([]);
    await endPatience(second);
    await writing;
    expect(await reading).toBeNull();
    expect((await describeSecrets(second)).notices).toEqual([expect.stringContaining('isn’t responding')]);
    await unlock(second);
    await expect.poll(() => describeSecrets(second)).toMatchObject({ notices: [], readableAgain: 1 });
    expect(await read(second, 'client secret c-1')).toBe('secret-of-client');
    await second.quit();
    const third = await start(folder);
    expect(await read(third, 'token/sandbox')).toBe('new-secret-token');
  });

  it('secrets that are deleted while the keyring is locked are gone afterward', async () => {
    const folder = await temporaryFolder();
    const first = await start(folder);
    await write(first, 'token/sandbox', 'very-secret-token');
    await first.quit();
    const second = await start(folder, 'locked');
    await write(second, 'token/sandbox', null);
    await unlock(second);
    expect(await read(second, 'token/sandbox')).toBeNull();
    await second.quit();
    expect(await readFile(join(folder, 'secrets-keyring.json'), 'utf8')).toBe('{}');
  });

  it('secrets are kept while another keyring is in use, and readable once the first one is back (docs/tokens.md T22)', async () => {
    const folder = await temporaryFolder();
    const first = await start(folder);
    await write(first, 'token/sandbox', 'very-secret-token');
    await first.quit();
    const second = await start(folder, 'absent');
    expect(await read(second, 'token/sandbox')).toBeNull();
    expect((await describeSecrets(second)).notices).toEqual([expect.stringContaining('not the one that encrypted')]);
    await second.quit();
    const third = await start(folder);
    expect(await read(third, 'token/sandbox')).toBe('very-secret-token');
    expect((await describeSecrets(third)).notices).toEqual([]);
  });

  it('secrets are reported as readable by other programs if Linux has no keyring, whatever the desktop is', async () => {
    const rainbell = await start(await temporaryFolder(), 'absent');
    await write(rainbell, 'token/sandbox', 'very-secret-token');
    expect((await describeSecrets(rainbell)).protection).toContain('any of your programs can read');
  });

  it('secrets that cannot be read are backed up, with a notice to the user', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'secrets-keyring.json'), '{"token');
    const rainbell = await start(folder);
    expect((await describeSecrets(rainbell)).notices[0]).toContain('Sign in again');
    expect((await readdir(folder)).some((name) => name.includes('unreadable'))).toBe(true);
  });
});
