// Goal 13 of docs/performance.md, its other parts: opening the store and reading the first page with a million stored
// callbacks against a thousand, and the receiver's memory after a million received against ten thousand.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { systemClock } from '#shared/time/clock.ts';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { createCallbackPages } from '#core/receiver/records/callback-pages.ts';
import { readCounters } from '#core/receiver/records/callback-writer.ts';
import { atMost, type BenchOptions, type BenchRow, assess, median } from './bench-row.ts';
import { callbackBody, fillCallbackStore } from './callback-store.ts';
import { startChildServer } from './child-server.ts';

const few = { stored: 1_000, received: 10_000 };
const receiverFile = fileURLToPath(new URL('./receiver-server.ts', import.meta.url));

export async function bench(options: BenchOptions): Promise<BenchRow[]> {
  return [openAndRead(options), await memory(options)];
}

function openAndRead({ isQuick, say }: BenchOptions): BenchRow {
  const many = isQuick ? 100_000 : 1_000_000;
  const folder = mkdtempSync(join(tmpdir(), 'rainbell-stored-bench-'));
  try {
    const files = { few: filled(join(folder, 'few'), few.stored), many: filled(join(folder, 'many'), many) };
    const seen = { few: [] as number[], many: [] as number[] };
    // The first rounds warm up the code and the disk's cache.
    for (let round = -10; round < 100; round += 1) {
      for (const name of ['few', 'many'] as const) {
        const milliseconds = firstPage(files[name]);
        if (round >= 0) seen[name].push(milliseconds);
      }
    }
    const shown = (of: readonly number[]) => `${median(of).toFixed(2)} ms`;
    const note = `${shown(seen.many)} and ${shown(seen.few)}`;
    say(`opening with ${many} and ${few.stored}: ${note}`);
    const row = {
      goal: '13',
      what: `opening the store and reading the first page, ${many.toLocaleString('en')} callbacks`,
      baseline: `with ${few.stored.toLocaleString('en')} callbacks`,
      limit: atMost(2),
      note,
    };
    const ratios = seen.many.map((each, round) => each / (seen.few[round] ?? Number.NaN));
    const isReached = median(seen.many) <= 2 * median(seen.few) + 1;
    return { ...assess(row, ratios), goalText: '≤ 2× + 1 ms', verdict: isReached ? 'reached' : 'missed' };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function filled(folder: string, count: number): string {
  const file = join(folder, 'app.sqlite');
  fillCallbackStore(file, count);
  return file;
}

/** As the app does at its start: open, look at the counters, read the newest hundred. */
function firstPage(file: string): number {
  const began = performance.now();
  const store = openAppDatabase({ file, clock: systemClock });
  const { total } = readCounters(store.db);
  const page = createCallbackPages(store.db).page({ beforeId: undefined, limit: 100 });
  const took = performance.now() - began;
  store.close();
  if (page.length !== 100 || total < few.stored) throw new Error('The page is not the one that was stored.');
  return took;
}

async function memory({ isQuick, say }: BenchOptions): Promise<BenchRow> {
  const many = isQuick ? 100_000 : 1_000_000;
  const seen: { before: number; after: number }[] = [];
  for (let round = 0; round < (isQuick ? 1 : 3); round += 1) seen.push(await memoryOf(many));
  const of = (field: 'before' | 'after') => median(seen.map((one) => one[field])).toFixed(0);
  const note = `${of('after')} and ${of('before')} MB of the receiver's process`;
  say(`memory: ${note}`);
  const row = {
    goal: '13',
    what: `memory after receiving ${many.toLocaleString('en')} callbacks`,
    baseline: `after ${few.received.toLocaleString('en')}`,
    limit: atMost(1.2),
    note,
  };
  return assess(
    row,
    seen.map(({ before, after }) => after / before),
  );
}

/** Megabytes of a receiver's process after a few callbacks and after many. */
async function memoryOf(many: number): Promise<{ before: number; after: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'rainbell-memory-bench-'));
  // Three times that is the young generation of the receiver's thread (core/receiver/server/receiver.ts).
  const args = ['--max-semi-space-size=2', receiverFile, 'receiver', folder];
  const server = await startChildServer({ command: process.execPath, args });
  try {
    const url = `http://127.0.0.1:${Number(server.firstLine)}/hooks/bench`;
    const receive = async (amount: number) => {
      const result = await autocannon({ url, method: 'POST', body: callbackBody, connections: 64, amount });
      if (result['2xx'] < amount) throw new Error(`${amount - result['2xx']} of ${amount} callbacks were not taken.`);
      return server.usage().rssBytes / 1e6;
    };
    const before = await receive(few.received);
    return { before, after: await receive(many - few.received) };
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
