// Goals 1 and 3 of docs/performance.md: the durable receiver, which answers when a callback is on disk, against the least that stores
// it as well, and mockttp, which keeps it in memory. CPU of each server's process tree a request.
import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { atLeast, type BenchOptions, type BenchRow, assess, repeat, unmeasured } from './bench-row.ts';
import { type ChildServer, startChildServer } from './child-server.ts';
import { type Figures, load, shown } from './load.ts';
import { installPeers } from './peers.ts';

type Name = 'receiver' | 'smallest' | 'mockttp';
type Seen = Record<Name, Figures[]>;

const cases = [
  { goal: '1', size: '300 B', bytes: 300, least: { smallest: 0.85, mockttp: 5 } },
  { goal: '3', size: '64 KB', bytes: 65_536, least: { smallest: 0.6, mockttp: 1.5 } },
] as const;
const baselines = { smallest: 'bare node:http with group commits', mockttp: 'mockttp, memory only' } as const;
const receiverFile = fileURLToPath(new URL('../core/receiver/receiver-process.ts', import.meta.url));
const smallestFile = fileURLToPath(new URL('./smallest-receiver-process.ts', import.meta.url));

export async function bench(options: BenchOptions): Promise<BenchRow[]> {
  const isTrial = options.extent === 'trial';
  const mockttp = isTrial
    ? undefined
    : await prepareMockttp(options.say).catch((error: unknown) => new Error(String(error)));
  const rows: BenchRow[] = [];
  for (const { goal, size, bytes, least } of isTrial ? cases.slice(0, 1) : cases) {
    const seen = await measure(bytes, mockttp, options);
    for (const name of ['smallest', 'mockttp'] as const) {
      const what = `durable receive, ${size}, 32 connections, CPU`;
      const row = { goal, what, baseline: baselines[name], limit: atLeast(least[name]) };
      const ratios = seen.receiver.map(
        (ours, round) => (seen[name][round]?.cpuMicroseconds ?? Number.NaN) / ours.cpuMicroseconds,
      );
      const note = `${shown(seen.receiver)}; ${shown(seen[name])}`;
      if (seen[name].length > 0) rows.push(assess({ ...row, note }, ratios));
      else if (isTrial) rows.push(unmeasured(row, 'not here', 'a trial'));
      else rows.push(unmeasured(row, 'no baseline', String(mockttp)));
    }
  }
  return rows;
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
/** A busy machine handles few requests in a time. */
const loads = { trial: { amount: 500 }, quick: { duration: 0.6 }, whole: { duration: 2 } };

/** All servers of a start run the whole time, and get requests in turns. */
async function measure(bytes: number, mockttp: string | Error | undefined, { extent, say }: BenchOptions) {
  const seen: Seen = { receiver: [], smallest: [], mockttp: [] };
  const monitor = '{"id":"precipitation_1","monitor_type":"precipitation","padding":"';
  const body = Buffer.from(`${monitor}${'x'.repeat(bytes - monitor.length - 2)}"}`);
  for (let start = 0; start < starts[extent]; start += 1) {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'rainbell-receiver-bench-'));
    await using servers = new AsyncDisposableStack();
    const commands: [Name, string[]][] = [
      ['receiver', [receiverFile, join(folder.path, 'receiver')]],
      ['smallest', [smallestFile, folder.path]],
    ];
    if (typeof mockttp === 'string') commands.push(['mockttp', [mockttp]]);
    const running: [Name, ChildServer][] = [];
    for (const [name, args] of commands) running.push([name, servers.use(await startChildServer({ args }))]);
    await repeat(extent, { quick: 2, whole: 3 }, async (round) => {
      for (const [name, { firstLine: port, usage }] of running) {
        const url = `http://127.0.0.1:${port}/hooks/bench`;
        const figures = await load({ url, method: 'POST', body, ...loads[extent] }, usage);
        if (figures && round >= 0) seen[name].push(figures);
      }
    });
  }
  for (const [name, figures] of Object.entries(seen)) {
    if (figures.length > 0) say(`${bytes} B, 32 connections, ${name}: ${shown(figures)}`);
  }
  return seen;
}
