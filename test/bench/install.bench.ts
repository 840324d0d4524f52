// Goal 29 of docs/performance.md: how long it takes to install what a clone needs, and what is on the disk then; beside it, the
// packages of the service alone, as its image has them. From npm's cache, which the first install fills.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
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
  // A trial only asks npm for its plan for the service.
  const service = await install([...serviceOnly, ...(extent === 'trial' ? ['--dry-run'] : [])]);
  const seen = extent === 'trial' ? [service] : [];
  const rounds = { trial: 0, quick: 1, whole: 3 }[extent];
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

async function install(options: readonly string[]): Promise<Installed> {
  const folder = mkdtempSync(join(tmpdir(), 'rainbell-install-'));
  try {
    await run('git', ['clone', '--quiet', '--depth', '1', `file://${project}`, folder]);
    const began = performance.now();
    await run('npm', ['ci', ...quiet, ...options], { cwd: folder });
    const seconds = (performance.now() - began) / 1000;
    const modules = join(folder, 'node_modules');
    mkdirSync(modules, { recursive: true });
    const { stdout } = await run('du', ['-sm', modules]);
    return { seconds, megabytes: Number.parseInt(stdout, 10), packages: packagesOf(modules) };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** npm's own list; none after a dry run. */
function packagesOf(modules: string): number {
  try {
    const list = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')) as { packages: object };
    return Object.keys(list.packages).length;
  } catch {
    return 0;
  }
}
