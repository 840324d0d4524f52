// Shares with their 95% intervals, because a few events prove little, and medians (docs/verification.md).

/** The 97.5% point of the normal distribution. */
const z = 1.959964;

/**
 * Returns a share with Wilson's score interval, which holds for few cases and near 0 and 1 too; undefined without cases.
 * https://doi.org/10.1002/(SICI)1097-0258(19980430)17:8%3C857::AID-SIM777%3E3.0.CO;2-E (method 3)
 */
export function estimateShare(successes: number, count: number) {
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
  };
}

export function medianOf(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const [lower, upper] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return lower === undefined || upper === undefined ? undefined : (lower + upper) / 2;
}
