// What the service measured or forecasts in numbers (`measured`, our addition to the interface). If a status is precipitation and
// no amount was sent, the ground is tinted and no bar is made up.
import { useUnits } from '../../../widgets/use-units.ts';
import type { PrecipitationSpan } from '../common/amounts.ts';
import { fallenText } from '../common/format-measured.ts';
import { type Fallen, fallenIn, hasAmount, type Run } from '../common/runs.ts';
import { type TimedPoint, unbrokenRuns } from '../common/timed-points.ts';
import { smoothLine } from './smooth-path.ts';
import type { TrackBox } from './timeline-layout.ts';
import type { TimeScale, TrackProps } from './chart-props.ts';
import { type CurveName, rainScale, sumScale, type TrackScale } from './track-scales.ts';
import { textPixels } from './text-pixels.ts';
import classes from './Timeline.module.css';

export function RainTrack({ model, layout, x }: TrackProps) {
  const units = useUnits();
  const { top, height } = layout.rain;
  const amounts = model.points.map(({ point }) => fallenIn(point));
  const { y, ySnow } = rainScale(model.points, layout.rain, units);
  const floor = top + height;
  return (
    <g>
      {model.runs.map((run) => (
        <RainGround key={run.from} run={run} x={x(run.from)} width={x(run.until) - x(run.from)} box={layout.rain} />
      ))}
      {model.points.map(({ at, until }, index) => {
        const { rain, snow } = amounts[index] ?? {};
        const bars = [
          ...(rain ? [{ kind: 'rain', size: floor - y(rain) }] : []),
          ...(snow ? [{ kind: 'snow', size: floor - ySnow(snow) }] : []),
        ];
        const width = Math.max(1.5, (x(until) - x(at) - 1.5) / bars.length);
        return bars.map(({ kind, size }, place) => (
          <rect
            key={`${at} ${kind}`}
            className={classes.rainBar}
            data-kind={kind}
            x={x(at) + 0.75 + place * width}
            width={width}
            y={floor - Math.max(1.5, size)}
            height={Math.max(1.5, size)}
            rx={1.5}
          />
        ));
      })}
      <SpanSums
        spans={model.precipitationSpans}
        x={x}
        y={({ rain, snow }) => Math.min(y(rain), ySnow(snow))}
        floor={top}
        write={(sum) => fallenText(sum, units) ?? ''}
      />
      {!amounts.some(hasAmount) && (
        <text x={x(model.from) + 4} y={floor - 6}>
          no amounts sent
        </text>
      )}
    </g>
  );
}

type SumsProps = {
  spans: readonly PrecipitationSpan[];
  x: TimeScale;
  y: (peak: PrecipitationSpan['peak']) => number;
  floor: number;
  write: (sum: Fallen) => string;
};

/** The sum of each spell above its highest bar; of those that would overlap, the one with the higher bar is named. */
function SpanSums({ spans, x, y, floor, write }: Readonly<SumsProps>) {
  const [left, right] = x.range();
  const labels = spans.map((span) => {
    const label = write(span.sum);
    const width = textPixels(label, 12) + 6;
    const middle = (x(span.from) + x(span.until)) / 2;
    const start = Math.max(left, Math.min(right - width, middle - width / 2));
    return { span, words: label, width, start };
  });
  const placed = labels
    .toSorted((a, b) => y(a.span.peak) - y(b.span.peak))
    .reduce<typeof labels>((all, label) => {
      const isFree = all.every(
        ({ start, width }) => start + width <= label.start || label.start + label.width <= start,
      );
      return isFree ? [...all, label] : all;
    }, []);
  return (
    <g>
      {placed.map(({ span, words: label, width, start }) => (
        <text
          key={span.from}
          className={classes.extreme}
          x={start + width / 2}
          y={Math.max(floor + 9, y(span.peak) - 4)}
          textAnchor="middle"
        >
          {label}
        </text>
      ))}
    </g>
  );
}

type GroundProps = { run: Run; x: number; width: number; box: TrackBox };

/** Unknown is not dry: such hours have a broken floor and, if there is room, a question mark. */
function RainGround({ run, x, width, box: { top, height } }: Readonly<GroundProps>) {
  if (run.precipitation === 'dry') return null;
  if (run.precipitation === 'wet') {
    return <rect className={classes.rainGround} x={x} width={width} y={top} height={height} />;
  }
  return (
    <g>
      <title>{`${run.label}: no precipitation data`}</title>
      <rect
        className={classes.rainUnknown}
        x={x + 1}
        width={Math.max(1, width - 2)}
        y={top + height - 16}
        height={16}
      />
      {width > 9 && (
        <text x={x + width / 2} y={top + height - 4} textAnchor="middle">
          ?
        </text>
      )}
    </g>
  );
}

