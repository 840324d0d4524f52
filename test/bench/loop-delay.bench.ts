// Goal 4 of the design's performance.md: how late the app's main thread comes to its work (the 99th percentile) while the
// receiver is at full load, against a receiver that runs in the main thread. Both on all cores, as the app runs.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { atMost, type BenchOptions, type BenchRow, judge, median } from './bench-row.ts';
import { callbackBody } from './callback-store.ts';
import { startChildServer } from './child-server.ts';

const serverFile = fileURLToPath(new URL('./loop-delay-server.ts', import.meta.url));

export async function bench({ isQuick, say }: BenchOptions): Promise<BenchRow[]> {
  const seen = { thread: [] as number[], main: [] as number[] };
  for (let round = 0; round < (isQuick ? 2 : 7); round += 1) {
    for (const kind of ['main', 'thread'] as const) seen[kind].push(await delayOf(kind, isQuick ? 1 : 3));
  }
  const note = `${median(seen.thread).toFixed(2)} and ${median(seen.main).toFixed(2)} ms`;
  say(`main loop's delay, p99: ${note}`);
  const row = { goal: '4', what: "main loop's delay, p99, while the receiver is at full load", note };
  const ratios = seen.thread.map((delay, round) => delay / (seen.main[round] ?? Number.NaN));
  const milliseconds = { ...row, baseline: '2.5 ms', limit: atMost(1) };
  return [
    judge({ ...row, baseline: 'the receiver in the main thread', limit: atMost(0.6) }, ratios),
    {
      ...judge(
        milliseconds,
        seen.thread.map((delay) => delay / 2.5),
      ),
      goalText: '≤ 2.5 ms',
    },
  ];
}

async function delayOf(kind: 'main' | 'thread', seconds: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'rainbell-loop-bench-'));
  const args = [serverFile, kind, folder];
  const server = await startChildServer({ command: process.execPath, args, onOneCore: false });
  try {
    const url = `http://127.0.0.1:${Number(server.firstLine)}/hooks/bench`;
    const load = { url, method: 'POST', body: callbackBody, connections: 64 } as const;
    await autocannon({ ...load, duration: 1 });
    await server.ask();
    const result = await autocannon({ ...load, duration: seconds });
    if (result['2xx'] < result.requests.total) throw new Error('The receiver refused callbacks.');
    return Number(await server.ask());
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
