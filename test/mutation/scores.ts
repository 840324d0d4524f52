// The share of noticed mutants, and its table in docs/testing.md.
import type { Accepted } from './accepted.ts';
import type { MutationResult } from './mutation-run.ts';
import { interval } from './sample.ts';

export type Score = {
  all: number;
  tried: number;
  unnoticed: number;
  accepted: number;
  words: string;
};

export function scoreOf(result: MutationResult, accepted: readonly Accepted[]): Score {
  const { all, tried, survivors, timedOut } = result;
  const isAccepted = (survivor: Accepted) => (each: Accepted) =>
    each.file === survivor.file && each.original === survivor.original && each.replacement === survivor.replacement;
  const known = survivors.filter((survivor) => accepted.some(isAccepted({ ...survivor, reason: '' }))).length;
  const unnoticed = survivors.length - known;
  const words =
    `${tried} of ${all} mutants tried: ${tried - survivors.length} noticed (${timedOut} by a time limit), ` +
    `${known} accepted, ${unnoticed} unnoticed, ${share(unnoticed, tried)} (${range(unnoticed, tried, all)})`;
  return { all, tried, unnoticed, accepted: known, words };
}

/** Replaces the area's row, or adds one at the end of the table. */
export function updateScores(document: string, row: { area: string; score: Score; seed: string }): string {
  const { area, score, seed } = row;
  const line = `| ${[
    area,
    score.all,
    score.tried,
    `${share(score.unnoticed, score.tried)} (${range(score.unnoticed, score.tried, score.all)})`,
    share(score.accepted, score.tried),
    seed,
  ].join(' | ')} |`;
  const lines = document.split('\n');
  const header = lines.findIndex((each) => each.startsWith('| area | mutants |'));
  if (header === -1) throw new Error('docs/testing.md has no table of scores');
  const end = lines.findIndex((each, index) => index > header && !each.startsWith('|'));
  const known = lines.findIndex((each, index) => index > header && index < end && each.startsWith(`| ${area} |`));
  return lines.toSpliced(known === -1 ? end : known, known === -1 ? 0 : 1, line).join('\n');
}

const percent = (value: number): string => `${Math.round(value * 100)}%`;
const share = (part: number, n: number): string => (n === 0 ? '–' : percent(part / n));

function range(part: number, n: number, all: number): string {
  const [low, high] = interval(part, n, all);
  return `${Math.round(low * 100)}–${percent(high)}`;
}
