// Goal 29 of docs/performance.md: how long it takes to install what a clone needs, and what is on the disk then; beside it, the
// packages of the service alone, as its image has them. From npm's cache, which the first install fills.
import { execFile } from 'node:child_process';
import { mkdtempDisposableSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectFolder } from '#scripts/tool.mjs';
import { type BenchOptions, type BenchRow, assessFigures, median, repeat } from './bench-row.ts';

const run = promisify(execFile);
const quiet = ['--prefer-offline', '--no-audit', '--no-fund'];
/** As deploy/Containerfile installs them. */
const serviceOnly = ['-w', 'service', '--omit=dev', '--omit=optional', '--ignore-scripts'];

type Installed = { seconds: number; megabytes: number; packages: number };

export async function bench({ extent, say }: BenchOptions): Promise<BenchRow[]> {
  // A trial only looks at what is installed: tests of packaging and CI itself install.
  const install = extent === 'trial' ? async () => describeInstalled(projectFolder, 0) : installClone;
  const service = await install(serviceOnly);
  const seen = await repeat(extent, { warmUps: 0, whole: 3 }, () => install([]));
  const [all] = seen as [Installed];
  const note = [
    `${median(seen.map(({ seconds }) => seconds)).toFixed(0)} s, ${all.megabytes} MB, ${all.packages} packages`,
    `the service alone ${service.seconds.toFixed(0)} s, ${service.megabytes} MB, ${service.packages} packages`,
  ].join('; ');
  say(note);
  const row = { goal: '29', what: '`npm ci` in a clone', most: 30, unit: 's', note };
  return [
    assessFigures(
      row,
      seen.map(({ seconds }) => seconds),
    ),
  ];
}

async function installClone(options: readonly string[]): Promise<Installed> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'rainbell-install-'));
  await run('git', ['clone', '--quiet', '--depth', '1', `file://${projectFolder}`, folder.path]);
  const began = performance.now();
  await run('npm', ['ci', ...quiet, ...options], { cwd: folder.path });
  return await describeInstalled(folder.path, (performance.now() - began) / 1000);
}

async function describeInstalled(folder: string, seconds: number): Promise<Installed> {
  const modules = join(folder, 'node_modules');
  const { stdout } = await run('du', ['-sm', modules]);
  // npm's own list.
  const list = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')) as { packages: object };
  return { seconds, megabytes: Number.parseInt(stdout, 10), packages: Object.keys(list.packages).length };
}
