// Goal 13 of docs/performance.md, its first part: from the start of the process to the first response,
// our service and the headless host against mockttp. Each on folders that it has used before, ours after `npm run build`; wall-clock time.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { headlessEnvironment, headlessFlags } from '#scripts/headless-node.mjs';
import { atMost, type BenchOptions, type BenchRow, type Extent, assess, median, unmeasured } from './bench-row.ts';
import { startChildServer } from './child-server.ts';
import { installPeers } from './peers.ts';
import { buildScreens } from './screen-host.ts';

type Start = { milliseconds: number; cpuMilliseconds: number };
type Name = 'service' | 'headless' | 'mockttp';
type Command = { args: string[]; env?: Readonly<Record<string, string>> };

const project = fileURLToPath(new URL('../..', import.meta.url));

const goals = [
  { ours: 'service', against: 'mockttp', limit: atMost(0.35) },
  { ours: 'headless', against: 'mockttp', limit: atMost(0.4) },
] as const;

export async function bench({ extent, say }: BenchOptions): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'rainbell-start-bench-'));
  const starts = new Map<Name, Start[]>();
  const failures = new Map<Name, string>();
  try {
    const commands = Object.entries(await commandsIn(folder, extent, say)) as [Name, Command][];
    // The first round fills folders and the disk's cache.
    const rounds = { trial: 1, quick: 3, whole: 9 }[extent];
    for (let round = extent === 'trial' ? 0 : -1; round < rounds; round += 1) {
      for (const [name, command] of commands) {
        if (failures.has(name)) continue;
        const start = await measure(command).catch((error: unknown) => String(error));
        if (typeof start === 'string') failures.set(name, start);
        else if (round >= 0) starts.set(name, [...(starts.get(name) ?? []), start]);
      }
    }
    for (const [name, seen] of starts) say(`${name}: ${shown(seen)}`);
    return goals.map((goal) => rowOf(goal, starts, failures));
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function commandsIn(
  folder: string,
  extent: Extent,
  say: BenchOptions['say'],
): Promise<Partial<Record<Name, Command>>> {
  await buildScreens();
  // As `npm run service` and `npm run headless` do.
  const ours = (name: string) => [
    ...headlessFlags,
    join(project, 'scripts', 'run.cjs'),
    join(project, name, 'main.ts'),
    '--json',
    '--port',
    '0',
    '--data',
    join(folder, name),
  ];
  return {
    service: { args: [...ours('service'), '--provider', 'simulation'] },
    headless: { args: [...ours('headless'), '--no-open'], env: headlessEnvironment },
    ...(extent === 'trial' ? {} : { mockttp: { args: [await mockttpProgram(say)] } }),
  };
}

async function mockttpProgram(say: BenchOptions['say']): Promise<string> {
  const file = join(await installPeers(say), 'mockttp-start.mjs');
  writeFileSync(
    file,
    `import { getLocal } from 'mockttp';\nconst server = getLocal();\nawait server.start();\nconsole.log(server.url);\n`,
  );
  return file;
}

async function measure(command: Command): Promise<Start> {
  const began = performance.now();
  const server = await startChildServer({ command: process.execPath, ...command });
  const milliseconds = performance.now() - began;
  const { cpuMicroseconds } = server.usage();
  await server.stop();
  return { milliseconds, cpuMilliseconds: cpuMicroseconds / 1000 };
}

function shown(starts: readonly Start[]): string {
  const of = (field: keyof Start) => median(starts.map((start) => start[field])).toFixed(0);
  return `${of('milliseconds')} ms, ${of('cpuMilliseconds')} ms CPU`;
}

function rowOf(
  { ours, against, limit }: (typeof goals)[number],
  starts: ReadonlyMap<Name, Start[]>,
  failures: ReadonlyMap<Name, string>,
): BenchRow {
  const what = `time from start to listening, ${ours}`;
  const row = { goal: '13', what, baseline: against, limit };
  const [mine, theirs] = [starts.get(ours), starts.get(against)];
  const failure = failures.get(against);
  if (theirs === undefined)
    return failure === undefined ? unmeasured(row, 'not here', 'a trial') : unmeasured(row, 'no baseline', failure);
  if (mine === undefined) return unmeasured(row, 'failed', failures.get(ours) ?? 'it did not start');
  const ratios = mine.map((start, round) => start.milliseconds / (theirs[round]?.milliseconds ?? Number.NaN));
  return assess({ ...row, note: `${shown(mine)}; ${shown(theirs)}` }, ratios);
}
