// `npm run bench [-- --quick] [--write] [names…]`: every metric of the goals table as a ratio to its named baseline, one bench
// after another, each in a process of its own. A full run writes the table into docs/performance.md. Exits with 1 only when a
// baseline could not run, as when a whole bench crashed: a missed goal is a result, and so is a failure of our own, which the table
// tells as `failed: …`.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { BenchMessage } from './bench-process.ts';
import type { BenchRow } from './bench-row.ts';
import { describeMachine } from './machine.ts';
import { markdownTable, replaceBetweenMarkers, terminalTable } from './report.ts';

const benches = [
  'receiver',
  'weather',
  'cold-cell',
  'anonymous',
  'monitors',
  'delivery',
  'first-screen',
  'callback-list',
  'viewers',
  'loop-delay',
  'start',
  'stored',
];
const documentFile = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));
const benchProcess = fileURLToPath(new URL('./bench-process.ts', import.meta.url));

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !benches.includes(name));
if (unknown.length > 0) {
  console.error(`There is no bench named ${unknown.join(', ')}. There are: ${benches.join(', ')}.`);
  process.exit(2);
}
const wanted = positionals.length === 0 ? benches : positionals;

async function run(name: string): Promise<BenchRow[]> {
  console.log(`\n${name}`);
  const began = performance.now();
  const child = fork(benchProcess, [name, ...(values.quick ? ['--quick'] : [])]);
  const rows: BenchRow[] = [];
  let problem: string | undefined;
  child.on('message', (message: BenchMessage) => {
    if (message.kind === 'rows') rows.push(...message.rows);
    else problem = message.words;
  });
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  console.log(`  ${((performance.now() - began) / 1000).toFixed(0)} s`);
  if (rows.length > 0) return rows;
  const note = problem ?? `it ended with ${signal ?? `exit code ${code}`} and without a word`;
  const crashed = {
    goal: '–',
    what: `the bench “${name}”`,
    baseline: '–',
    goalText: '–',
    ratio: null,
    spread: null,
    note,
  };
  return [{ ...crashed, verdict: 'crashed' }];
}

const rows: BenchRow[] = [];
for (const name of wanted) rows.push(...(await run(name)));
rows.sort((one, other) => (Number.parseFloat(one.goal) || 99) - (Number.parseFloat(other.goal) || 99));

console.log(`\n${terminalTable(rows)}`);
const isWhole = positionals.length === 0;
if (values.write || (isWhole && !values.quick)) {
  const text = `${describeMachine({ isQuick: values.quick })}\n\n${markdownTable(rows)}`;
  writeFileSync(documentFile, replaceBetweenMarkers(readFileSync(documentFile, 'utf8'), text));
  console.log(`\nWritten into ${documentFile}`);
}
const isIncomplete = rows.some(({ verdict }) => verdict === 'no baseline' || verdict === 'crashed');
if (isIncomplete) console.error('\nA baseline could not run, so the table is not complete.');
for (const { what, baseline, verdict, note } of rows) {
  if (verdict === 'failed' || verdict === 'crashed') console.error(`${what} / ${baseline} failed: ${note}`);
}
process.exit(isIncomplete ? 1 : 0);
