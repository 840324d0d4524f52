// Round numbers for an axis. d3-scale has them too, with colors, formats, and time scales that nothing here needs.

export type Axis = { low: number; high: number; ticks: readonly number[] };

const defaultFactors = [1, 2, 2.5, 5, 10];

/** Returns an axis that covers `low` to `high` by whole steps, with at most `max` of them. */
export function axisOf(low: number, high: number, max: number, factors: readonly number[] = defaultFactors): Axis {
  const step = roundStep((high - low) / Math.max(1, max), factors);
  const from = Math.floor(low / step + 1e-9);
  const count = Math.max(1, Math.ceil(high / step - 1e-9) - from);
  const ticks = Array.from({ length: count + 1 }, (_, index) => clean((from + index) * step));
  return { low: ticks[0] ?? low, high: ticks.at(-1) ?? high, ticks };
}

/** The smallest factor times a power of ten that is not below `min`. */
function roundStep(min: number, factors: readonly number[]): number {
  if (!(min > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(min));
  const factor = factors.find((one) => one * power >= min * (1 - 1e-9)) ?? 10;
  return factor * power;
}

function clean(value: number): number {
  return Number(value.toPrecision(12));
}
