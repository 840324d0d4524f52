// One row of the goals table (docs/performance.md): a ratio to a named baseline that was measured in the same run, and
// whether it reaches the goal. Each `*.bench.ts` exports `bench`, which gives its rows.

export type BenchOptions = {
  /** Fewer rounds and requests: all benches together end within three minutes. */
  isQuick: boolean;
  /** Tells the person what is being measured and what was seen, a line at a time. */
  say: (line: string) => void;
};

export type Bench = (options: BenchOptions) => Promise<BenchRow[]>;

/**
 * `corrected`: the goal as designed is not reached, and another row has taken its place, for reasons in docs/performance.md.
 * `not here`: the baseline is not on this machine. `no baseline`: it is, and did not run. `failed`: we did not run. `crashed`: the
 * bench itself, with all its rows.
 */
export type Verdict = 'reached' | 'missed' | 'corrected' | 'not here' | 'no baseline' | 'failed' | 'crashed';

export type BenchRow = {
  /** The goal's number in the table, for instance `5`. */
  goal: string;
  /** What is measured, with its unit or figure, for instance `weather, hot cell, CPU a request`. */
  what: string;
  /** Against what. */
  baseline: string;
  /** For instance `≥ 0.80×`. */
  goalText: string;
  /** The median over rounds; null where there is none. */
  ratio: number | null;
  /** Between which the rounds lie, without the lowest and the highest tenth. */
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
  /** Another row judges this goal. */
  isCorrected?: boolean;
};

/** A row from the ratios of several rounds; their median counts. */
export function judge(subject: Subject, ratios: readonly number[]): BenchRow {
  const ratio = median(ratios);
  const { kind, value } = subject.limit;
  const isReached = kind === 'least' ? ratio >= value : ratio <= value;
  const sorted = ratios.toSorted((one, other) => one - other);
  const tail = Math.floor(sorted.length / 10);
  const spread = [sorted[tail] ?? Number.NaN, sorted.at(-1 - tail) ?? Number.NaN] as const;
  const otherwise = subject.isCorrected ? 'corrected' : 'missed';
  return { ...described(subject), ratio, spread, verdict: isReached ? 'reached' : otherwise };
}

/** A row without a ratio. */
export function unmeasured(subject: Subject, verdict: 'not here' | 'no baseline' | 'failed', note: string): BenchRow {
  return { ...described(subject), ratio: null, spread: null, verdict, note };
}

function described({ goal, what, baseline, limit, note = '' }: Subject) {
  const sign = limit.kind === 'least' ? '≥' : '≤';
  return { goal, what, baseline, goalText: `${sign} ${limit.value}×`, note };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}
