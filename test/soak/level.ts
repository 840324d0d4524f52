// Whether a measured quantity has levelled off: what it was in the middle of the run against what it is at its end. The
// first third is warm-up and says nothing. Pure.

export type Verdict = { early: number; late: number; isLevel: boolean };

/** `slack` is a growth that is noise for this quantity, in its own unit; `share` the same as a part of the early value. */
export function levelOf(values: readonly number[], { slack, share }: { slack: number; share: number }): Verdict {
  const third = Math.floor(values.length / 3);
  const rest = values.slice(third);
  const half = Math.floor(rest.length / 2);
  const early = median(rest.slice(0, half));
  const late = median(rest.slice(half));
  return { early, late, isLevel: values.length >= 6 && late <= early + Math.max(slack, early * share) };
}

/** NaN if the list is empty. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  const lower = sorted.length % 2 === 0 ? (sorted[middle - 1] ?? Number.NaN) : upper;
  return (lower + upper) / 2;
}
