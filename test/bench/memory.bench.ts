// Goal 22 of docs/performance.md: resident memory of the headless app one minute after startup, as `npm run headless` starts
// it after a build, with its service and receiver, and no screen open.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { headlessEnvironment, headlessFlags } from '#scripts/headless-node.mjs';
import { atMost, type BenchOptions, type BenchRow, assess, median } from './bench-row.ts';
import { startChildServer } from './child-server.ts';
import { buildScreens } from './screen-host.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const goalMegabytes = 150;

export async function bench({ extent, say }: BenchOptions): Promise<BenchRow[]> {
  await buildScreens();
  const seen: number[] = [];
  for (let round = 0; round < (extent === 'whole' ? 3 : 1); round += 1) {
    const megabytes = await measure(extent === 'trial' ? 0 : 60_000);
    say(`${megabytes.toFixed(0)} MB`);
    seen.push(megabytes);
  }
  const subject = {
    goal: '22',
    what: 'resident memory of the headless app one minute after startup',
    baseline: `${goalMegabytes} MB`,
    limit: atMost(1),
    note: `${median(seen).toFixed(0)} MB`,
  };
  const ratios = seen.map((megabytes) => megabytes / goalMegabytes);
  return [{ ...assess(subject, ratios), goalText: `≤ ${goalMegabytes} MB` }];
}

async function measure(afterMs: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'rainbell-memory-'));
  const flags = [...headlessFlags, join(project, 'scripts', 'run.cjs')];
  const entry = join(project, 'headless', 'main.ts');
  const server = await startChildServer({
    command: process.execPath,
    args: [...flags, entry, '--json', '--no-open', '--port', '0', '--data', folder],
    env: { ...headlessEnvironment, RAINBELL_PROVIDER: 'simulation' },
    onOneCore: false,
  });
  try {
    await pause(afterMs);
    return server.usage().rssBytes / 2 ** 20;
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
