// One bench in a process of its own, so that the memory and the caches of one do not weigh on the next. Started by main.ts,
// to which it sends its rows.
import type { Bench, BenchRow, Extent } from './bench-row.ts';

export type BenchMessage = { kind: 'rows'; rows: BenchRow[] } | { kind: 'crashed'; words: string };

const [name = '', extent = 'whole'] = process.argv.slice(2);

process.on('uncaughtException', tellAndEnd);
try {
  const { bench } = (await import(`./${name}.bench.ts`)) as { bench: Bench };
  const rows = await bench({ extent: extent as Extent, say: (line) => console.log(`  ${line}`) });
  process.send?.({ kind: 'rows', rows } satisfies BenchMessage, () => process.exit(0));
} catch (error) {
  tellAndEnd(error);
}

function tellAndEnd(error: unknown): void {
  console.error(error);
  const words = error instanceof Error ? error.message : String(error);
  process.send?.({ kind: 'crashed', words } satisfies BenchMessage, () => process.exit(1));
}
