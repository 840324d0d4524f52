// One row of the goals table (docs/performance.md): a ratio to a named baseline that was measured in the same run, and
// whether it reaches the goal. Each `*.bench.ts` exports `bench`, which returns its rows.
import type { Screens } from './screen-host.ts';

/** `quick`: fewer rounds and requests. `trial`: the first round, as small as it can be, without other people's servers: a test. */
export type Extent = 'whole' | 'quick' | 'trial';

export type BenchOptions = {
  extent: Extent;
  /** Prints a line: what is being measured, or what was seen. */
  say: (line: string) => void;
  /** Of all trials together; a bench opens its own without them. */
  screens?: Screens;
};

export type Bench = (options: BenchOptions) => Promise<BenchRow[]>;

/**
 * `not here`: the baseline is not on this machine. `no baseline`: it is, but did not run. `failed`: Rainbell did not run. `crashed`:
 * the whole bench did, so its rows are missing.
 */
export type Verdict = 'reached' | 'missed' | 'not here' | 'no baseline' | 'failed' | 'crashed';

export type BenchRow = {
  /** The goal's number in the table, for instance `5`. */
  goal: string;
  /** What is measured, with its unit or figure, for instance `weather, hot cell, CPU a request`. */
  what: string;
  /** Against what. */
  baseline: string;
  /** For instance `≥ 0.80×`. */
  goalText: string;
  /** The median over rounds; null if nothing was measured. */
  ratio: number | null;
  /** The range of the rounds, without the lowest and the highest tenth. */
  spread: readonly [number, number] | null;
  verdict: Verdict;
  /** The absolute figures, or why there is no ratio. */
  note: string;
};

export type Limit = { kind: 'least' | 'most'; value: number };

export const atLeast = (value: number): Limit => ({ kind: 'least', value });
export const atMost = (value: number): Limit => ({ kind: 'most', value });

type Subject = {
  goal: string;
  what: string;
  baseline: string;
  limit: Limit;
  note?: string;
};

/** A row from the ratios of several rounds; their median counts. */
export function assess(subject: Subject, ratios: readonly number[]): BenchRow {
  const ratio = median(ratios);
  const { kind, value } = subject.limit;
  const isReached = kind === 'least' ? ratio >= value : ratio <= value;
  const sorted = ratios.toSorted((one, other) => one - other);
  const tail = Math.floor(sorted.length / 10);
  const spread = [sorted[tail] ?? Number.NaN, sorted.at(-1 - tail) ?? Number.NaN] as const;
  return { ...described(subject), ratio, spread, verdict: isReached ? 'reached' : 'missed' };
}

/** A row of figures that have a limit of their own, for instance 150 MB. */
export function assessFigures(
  { most, unit, ...subject }: Omit<Subject, 'baseline' | 'limit'> & { most: number; unit: string },
  figures: readonly number[],
): BenchRow {
  const baseline = `${most} ${unit}`;
  const ratios = figures.map((figure) => figure / most);
  return { ...assess({ ...subject, baseline, limit: atMost(1) }, ratios), goalText: `≤ ${baseline}` };
}

/** A row without a ratio. */
export function unmeasured(subject: Subject, verdict: 'not here' | 'no baseline' | 'failed', note: string): BenchRow {
  return { ...described(subject), ratio: null, spread: null, verdict, note };
}

function described({ goal, what, baseline, limit, note = '' }: Subject) {
  const sign = limit.kind === 'least' ? '≥' : '≤';
  return { goal, what, baseline, goalText: `${sign} ${limit.value}×`, note };
}

/**
 * What each round returned. Those before the first, with negative numbers, load and compile what the others use; a trial has one round
 * and none before it.
 */
export async function repeat<Result>(
  extent: Extent,
  { warmUps = 1, quick = 1, whole }: { warmUps?: number; quick?: number; whole: number },
  run: (round: number) => Promise<Result>,
): Promise<Result[]> {
  const [first, rounds] = extent === 'trial' ? [0, 1] : [-warmUps, extent === 'quick' ? quick : whole];
  const results: Result[] = [];
  for (let round = first; round < rounds; round += 1) {
    const result = await run(round);
    if (round >= 0) results.push(result);
  }
  return results;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}
