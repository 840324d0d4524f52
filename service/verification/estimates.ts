// Shares and medians with their 95% intervals, because a few events prove little (docs/verification.md). Pure.

/** A share or a median with its 95% interval, from `count` cases. */
export type Estimate = { value: number; low: number; high: number; count: number };

/** The 97.5% point of the normal distribution. */
const z = 1.959964;

/**
 * Returns a share with Wilson's score interval, which holds for few cases and near 0 and 1 too; undefined without cases.
 * https://doi.org/10.1002/(SICI)1097-0258(19980430)17:8%3C857::AID-SIM777%3E3.0.CO;2-E (method 3)
 */
export function estimateShare(successes: number, count: number): Estimate | undefined {
  if (count === 0) return undefined;
  const value = successes / count;
  const center = value + (z * z) / (2 * count);
  const reach = z * Math.sqrt((value * (1 - value)) / count + (z * z) / (4 * count * count));
  const scale = 1 + (z * z) / count;
  return {
    value,
    // Keeps rounding errors inside the range.
    low: successes === 0 ? 0 : Math.max(0, (center - reach) / scale),
    high: successes === count ? 1 : Math.min(1, (center + reach) / scale),
    count,
  };
}

/**
 * Returns the median with the interval between two of the values, without assumptions about their distribution; undefined without
 * values. Fewer than 6 values cannot give 95%: then the interval is all of them, with less confidence.
 */
export function estimateMedian(values: readonly number[]): Estimate | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const count = sorted.length;
  const [lower, upper] = [sorted[Math.floor((count - 1) / 2)], sorted[Math.floor(count / 2)]];
  if (lower === undefined || upper === undefined) return undefined;
  const rank = lowerRank(count);
  return {
    value: (lower + upper) / 2,
    low: sorted[rank - 1] ?? lower,
    high: sorted[count - rank] ?? upper,
    count,
  };
}

/** Returns the highest rank (from 1) whose value exceeds the median with a probability of at most 2.5% (binomial). */
function lowerRank(count: number): number {
  let rank = 0;
  // As a logarithm, since 1 / 2^count is 0 for more than 1,074 values.
  let logProbability = -count * Math.LN2;
  let cumulated = Math.exp(logProbability);
  while (cumulated <= 0.025 && rank < count / 2) {
    rank += 1;
    logProbability += Math.log((count - rank + 1) / rank);
    cumulated += Math.exp(logProbability);
  }
  return Math.max(1, rank);
}
