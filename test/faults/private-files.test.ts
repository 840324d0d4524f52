// Private data under any umask: what Rainbell makes is for its user only, and what it did not make keeps its mode.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { runEntry } from '#test/setup/run-entry.ts';
import { unreachableProviders } from '#test/stories/service-process.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const isPosix = process.platform !== 'win32';

const entries = {
  app: ['headless/main.ts', '--no-open'],
  service: ['service/main.ts'],
} as const;

/** Starts it under an umask, and waits until it is ready. */
async function start(entry: keyof typeof entries, dataFolder: string, umask: string) {
  const args = [...runEntry, ...entries[entry], '--port', '0', '--json', '--data', dataFolder];
  const child = spawn('sh', ['-c', `umask ${umask}; exec "$@"`, 'sh', process.execPath, ...args], {
    cwd: project,
    env: { ...process.env, ...unreachableProviders, RAINBELL_PROVIDER: 'simulation' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stderr.resume();
  await once(child.stdout, 'data');
}

/** Files that others may open, and folders that they may enter, with their modes. Chromium's own are behind a closed folder. */
function openPaths(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => [name, statSync(join(folder, name)).mode & 0o777] as const)
    .filter(([, mode]) => (mode & 0o077) !== 0)
    .map(([name, mode]) => `${name} ${mode.toString(8)}`);
}

const serviceIsReady = (folder: string) => existsSync(join(folder, 'service', 'service.sqlite-shm'));

// The widest umask; under a narrower one, the same calls can only give fewer rights.
test.runIf(isPosix).each(['app', 'service'] as const)(
  'the %s under umask 000 makes folders 0700 and files 0600',
  async (entry) => {
    const dataFolder = join(temporaryFolder(), 'new', 'data');
    await start(entry, dataFolder, '000');
    await expect.poll(() => serviceIsReady(dataFolder)).toBe(true);
    expect(readdirSync(dataFolder, { recursive: true }).length).toBeGreaterThan(3);
    expect(openPaths(join(dataFolder, '..', '..'))).toEqual([]);
  },
);

test.runIf(isPosix).each(['app', 'service'] as const)(
  'the %s under umask 022 in a folder that was there makes files 0600, and leaves the folder as it is',
  async (entry) => {
    const dataFolder = temporaryFolder();
    chmodSync(dataFolder, 0o755);
    mkdirSync(join(dataFolder, 'holiday'), { mode: 0o755 });
    await start(entry, dataFolder, '022');
    await expect.poll(() => serviceIsReady(dataFolder)).toBe(true);
    expect(openPaths(dataFolder)).toEqual(['holiday 755']);
    expect(statSync(dataFolder).mode & 0o777).toBe(0o755);
  },
);
