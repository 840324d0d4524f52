// Goal 4 of docs/performance.md: how late the app's main thread comes to its work (the 99th percentile) while the
// receiver is at full load, against a receiver that runs in the main thread. Both on all cores, as the app runs. Timers
// fire at whole milliseconds, so a loop that has nothing to do comes late, too: the ratio is of what the load adds to
// that.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { atMost, type BenchOptions, type BenchRow, assess, median } from './bench-row.ts';
import { callbackBody } from './callback-store.ts';
import { startChildServer } from './child-server.ts';

const serverFile = fileURLToPath(new URL('./loop-delay-server.ts', import.meta.url));

/** Milliseconds, the 99th percentile. */
type Delay = { idle: number; loaded: number };

export async function bench({ isQuick, say }: BenchOptions): Promise<BenchRow[]> {
  const seen = { thread: [] as Delay[], main: [] as Delay[] };
  for (let round = 0; round < (isQuick ? 2 : 7); round += 1) {
    for (const kind of ['main', 'thread'] as const) seen[kind].push(await delayOf(kind, isQuick ? 1 : 3));
  }
  const of = (kind: keyof typeof seen, field: keyof Delay) =>
    median(seen[kind].map((delay) => delay[field])).toFixed(2);
  const note = `${of('thread', 'loaded')} and ${of('main', 'loaded')} ms; idle ${of('thread', 'idle')} and ${of('main', 'idle')} ms`;
  say(`main loop's delay, p99: ${note}`);
  const row = { goal: '4', what: 'main loop delay, p99, while the receiver is at full load', note };
  const added = (delay: Delay | undefined) => (delay ? Math.max(0, delay.loaded - delay.idle) : Number.NaN);
  const ratios = seen.thread.map((delay, round) => added(delay) / added(seen.main[round]));
  const milliseconds = { ...row, baseline: '2.5 ms', limit: atMost(1) };
  return [
    assess(
      { ...row, baseline: 'the receiver in the main thread, both minus the idle delay', limit: atMost(0.6) },
      ratios,
    ),
    {
      ...assess(
        milliseconds,
        seen.thread.map(({ loaded }) => loaded / 2.5),
      ),
      goalText: '≤ 2.5 ms',
    },
  ];
}

async function delayOf(kind: 'main' | 'thread', seconds: number): Promise<Delay> {
  const folder = mkdtempSync(join(tmpdir(), 'rainbell-loop-bench-'));
  const args = [serverFile, kind, folder];
  const server = await startChildServer({ command: process.execPath, args, onOneCore: false });
  try {
    const url = `http://127.0.0.1:${Number(server.firstLine)}/hooks/bench`;
    const load = { url, method: 'POST', body: callbackBody, connections: 64 } as const;
    await autocannon({ ...load, duration: 1 });
    await server.query();
    await wait(seconds * 1000);
    const idle = Number(await server.query());
    const result = await autocannon({ ...load, duration: seconds });
    if (result['2xx'] < result.requests.total) throw new Error('The receiver refused callbacks.');
    return { idle, loaded: Number(await server.query()) };
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
