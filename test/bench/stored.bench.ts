// Goal 13 of docs/performance.md, its second part: opening the store and reading the first page with a million stored callbacks
// against a thousand.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#shared/time/clock.ts';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { createCallbackPages } from '#core/receiver/records/callback-pages.ts';
import { readCounters } from '#core/receiver/records/callback-writer.ts';
import { atMost, type BenchOptions, type BenchRow, assess, median } from './bench-row.ts';
import { fillCallbackStore } from './callback-store.ts';

const few = 1_000;

export async function bench({ extent, say }: BenchOptions): Promise<BenchRow[]> {
  const many = { trial: 2_000, quick: 100_000, whole: 1_000_000 }[extent];
  const folder = mkdtempSync(join(tmpdir(), 'rainbell-stored-bench-'));
  try {
    const files = { few: filled(join(folder, 'few'), few), many: filled(join(folder, 'many'), many) };
    const seen = { few: [] as number[], many: [] as number[] };
    // The first rounds warm up the code and the disk's cache.
    const [first, rounds] = extent === 'trial' ? [0, 1] : [-10, 100];
    for (let round = first; round < rounds; round += 1) {
      for (const name of ['few', 'many'] as const) {
        const milliseconds = firstPage(files[name]);
        if (round >= 0) seen[name].push(milliseconds);
      }
    }
    const shown = (of: readonly number[]) => `${median(of).toFixed(2)} ms`;
    const note = `${shown(seen.many)} and ${shown(seen.few)}`;
    say(`opening with ${many} and ${few}: ${note}`);
    const row = {
      goal: '13',
      what: `opening the store and reading the first page, ${many.toLocaleString('en')} callbacks`,
      baseline: `with ${few.toLocaleString('en')} callbacks`,
      limit: atMost(2),
      note,
    };
    const ratios = seen.many.map((each, round) => each / (seen.few[round] ?? Number.NaN));
    const isReached = median(seen.many) <= 2 * median(seen.few) + 1;
    return [{ ...assess(row, ratios), goalText: '≤ 2× + 1 ms', verdict: isReached ? 'reached' : 'missed' }];
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
  if (page.length !== 100 || total < few) throw new Error('The page is not the one that was stored.');
  return took;
}
