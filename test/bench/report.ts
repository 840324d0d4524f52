// The rows as a table: for the terminal, and for docs/performance.md between its two markers, as one table, where a row with
// the bench's name and what it was measured on precedes its rows.
import type { BenchRow } from './bench-row.ts';

const begin = '<!-- bench:begin, written by npm run bench -->';
const end = '<!-- bench:end -->';

const seen = ({ ratio }: BenchRow) => (ratio === null ? '–' : `${shown(ratio)}×`);
const spreadOf = ({ spread }: BenchRow) => (spread === null ? '–' : `${shown(spread[0])}–${shown(spread[1])}`);

/** A failure takes the verdict's place, with the beginning of its message. */
function verdictOf({ verdict, note }: BenchRow): string {
  if (verdict !== 'failed' && verdict !== 'crashed') return verdict;
  return `failed: ${(note.split('\n')[0] ?? '').slice(0, 100)}`;
}

function shown(ratio: number): string {
  if (ratio >= 100) return ratio.toFixed(0);
  return ratio >= 10 ? ratio.toFixed(1) : ratio.toFixed(2);
}

export function terminalTable(rows: readonly BenchRow[]): string {
  const table = [
    ['#', 'what', 'against', 'goal', 'measured', 'spread', 'verdict'],
    ...rows.map((row) => [row.goal, row.what, row.baseline, row.goalText, seen(row), spreadOf(row), verdictOf(row)]),
  ];
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((cells) => cells[column]?.length ?? 0)));
  const lines = table.map((cells) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  const notes = rows
    .filter(({ note }) => note !== '')
    .map(({ what, baseline, note }) => `${what} / ${baseline}: ${note}`);
  return [...lines, '', ...notes].join('\n').trimEnd();
}

const head = [
  '| # | what | against | goal | measured | spread | verdict | figures |',
  '|---|---|---|---|---|---|---|---|',
].join('\n');

export function markdownRows(rows: readonly BenchRow[]): string {
  return rows
    .map((row) => [row.goal, row.what, row.baseline, row.goalText, seen(row), spreadOf(row), verdictOf(row), row.note])
    .map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`)
    .join('\n');
}

/** The rows that miss a goal, one per line. */
export function missedLines(rows: readonly BenchRow[]): string[] {
  return rows
    .filter(({ verdict }) => verdict === 'missed')
    .map((row) => `${row.goal}  ${row.what} / ${row.baseline}: ${seen(row)}, goal ${row.goalText}`);
}

/** A bench that ran: its name, what it was measured on, and its rows. */
export type Measured = { name: string; about: string; rows: readonly BenchRow[] };

/**
 * Replaces the sections of the benches that ran and keeps those of the others, in the order of `names`. Everything outside the
 * markers is written by hand and stays.
 */
export function updateDocument(document: string, names: readonly string[], measured: readonly Measured[]): string {
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/performance.md has lost its markers ${begin} and ${end}.`);
  const sections = new Map<string, string>();
  for (const section of document.slice(from + begin.length, to).split(/^(?=\| \*\*)/m)) {
    const name = /^\| \*\*(.+?)\*\* \|/.exec(section)?.[1];
    if (name !== undefined) sections.set(name, section.trim());
  }
  for (const { name, about, rows } of measured)
    sections.set(name, `| **${name}** | ${about} |||||||\n${markdownRows(rows)}`);
  const kept = names.flatMap((name) => sections.get(name) ?? []);
  return `${document.slice(0, from + begin.length)}\n${[head, ...kept].join('\n')}\n${document.slice(to)}`;
}
