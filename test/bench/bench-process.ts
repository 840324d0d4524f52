// One bench in a process of its own, so that the memory and the caches of one do not weigh on the next. Started by main.ts,
// to which it sends its rows; alone it prints them: node test/bench/bench-process.ts NAME [--quick].
import type { Bench } from './bench-row.ts';
import { terminalTable } from './report.ts';

const [name = '', ...options] = process.argv.slice(2);
const { bench } = (await import(`./${name}.bench.ts`)) as { bench: Bench };
const rows = await bench({
  isQuick: options.includes('--quick'),
  say: (line) => process.stdout.write(`  ${line}\n`),
});
if (process.send) process.send(rows, () => process.exit(0));
else process.stdout.write(`${terminalTable(rows)}\n`, () => process.exit(0));
