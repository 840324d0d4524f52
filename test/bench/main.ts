// `npm run bench [-- --quick] [--write] [names…]`: every metric of the goals table as a ratio to its named baseline, one bench
// after another, each in a process of its own. Ends with the rows that miss their goal. A full run writes docs/performance.md;
// with `--write`, so does a run of some benches, whose sections are replaced. Exits with 1 only if a baseline could not run or a
// whole bench crashed: a missed goal is a result, and so is a failure of Rainbell (`failed: …` in the table).
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { failWithUsage, readToolOptions } from '#scripts/tool-options.mjs';
import type { BenchMessage } from './bench-process.ts';
import type { BenchRow } from './bench-row.ts';
import { benches } from './benches.ts';
import { type Measured, missedLines, terminalTable, updateDocument } from './report.ts';

const documentFile = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));
const benchProcess = fileURLToPath(new URL('./bench-process.ts', import.meta.url));

const usage = `Usage: npm run bench [-- BENCHMARK…] [--quick] [--write]

Measure Rainbell against the baselines of its performance goals, and list the goals that are missed

Arguments:
  BENCHMARK   what to run (default: all): ${benches.slice(0, 7).join(', ')},
              ${benches.slice(7).join(', ')}

Options:
  --quick     fewer rounds and requests
  --write     write the results of some benchmarks to docs/performance.md, as a complete run does
  -h, --help  print this help

Examples:
  npm run bench -- viewers --quick

Exit codes:
  0  measured, whether or not the goals are reached
  1  a baseline or a benchmark did not run
  2  invalid arguments`;

const { values, positionals } = readToolOptions(
  usage,
  { quick: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
  { allowPositionals: true },
);
const unknown = positionals.filter((name) => !benches.some((known) => known === name));
if (unknown.length > 0) failWithUsage(usage, `unknown benchmark: ${unknown.join(', ')}`);
const wanted = positionals.length === 0 ? benches : positionals;

async function run(name: string): Promise<BenchRow[]> {
  console.log(`\n${name}`);
  const began = performance.now();
  const child = fork(benchProcess, [name, values.quick ? 'quick' : 'whole']);
  const rows: BenchRow[] = [];
  let problem: string | undefined;
  child.on('message', (message: BenchMessage) => {
    if (message.kind === 'rows') rows.push(...message.rows);
    else problem = message.words;
  });
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  console.log(`  ${((performance.now() - began) / 1000).toFixed(0)} s`);
  if (rows.length > 0) return rows;
  const note = problem ?? `it ended with ${signal ?? `exit code ${code}`} and without a message`;
  const nothing = { goal: '–', baseline: '–', goalText: '–', ratio: null, spread: null };
  return [{ ...nothing, what: `the bench “${name}”`, verdict: 'crashed', note }];
}

/** What was measured on: date, commit (whose lock file has the versions), load, and machine. */
function describeMachine(): string {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' }).trim();
  let commit = 'a folder without Git';
  try {
    const changed = git('status', '--porcelain', '--', '.', ':!docs') === '' ? '' : ' with uncommitted changes';
    commit = `\`${git('rev-parse', '--short', 'HEAD')}\`${changed}`;
  } catch {}
  const [processor] = cpus();
  return [
    `${new Date().toISOString().slice(0, 10)}, ${commit}${values.quick ? ' with `--quick`' : ''},`,
    `load ${(loadavg()[0] ?? 0).toFixed(1)}, ${cpus().length} × ${processor?.model.trim() ?? 'processor'}`,
  ].join(' ');
}

const measured: Measured[] = [];
for (const name of wanted) {
  const about = describeMachine();
  measured.push({ name, about, rows: await run(name) });
}
const rows = measured.flatMap((bench) => bench.rows);
rows.sort((one, other) => (Number.parseFloat(one.goal) || 99) - (Number.parseFloat(other.goal) || 99));

console.log(`\n${terminalTable(rows)}`);
const isWhole = positionals.length === 0;
if (values.write || (isWhole && !values.quick)) {
  writeFileSync(documentFile, updateDocument(readFileSync(documentFile, 'utf8'), benches, measured));
  console.log(`\nWritten into ${documentFile}`);
}
const isIncomplete = rows.some(({ verdict }) => verdict === 'no baseline' || verdict === 'crashed');
if (isIncomplete) console.error('\nA baseline could not run, so the table is not complete.');
for (const { what, baseline, verdict, note } of rows) {
  if (verdict === 'failed' || verdict === 'crashed') console.error(`${what} / ${baseline} failed: ${note}`);
}
const missed = missedLines(rows);
console.log(missed.length === 0 ? '\nNo row misses its goal.' : `\nMissed:\n${missed.join('\n')}`);
process.exit(isIncomplete ? 1 : 0);
