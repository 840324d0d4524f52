// Why a start fails, by its real name and without a stack: a full or read-only disk, and a folder or a file of another user.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { runEntry } from '#test/setup/run-entry.ts';
import { unreachableProviders } from '#test/stories/service-process.ts';
import { canMount, smallDisk } from './small-disk.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const isRoot = process.getuid?.() === 0;
/** Debian's unprivileged user. */
const otherUser = 65_534;

const entries = {
  app: ['headless/main.ts', '--no-open', '--port', '0'],
  service: ['service/main.ts', '--port', '0'],
  operator: ['service/operator/main.ts', 'account', 'list'],
} as const;

/** Shared by all starts, also those of the other user. */
const compiled = mkdtempSync(join(tmpdir(), 'rainbell-compiled-'));
chmodSync(compiled, 0o777);
afterAll(() => rmSync(compiled, { recursive: true, force: true }));

/** Runs it until it ends, and returns what it said. It must not say a stack. */
async function refusal(entry: keyof typeof entries, dataFolder: string, user?: number): Promise<string> {
  const child = spawn(process.execPath, [...runEntry, ...entries[entry], '--data', dataFolder], {
    cwd: project,
    env: { ...process.env, ...unreachableProviders, NODE_COMPILE_CACHE: compiled },
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(user === undefined ? {} : { uid: user, gid: user }),
  });
  let words = '';
  child.stderr.on('data', (chunk) => (words += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  expect([words, code]).toEqual([words, 1]);
  expect(words).not.toMatch(/\n\s+at |ERR_SQLITE|already running/);
  return words;
}

describe.runIf(canMount)('a full disk', () => {
  test.each(['app', 'service'] as const)('is named by the %s in a new folder', async (entry) => {
    const disk = smallDisk(2);
    disk.fill(0);
    expect(await refusal(entry, join(disk.folder, 'new'))).toContain('the disk is full');
  });

  test.each(['app', 'service'] as const)('is named by the %s in a folder that was used before', async (entry) => {
    const disk = smallDisk(4);
    mkdirSync(join(disk.folder, 'service'));
    writeFileSync(join(disk.folder, 'app.lock'), '');
    writeFileSync(join(disk.folder, 'service', 'service.lock'), '');
    disk.fill(0);
    expect(await refusal(entry, disk.folder)).toContain('the disk is full');
  });
});

describe.runIf(canMount)('a read-only disk', () => {
  test.each([
    ['app', 'The data folder FOLDER cannot be written to (', '. Make it writable, or choose another one with --data'],
    ['service', 'FOLDER/service/service.sqlite cannot be opened for writing (the folder is read-only)', ''],
  ] as const)('is named by the %s with the folder, and what to do', async (entry, ...sentences) => {
    const disk = smallDisk(4);
    disk.setReadOnly();
    const words = await refusal(entry, disk.folder);
    expect(words).toMatch(/read-only/);
    for (const sentence of sentences) expect(words).toContain(sentence.replace('FOLDER', disk.folder));
  });
});

describe.runIf(isRoot && process.platform === 'linux')('data of another user', () => {
  test.each(['app', 'service', 'operator'] as const)('a folder is named as such by the %s', async (entry) => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'data'), { mode: 0o700 });
    chmodSync(folder, 0o755);
    expect(await refusal(entry, join(folder, 'data'), otherUser)).toContain('this user account has no permission');
  });

  test.each([
    ['app', 'app.sqlite'],
    ['service', 'service/service.sqlite'],
  ] as const)('a file is named as such by the %s', async (entry, file) => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'service'));
    for (const path of [folder, join(folder, 'service')]) chownSync(path, otherUser, otherUser);
    const db = new DatabaseSync(join(folder, file));
    db.exec('PRAGMA journal_mode = WAL; CREATE TABLE marker (a)');
    db.close();
    expect(await refusal(entry, folder, otherUser)).toContain('this user account has no permission');
  });
});
