// Round numbers for an axis. d3-scale has them too, with colors, formats, and time scales that nothing here needs.

export type Axis = { low: number; high: number; ticks: readonly number[] };

const usualFactors = [1, 2, 2.5, 5, 10];

/** Returns an axis that covers `low` to `high` by whole steps, with at most `most` of them. */
export function axisOf(low: number, high: number, most: number, factors: readonly number[] = usualFactors): Axis {
  const step = roundStep((high - low) / Math.max(1, most), factors);
  const from = Math.floor(low / step + 1e-9);
  const count = Math.max(1, Math.ceil(high / step - 1e-9) - from);
  const ticks = Array.from({ length: count + 1 }, (_, index) => clean((from + index) * step));
  return { low: ticks[0] ?? low, high: ticks.at(-1) ?? high, ticks };
}

/** The smallest factor times a power of ten that is not below `least`. */
function roundStep(least: number, factors: readonly number[]): number {
  if (!(least > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = factors.find((one) => one * power >= least * (1 - 1e-9)) ?? 10;
  return factor * power;
}

function clean(value: number): number {
  return Number(value.toPrecision(12));
}
