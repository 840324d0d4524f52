// The icons that the service names, once per run and again in long runs. One that can't be shown is replaced by a labeled box
// with the reason.
import { useApp } from '../../../store/use-app.ts';
import { iconProblem, useIcon } from '../common/icons-slice.ts';
import type { IconSpan } from '../common/timeline-model.ts';
import type { TrackProps } from './chart-props.ts';
import classes from './Timeline.module.css';

export function IconTrack({ model, layout, x }: TrackProps) {
  const { top, height } = layout.icons;
  return (
    <g>
      {iconPlaces(model.icons, x).map(({ span, left, size }) => (
        <RunIcon key={left} span={span} size={size} x={left} y={top + (height - size) / 2} />
      ))}
    </g>
  );
}

type RunIconProps = { span: IconSpan; x: number; y: number; size: number };

function RunIcon({ span, x, y, size }: Readonly<RunIconProps>) {
  const { url } = span;
  const icon = useIcon(url);
  const markBroken = useApp((state) => state.icons.markBroken);
  const problem = iconProblem(url, icon);
  if (problem) {
    return (
      <g>
        <rect className={classes.standIn} x={x} y={y} width={size} height={size} rx={6} />
        {(size > 28 || problem.short.length <= 3) && (
          <text className={classes.standInWord} x={x + size / 2} y={y + size / 2 + 3} textAnchor="middle">
            {problem.short}
          </text>
        )}
      </g>
    );
  }
  if (url === null || icon?.state !== 'loaded') return <g data-loading-icon />;
  return <image href={icon.dataUrl} x={x} y={y} width={size} height={size} onError={() => markBroken(url)} />;
}

type IconPlace = { span: IconSpan; left: number; size: number };

const maxSize = 30;
const minSize = 22;
const repeatPixels = 60;
const asideStepPixels = 3;
const wet = /rain|snow|hail|storm/;

/** One per run, more in long runs, none overlapping. If room is short, wet weather and long runs come first, and the others move aside
 * within their run; the status band below still shows every run. */
function iconPlaces(spans: readonly IconSpan[], x: (at: number) => number): readonly IconPlace[] {
  const ends = { min: x(spans[0]?.from ?? 0), max: x(spans.at(-1)?.until ?? 0) };
  const wanted = spans.flatMap((span) => wantedPlaces(span, x, ends));
  const first = wanted.toSorted((a, b) => rank(b, x) - rank(a, x));
  const placed: IconPlace[] = [];
  for (const place of first) {
    const free = asides(place, x).find((one) =>
      placed.every(({ left, size }) => one.left >= left + size || left >= one.left + one.size),
    );
    if (free) placed.push(free);
  }
  return placed;
}

/** Returns the place itself, then places further and further from it within its run. */
function asides(place: IconPlace, x: (at: number) => number): readonly IconPlace[] {
  const [min, max] = [x(place.span.from), x(place.span.until) - place.size];
  const moved = (left: number) => (left >= min && left <= max ? [{ ...place, left }] : []);
  const steps = Array.from({ length: Math.ceil(repeatPixels / 2 / asideStepPixels) }, (_, index) => index + 1);
  return [
    place,
    ...steps.flatMap((step) => [
      ...moved(place.left - step * asideStepPixels),
      ...moved(place.left + step * asideStepPixels),
    ]),
  ];
}

type Ends = { min: number; max: number };

function wantedPlaces(span: IconSpan, x: (at: number) => number, { min, max }: Ends): readonly IconPlace[] {
  const left = x(span.from);
  const width = x(span.until) - left;
  const count = Math.min(span.points, Math.max(1, Math.round(width / repeatPixels)));
  const size = Math.max(minSize, Math.min(maxSize, width));
  return Array.from({ length: count }, (_, index) => ({
    span,
    size,
    left: Math.min(max - size, Math.max(min, left + (width * (index + 0.5)) / count - size / 2)),
  }));
}

function rank({ span }: IconPlace, x: (at: number) => number): number {
  return x(span.until) - x(span.from) + (wet.test(span.label) ? 10_000 : 0);
}
