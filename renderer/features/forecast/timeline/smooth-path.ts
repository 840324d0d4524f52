// A smooth SVG path through points from left to right that never rises or falls beyond them (M. Steffen, Astronomy and
// Astrophysics 239, 1990; d3's curveMonotoneX, which a test compares it with). d3-shape would bring all its other shapes along.

export type PathPoint = readonly [x: number, y: number];

/** Empty without points; one alone is a dot for a round line cap. */
export function smoothLine(points: readonly PathPoint[]): string {
  const [first, ...others] = points;
  if (!first) return '';
  const tangents = tangentsOf(points);
  const curves = others.map(([x, y], index) => {
    const [fromX, fromY] = points[index] ?? first;
    const third = (x - fromX) / 3;
    const [out, into] = [tangents[index] ?? 0, tangents[index + 1] ?? 0];
    return `C${shown(fromX + third)},${shown(fromY + third * out)},${shown(x - third)},${shown(y - third * into)},${shown(x)},${shown(y)}`;
  });
  return `M${shown(first[0])},${shown(first[1])}${curves.join('') || 'Z'}`;
}

function tangentsOf(points: readonly PathPoint[]): readonly number[] {
  const slopes = points.slice(1).map((point, index) => slope(points[index] ?? point, point));
  const inner = slopes.slice(1).map((after, index) => {
    const [left, here, right] = [points[index] ?? [0, 0], points[index + 1] ?? [0, 0], points[index + 2] ?? [0, 0]];
    const [before, spanBefore, spanAfter] = [slopes[index] ?? 0, here[0] - left[0], right[0] - here[0]];
    const mean = (before * spanAfter + after * spanBefore) / (spanBefore + spanAfter);
    const size = Math.min(Math.abs(before), Math.abs(after), Math.abs(mean) / 2);
    return (Math.sign(before) + Math.sign(after)) * size;
  });
  const [firstSlope = 0, lastSlope = 0] = [slopes[0], slopes.at(-1)];
  return [(3 * firstSlope - (inner[0] ?? firstSlope)) / 2, ...inner, (3 * lastSlope - (inner.at(-1) ?? lastSlope)) / 2];
}

function slope([fromX, fromY]: PathPoint, [x, y]: PathPoint): number {
  return (y - fromY) / (x - fromX);
}

/** Thousandths of a pixel are enough. */
function shown(value: number): number {
  return Math.round(value * 1000) / 1000;
}