/** The sum of rain since the first point. It continues dotted if an amount or a point is missing. */
export function SumLine({ model, layout, x }: TrackProps) {
  const units = useUnits();
  const { sums } = model;
  const last = sums.at(-1);
  if (!last || sums.every(({ isKnown }) => !isKnown)) return null;
  const { y } = sumScale(last.sum, layout.rain, units);
  const known: string[] = [];
  const unknown: string[] = [];
  let [fromX, fromY] = [x(model.from), y(0)];
  for (const { at, until, sum, isKnown } of sums) {
    if (x(at) > fromX + 0.5) unknown.push(`M${fromX} ${fromY}L${x(at)} ${fromY}`);
    (isKnown ? known : unknown).push(`M${x(at)} ${fromY}L${x(until)} ${y(sum)}`);
    [fromX, fromY] = [x(until), y(sum)];
  }
  return (
    <g>
      <path className={classes.sumLine} d={known.join('')} />
      {unknown.length > 0 && <path className={classes.sumLine} data-unknown d={unknown.join('')} />}
    </g>
  );
}

type Sample = { at: number; value: number };

/** Values in stretches without a gap and without a missing value. */
export function runsOf(points: readonly TimedPoint[], name: CurveName): readonly (readonly Sample[])[] {
  const known = points.filter(({ point }) => point.measured?.[name] !== undefined);
  return unbrokenRuns(known).map((run) => run.map(({ point, at }) => ({ at, value: point.measured?.[name] ?? 0 })));
}

type CurveProps = {
  points: readonly TimedPoint[];
  name: CurveName;
  x: TimeScale;
  scale: TrackScale;
  /** Names the highest value of each of `spans`. */
  writePeaks?: (value: number) => string;
  spans?: readonly { from: number; until: number }[];
  /** Where arrows take the room above the curve. */
  arePeaksBelow?: boolean;
};

const everything = [{ from: -Infinity, until: Infinity }];
const minPeakDistance = 40;

export function Curve({
  points,
  name,
  x,
  scale: { y },
  writePeaks,
  spans = everything,
  arePeaksBelow,
}: Readonly<CurveProps>) {
  const runs = runsOf(points, name);
  const samples = runs.flat();
  const peaks = thinned(
    spans.flatMap(({ from, until }) => peakOf(samples, from, until)),
    ({ at }) => x(at),
    minPeakDistance,
  );
  return (
    <g>
      <path
        className={classes.curve}
        data-curve={name}
        d={runs.map((run) => smoothLine(run.map(({ at, value }) => [x(at), y(value)]))).join('')}
      />
      {writePeaks &&
        peaks.map((peak) => (
          <Peak key={peak.at} sample={peak} x={x} y={y(peak.value) + (arePeaksBelow ? 14 : -6)} write={writePeaks} />
        ))}
    </g>
  );
}

/** The highest of a span, unless the curve rises beyond it, or it is the first value, which is in the strip. */
function peakOf(samples: readonly Sample[], from: number, until: number): readonly Sample[] {
  const inside = samples.filter(({ at }) => at >= from && at < until);
  const highest = Math.max(...inside.map(({ value }) => value));
  const place = samples.findIndex(({ at, value }) => at >= from && value === highest);
  const peak = samples[place];
  const neighbors = [samples[place - 1], samples[place + 1]];
  const isNamed = place > 0 || samples.length === 1;
  return peak && isNamed && neighbors.every((one) => one === undefined || one.value <= peak.value) ? [peak] : [];
}

const arrowPixels = 30;

/** Draws arrows in the direction that the wind blows to, above the curve (`windScale` leaves the room). */
export function WindArrows({ model, layout, x }: TrackProps) {
  if (!layout.wind) return null;
  const y = layout.wind.top + 6;
  const arrows = thinned(
    model.points.flatMap(({ point, at, until }) => {
      const direction = point.measured?.wind_direction;
      return direction === undefined ? [] : [{ at: (at + until) / 2, direction }];
    }),
    ({ at }) => x(at),
    arrowPixels,
  );
  return arrows.map(({ at, direction }) => <WindArrow key={at} x={x(at)} y={y} fromDegrees={direction} />);
}

/** Leaves out what would be closer than `pixels` to the one before it. */
function thinned<T>(all: readonly T[], place: (one: T) => number, pixels: number): readonly T[] {
  return all.reduce<T[]>((placed, one) => {
    const before = placed.at(-1);
    if (before === undefined || place(one) - place(before) >= pixels) placed.push(one);
    return placed;
  }, []);
}

function WindArrow({ x, y, fromDegrees }: { readonly x: number; readonly y: number; readonly fromDegrees: number }) {
  return (
    <path
      className={classes.windArrow}
      d="M0 5V-5M-3-1.5 0-5 3-1.5"
      transform={`translate(${x} ${y}) rotate(${fromDegrees + 180})`}
    />
  );
}

type PeakProps = { sample: Sample; x: TimeScale; y: number; write: (value: number) => string };

function Peak({ sample, x, y, write }: Readonly<PeakProps>) {
  const [left, right] = x.range();
  const label = write(sample.value);
  const half = textPixels(label, 12) / 2 + 1;
  return (
    <text
      className={classes.extreme}
      x={Math.min(right - half, Math.max(left + half, x(sample.at)))}
      y={y}
      textAnchor="middle"
    >
      {label}
    </text>
  );
}
