// Goal 13 of docs/performance.md, its first part: from the start of the process to the first response,
// our service and the headless host against mockttp. Each on folders that it has used before, ours after `npm run build`; wall-clock time.
import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { headlessFlags } from '#scripts/headless-node.mjs';
import { atMost, type BenchOptions, type BenchRow, assess, median, repeat, unmeasured } from './bench-row.ts';
import { type ChildServer, startChildServer, startRainbell } from './child-server.ts';
import { installPeers } from './peers.ts';
import { buildScreens } from './screen-host.ts';

type Start = { milliseconds: number; cpuMilliseconds: number };

const goals = [
  { ours: 'service', limit: atMost(0.35) },
  { ours: 'headless', limit: atMost(0.4) },
] as const;

export async function bench({ extent, say }: BenchOptions): Promise<BenchRow[]> {
  await buildScreens();
  using folder = mkdtempDisposableSync(join(tmpdir(), 'rainbell-start-bench-'));
  const service = { flags: headlessFlags, env: { RAINBELL_PROVIDER: 'simulation' } };
  const starters = {
    service: () => startRainbell('service', join(folder.path, 'service'), service),
    headless: () => startRainbell('headless', join(folder.path, 'headless'), {}),
    ...(extent === 'trial' ? {} : { mockttp: await mockttpStarter(say) }),
  };
  const starts = new Map<string, Start[]>();
  const failures = new Map<string, string>();
  // The first round fills folders and the disk's cache.
  await repeat(extent, { quick: 3, whole: 9 }, async (round) => {
    for (const [name, start] of Object.entries(starters)) {
      if (failures.has(name)) continue;
      const measured = await measure(start).catch((error: unknown) => String(error));
      if (typeof measured === 'string') failures.set(name, measured);
      else if (round >= 0) starts.set(name, [...(starts.get(name) ?? []), measured]);
    }
  });
  for (const [name, seen] of starts) say(`${name}: ${shown(seen)}`);
  return goals.map(({ ours, limit }) => {
    const row = { goal: '13', what: `time from start to listening, ${ours}`, baseline: 'mockttp', limit };
    const [mine, theirs] = [starts.get(ours), starts.get('mockttp')];
    if (mine === undefined) return unmeasured(row, 'failed', failures.get(ours) ?? 'it did not start');
    if (extent === 'trial') return unmeasured(row, 'not here', 'a trial');
    if (theirs === undefined) return unmeasured(row, 'no baseline', failures.get('mockttp') ?? 'it did not start');
    const ratios = mine.map((start, round) => start.milliseconds / (theirs[round]?.milliseconds ?? Number.NaN));
    return assess({ ...row, note: `${shown(mine)}; ${shown(theirs)}` }, ratios);
  });
}

async function mockttpStarter(say: BenchOptions['say']): Promise<() => Promise<ChildServer>> {
  const file = join(await installPeers(say), 'mockttp-start.mjs');
  writeFileSync(
    file,
    `import { getLocal } from 'mockttp';\nconst server = getLocal();\nawait server.start();\nconsole.log(server.url);\n`,
  );
  return () => startChildServer({ args: [file] });
}

async function measure(start: () => Promise<ChildServer>): Promise<Start> {
  const began = performance.now();
  await using server = await start();
  const milliseconds = performance.now() - began;
  return { milliseconds, cpuMilliseconds: server.usage().cpuMicroseconds / 1000 };
}

function shown(starts: readonly Start[]): string {
  const of = (field: keyof Start) => median(starts.map((start) => start[field])).toFixed(0);
  return `${of('milliseconds')} ms, ${of('cpuMilliseconds')} ms CPU`;
}
