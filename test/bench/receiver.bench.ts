// Goals 1 and 3 of docs/performance.md: the durable receiver, which answers when a callback is on disk, against the least that stores
// it as well, and mockttp, which keeps it in memory. CPU of each server's process tree a request.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { atLeast, type BenchOptions, type BenchRow, type Extent, assess, median, unmeasured } from './bench-row.ts';
import { type ChildServer, startChildServer } from './child-server.ts';
import { installPeers } from './peers.ts';

type Name = 'receiver' | 'smallest' | 'mockttp';
type Figures = { cpuMicroseconds: number; perSecond: number };
type Case = { what: string; connections: number; bodyBytes: number };
type Seen = Record<Name, Figures[]>;

const cases = {
  few: { what: 'durable receive, 300 B, 32 connections, CPU', connections: 32, bodyBytes: 300 },
  large: { what: 'durable receive, 64 KB, 32 connections, CPU', connections: 32, bodyBytes: 65_536 },
} as const satisfies Record<string, Case>;
const baselines = {
  smallest: 'bare node:http with group commits',
  mockttp: 'mockttp, memory only',
};
const serverFile = fileURLToPath(new URL('./receiver-server.ts', import.meta.url));

export async function bench(options: BenchOptions): Promise<BenchRow[]> {
  const isAlone = options.extent === 'trial';
  const mockttp = isAlone
    ? undefined
    : await prepareMockttp(options.say).catch((error: unknown) => new Error(String(error)));
  const few = await measure(cases.few, mockttp, options);
  const large = isAlone ? few : await measure(cases.large, mockttp, options);
  const against = (goal: string, seen: Seen, { what }: Case, name: keyof typeof baselines, least: number) => {
    const row = { goal, what, baseline: baselines[name], limit: atLeast(least) };
    if (seen[name].length === 0) return withoutMockttp(row, mockttp);
    const ratios = seen.receiver.map(
      (ours, round) => (seen[name][round]?.cpuMicroseconds ?? Number.NaN) / ours.cpuMicroseconds,
    );
    return assess({ ...row, note: `${shown(seen.receiver)}; ${shown(seen[name])}` }, ratios);
  };
  return [
    against('1', few, cases.few, 'smallest', 0.85),
    against('1', few, cases.few, 'mockttp', 5),
    against('3', large, cases.large, 'smallest', 0.6),
    against('3', large, cases.large, 'mockttp', 1.5),
  ];
}

function withoutMockttp(row: Parameters<typeof unmeasured>[0], problem: string | Error | undefined): BenchRow {
  return problem === undefined
    ? unmeasured(row, 'not here', 'a trial')
    : unmeasured(row, 'no baseline', String(problem));
}

async function prepareMockttp(say: BenchOptions['say']): Promise<string> {
  const file = join(await installPeers(say), 'mockttp-receiver.mjs');
  const lines = [
    "import { getLocal } from 'mockttp';",
    'const server = getLocal({ recordTraffic: true });',
    'await server.start();',
    "await server.forPost('/hooks/bench').thenReply(200);",
    'console.log(server.port);',
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

/** Of two processes of one server one is often some percent cheaper, for as long as both run: so each runs several times. */
const starts = { trial: 1, quick: 1, whole: 3 };
const rounds = { trial: 1, quick: 2, whole: 3 };
/** A busy machine handles few requests in a time. */
const loads = { trial: { amount: 500 }, quick: { duration: 0.6 }, whole: { duration: 2 } };

async function measure(given: Case, mockttp: string | Error | undefined, { extent, say }: BenchOptions): Promise<Seen> {
  const seen: Seen = { receiver: [], smallest: [], mockttp: [] };
  for (let start = 0; start < starts[extent]; start += 1) await measureTogether(given, mockttp, extent, seen);
  for (const [name, figures] of Object.entries(seen))
    if (figures.length > 0) say(`${given.bodyBytes} B, ${given.connections} connections, ${name}: ${shown(figures)}`);
  return seen;
}

/** All servers run the whole time, and get requests in turns. */
async function measureTogether(given: Case, mockttp: string | Error | undefined, extent: Extent, seen: Seen) {
  const folder = mkdtempSync(join(tmpdir(), 'rainbell-receiver-bench-'));
  const commands: [Name, string[]][] = [
    ['receiver', [serverFile, 'receiver', join(folder, 'receiver')]],
    ['smallest', [serverFile, 'smallest', folder]],
  ];
  if (typeof mockttp === 'string') commands.push(['mockttp', [mockttp]]);
  const servers: [Name, ChildServer][] = [];
  try {
    for (const [name, args] of commands) {
      servers.push([name, await startChildServer({ command: process.execPath, args })]);
    }
    for (let round = extent === 'trial' ? 0 : -1; round < rounds[extent]; round += 1) {
      for (const [name, server] of servers) {
        const figures = await load(server, given, loads[extent]);
        if (round >= 0) seen[name].push(figures);
      }
    }
  } finally {
    for (const [, server] of servers) await server.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function load(server: ChildServer, given: Case, amount: (typeof loads)[Extent]): Promise<Figures> {
  const url = `http://127.0.0.1:${server.firstLine}/hooks/bench`;
  const before = server.usage();
  const { connections } = given;
  const body = bodyOf(given.bodyBytes);
  const result = await autocannon({ url, method: 'POST', body, connections, ...amount, sampleInt: 100 });
  const after = server.usage();
  const total = result.requests.total;
  if (result.errors > 0 || result['2xx'] < total)
    throw new Error(`${total - result['2xx']} of ${total} requests failed.`);
  return {
    cpuMicroseconds: (after.cpuMicroseconds - before.cpuMicroseconds) / total,
    perSecond: total / result.duration,
  };
}

function bodyOf(bytes: number): Buffer {
  const monitor = '{"id":"precipitation_1","monitor_type":"precipitation","padding":"';
  return Buffer.from(`${monitor}${'x'.repeat(bytes - monitor.length - 2)}"}`);
}

function shown(figures: readonly Figures[]): string {
  const of = (field: keyof Figures) => median(figures.map((each) => each[field])).toFixed(0);
  return `${of('cpuMicroseconds')} µs CPU, ${of('perSecond')}/s`;
}
