// Goal 29 of docs/performance.md: how long it takes to install what a clone needs, and what is on the disk then; beside it, the
// packages of the service alone, as its image has them. From npm's cache, which the first install fills.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { atMost, type BenchOptions, type BenchRow, assess, median } from './bench-row.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);
const goalSeconds = 30;
const quiet = ['--prefer-offline', '--no-audit', '--no-fund'];
/** As deploy/Containerfile installs them. */
const serviceOnly = ['-w', 'service', '--omit=dev', '--omit=optional', '--ignore-scripts'];

type Installed = { seconds: number; megabytes: number; packages: number };

export async function bench({ extent, say }: BenchOptions): Promise<BenchRow[]> {
  // A trial only looks at what is installed: tests of packaging and CI itself install.
  const install = extent === 'trial' ? async () => describeInstalled(project, 0) : installClone;
  const service = await install(serviceOnly);
  const rounds = { trial: 0, quick: 1, whole: 3 }[extent];
  const seen: Installed[] = extent === 'trial' ? [service] : [];
  for (let round = 0; round < rounds; round += 1) seen.push(await install([]));
  const [all] = seen as [Installed];
  const note = [
    `${median(seen.map(({ seconds }) => seconds)).toFixed(0)} s, ${all.megabytes} MB, ${all.packages} packages`,
    `the service alone ${service.seconds.toFixed(0)} s, ${service.megabytes} MB, ${service.packages} packages`,
  ].join('; ');
  say(note);
  const row = { goal: '29', what: '`npm ci` in a clone', baseline: `${goalSeconds} s`, limit: atMost(1), note };
  const ratios = seen.map(({ seconds }) => seconds / goalSeconds);
  return [{ ...assess(row, ratios), goalText: `≤ ${goalSeconds} s` }];
}

async function installClone(options: readonly string[]): Promise<Installed> {
  const folder = mkdtempSync(join(tmpdir(), 'rainbell-install-'));
  try {
    await run('git', ['clone', '--quiet', '--depth', '1', `file://${project}`, folder]);
    const began = performance.now();
    await run('npm', ['ci', ...quiet, ...options], { cwd: folder });
    return await describeInstalled(folder, (performance.now() - began) / 1000);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function describeInstalled(folder: string, seconds: number): Promise<Installed> {
  const modules = join(folder, 'node_modules');
  const { stdout } = await run('du', ['-sm', modules]);
  // npm's own list.
  const list = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')) as { packages: object };
  return { seconds, megabytes: Number.parseInt(stdout, 10), packages: Object.keys(list.packages).length };
}
