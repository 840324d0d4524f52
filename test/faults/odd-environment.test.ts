// What the system says of the user and the disk can be missing or odd.
import { execFileSync, spawnSync } from 'node:child_process';
import { afterEach, expect, test, vi } from 'vitest';
import { projectFolder } from '#scripts/tool.mjs';
import { defaultDataFolder } from '#shared/node/data-folder.ts';
import { runEntry } from '#test/setup/run-entry.ts';

const isLinux = process.platform === 'linux';
afterEach(() => void vi.unstubAllEnvs());

test.runIf(isLinux)('the default data folder follows the base directories of the desktop', () => {
  vi.stubEnv('HOME', '/home/me');
  const folders = ['/data', 'relative', '', undefined].map((value) => {
    vi.stubEnv('XDG_DATA_HOME', value);
    return defaultDataFolder();
  });
  // A relative path must be ignored: https://specifications.freedesktop.org/basedir-spec/latest/
  const usual = '/home/me/.local/share/rainbell';
  expect(folders).toEqual(['/data/rainbell', usual, usual, usual]);
});

test.runIf(isLinux && process.getuid?.() === 0)(
  'a user without a name and a home folder gets a sentence that says what to do',
  () => {
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [...runEntry, ...args], {
        cwd: projectFolder,
        env: { PATH: process.env['PATH'] },
        uid: 54_321,
        encoding: 'utf8',
      });
    const sentence = 'This user has no home folder. Choose a data folder with --data.';
    const service = run('service/main.ts');
    expect([service.status, service.stderr]).toEqual([1, `error: The service failed: ${sentence}\n`]);
    expect(run('service/main.ts', '--help').status).toBe(0);
    const rainbell = run('command-line/main.ts', 'export');
    expect([rainbell.status, rainbell.stderr]).toEqual([2, `error: ${sentence}\n`]);
  },
);

test.runIf(isLinux)('a data folder where nothing can be made is an error, not an endless loop', () => {
  const script = `
    import { makePrivateFolder } from '#shared/node/private-files.ts';
    try { makePrivateFolder('/proc/x/y'); } catch ({ code }) { console.log(code); }`;
  const options = { cwd: projectFolder, encoding: 'utf8', timeout: 20_000, stdio: 'pipe' } as const;
  expect(execFileSync(process.execPath, ['--input-type=module', '--eval', script], options)).toBe('ENOENT\n');
});
