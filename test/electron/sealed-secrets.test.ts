// Secrets in Electron: encrypted by the keyring, and a keyring that is missing, weak or changed never stops anything.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isReal, startRainbell, temporaryFolder, type Rainbell } from './rainbell.ts';

type Globals = {
  readSecret: (name: string) => Promise<string | null>;
  writeSecret: (entry: [string, string | null]) => Promise<void>;
  describeSecrets: () => Promise<{ protection: string; notices: string[] }>;
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
const describeSecrets = (rainbell: Rainbell) =>
  rainbell.evaluate(() => (globalThis as unknown as Globals).describeSecrets());

async function everythingIn(folder: string): Promise<string> {
  const names = await readdir(folder);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')));
  return texts.join('\n');
}

describe.skipIf(isReal)('stored secrets', () => {
  it('come back after a restart, and are nowhere to be read', async () => {
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
    expect((await describeSecrets(second)).protection).toContain('keyring');
  });

  it('T22: are gone, and nothing fails, when the keyring is another one', async () => {
    const folder = await temporaryFolder();
    const first = await start(folder);
    await write(first, 'token/sandbox', 'very-secret-token');
    await first.quit();
    await rm(join(folder, 'double-keyring'));
    const second = await start(folder);
    expect(await read(second, 'token/sandbox')).toBeNull();
    expect((await describeSecrets(second)).notices[0]).toMatch(/keyring is another one.*Sign in again/);
    await write(second, 'token/sandbox', 'new-token');
    expect(await read(second, 'token/sandbox')).toBe('new-token');
  });

  it('T22: stay in memory where there is no keyring, and the person is told', async () => {
    const folder = await temporaryFolder();
    const rainbell = await start(folder, 'none');
    await write(rainbell, 'token/sandbox', 'very-secret-token');
    expect(await read(rainbell, 'token/sandbox')).toBe('very-secret-token');
    expect(await everythingIn(folder)).not.toContain('secret-token');
    expect((await describeSecrets(rainbell)).protection).toContain('in memory only');
  });

  it('T22: that were stored are kept while the keyring does not open, and are there again when it does', async () => {
    const folder = await temporaryFolder();
    const first = await start(folder);
    await write(first, 'token/sandbox', 'very-secret-token');
    await first.quit();
    const second = await start(folder, 'none');
    expect(await read(second, 'token/sandbox')).toBeNull();
    expect((await describeSecrets(second)).notices[0]).toContain('cannot be opened now');
    await second.quit();
    const third = await start(folder);
    expect(await read(third, 'token/sandbox')).toBe('very-secret-token');
    expect((await describeSecrets(third)).notices).toEqual([]);
  });

  it('are said to be readable where Linux has no real keyring', async () => {
    const rainbell = await start(await temporaryFolder(), 'basic_text');
    expect((await describeSecrets(rainbell)).protection).toContain('every program of yours can read');
  });

  it('that cannot be read are set aside, with a word to the person', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'secrets-keyring.json'), '{"token');
    const rainbell = await start(folder);
    expect((await describeSecrets(rainbell)).notices[0]).toContain('Sign in again');
    expect((await readdir(folder)).some((name) => name.includes('unreadable'))).toBe(true);
  });
});
