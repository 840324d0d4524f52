// Goal 4 of docs/performance.md: how late the app's main thread comes to its work (the 99th percentile) while the
// receiver is at full load, against a receiver that runs in the main thread. Both on all cores, as the app runs. Timers
// fire at whole milliseconds, so a loop that has nothing to do comes late, too: the ratio is of what the load adds to
// that. Senders of callbacks usually run on another computer, but the load generator takes a core of this one, so a second row has it
// at a lower priority.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import autocannon from 'autocannon';
import { atMost, type BenchOptions, type BenchRow, assess, median } from './bench-row.ts';
import { callbackBody } from './callback-store.ts';
import { startChildServer } from './child-server.ts';

const serverFile = fileURLToPath(new URL('./loop-delay-server.ts', import.meta.url));

const autocannonFile = fileURLToPath(import.meta.resolve('autocannon'));

/** Milliseconds, the 99th percentile. */
type Delay = { idle: number; loaded: number };
type Delays = { thread: Delay[]; main: Delay[] };

/** Of the load generator; `low`: 10 steps below the receiver. */
type Priority = 'normal' | 'low';

export async function bench({ isQuick, say }: BenchOptions): Promise<BenchRow[]> {
  const seen: Record<Priority, Delays> = { normal: { thread: [], main: [] }, low: { thread: [], main: [] } };
  for (let round = 0; round < (isQuick ? 2 : 7); round += 1) {
    for (const priority of ['normal', 'low'] as const) {
      for (const kind of ['main', 'thread'] as const)
        seen[priority][kind].push(await delayOf(kind, priority, isQuick ? 1 : 3));
    }
  }
  const what = "main loop's delay, p99, while the receiver is at full load";
  const [row, besideRow] = [
    { goal: '4', what, note: noteOf(seen.normal) },
    { goal: '4', what: `${what}, the load generator at a lower priority`, note: noteOf(seen.low), isBeside: true },
  ];
  say(`main loop's delay, p99: ${row.note}; with the load generator at a lower priority: ${besideRow.note}`);
  const ratio = { baseline: 'the receiver in the main thread, both beyond idle', limit: atMost(0.6) };
  const milliseconds = { ...row, baseline: '2.5 ms', limit: atMost(1) };
  return [
    assess({ ...row, ...ratio }, ratiosOf(seen.normal)),
    {
      ...assess(
        milliseconds,
        seen.normal.thread.map(({ loaded }) => loaded / 2.5),
      ),
      goalText: '≤ 2.5 ms',
    },
    assess({ ...besideRow, ...ratio }, ratiosOf(seen.low)),
  ];
}

function noteOf(delays: Delays): string {
  const of = (kind: keyof Delays, field: keyof Delay) => median(delays[kind].map((delay) => delay[field])).toFixed(2);
  return `${of('thread', 'loaded')} and ${of('main', 'loaded')} ms; idle ${of('thread', 'idle')} and ${of('main', 'idle')} ms`;
}

function ratiosOf({ thread, main }: Delays): number[] {
  const added = (delay: Delay | undefined) => (delay ? Math.max(0, delay.loaded - delay.idle) : Number.NaN);
  return thread.map((delay, round) => added(delay) / added(main[round]));
}

async function delayOf(kind: keyof Delays, priority: Priority, seconds: number): Promise<Delay> {
  const folder = mkdtempSync(join(tmpdir(), 'rainbell-loop-bench-'));
  const args = [serverFile, kind, folder];
  const server = await startChildServer({ command: process.execPath, args, onOneCore: false });
  try {
    const url = `http://127.0.0.1:${Number(server.firstLine)}/hooks/bench`;
    const load = priority === 'low' ? loadFromBehind : loadFromHere;
    await load(url, 1);
    await server.query();
    await wait(seconds * 1000);
    const idle = Number(await server.query());
    const result = await load(url, seconds);
    if (result['2xx'] < result.requests.total) throw new Error('The receiver refused callbacks.');
    return { idle, loaded: Number(await server.query()) };
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

type LoadResult = { '2xx': number; requests: { total: number } };

async function loadFromHere(url: string, seconds: number): Promise<LoadResult> {
  return autocannon({ url, method: 'POST', body: callbackBody, connections: 64, duration: seconds });
}

/** The same from another process, at a lower priority. */
async function loadFromBehind(url: string, seconds: number): Promise<LoadResult> {
  const load = ['-j', '-m', 'POST', '-c', '64', '-d', String(seconds), '-b', callbackBody.toString(), url];
  const { stdout } = await promisify(execFile)('nice', ['-n', '10', process.execPath, autocannonFile, ...load]);
  return JSON.parse(stdout) as LoadResult;
}
