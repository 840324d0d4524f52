// What the service measured or forecasts in numbers (`measured`, our addition to the interface). If a status is precipitation and
// no amount was sent, the ground is tinted and no bar is made up.
import type { CSSProperties } from 'react';
import { hourTicks } from '../../../ui/text/zoned-times.ts';
import { useUnits } from '../../../widgets/use-units.ts';
import { dayAmount } from '../common/format-measured.ts';
import { fallenIn, hasAmount, type Run, type Spell } from '../common/runs.ts';
import { groupNeighbors, isTouching, type TimedPoint } from '../common/timed-points.ts';
import type { TrackBox } from './timeline-layout.ts';
import { type CurveName, rainScale, type TrackProps, type TrackScale } from './track-scales.ts';
import { textPixels } from './text-pixels.ts';
import classes from './Timeline.module.css';
import type { LinearScale } from '../common/linear-scale.ts';

export function RainTrack({ model, box, x }: Pick<TrackProps, 'model' | 'x'> & { readonly box: TrackBox }) {
  const { top, height } = box;
  const amounts = model.points.map(({ point }) => fallenIn(point));
  const { y, ySnow } = rainScale(model.points, box, useUnits());
  const floor = top + height;
  return (
    <g>
      {model.runs.map((run) => (
        <RainGround key={run.from} run={run} x={x(run.from)} width={x(run.until) - x(run.from)} box={box} />
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
            fill="var(--rb-measure)"
            data-kind={kind}
            x={x(at) + 0.75 + place * width}
            width={width}
            y={floor - Math.max(1.5, size)}
            height={Math.max(1.5, size)}
            rx={1.5}
          />
        ));
      })}
      <SpellSums
        model={model}
        x={x}
        highest={(hours) =>
          Math.min(
            ...hours.map(({ point }) => fallenIn(point)).flatMap(({ rain, snow }) => [y(rain ?? 0), ySnow(snow ?? 0)]),
          )
        }
        top={top}
      />
      {!amounts.some(hasAmount) && (
        <text x={x(model.from) + 4} y={floor - 6}>
          no amounts sent
        </text>
      )}
    </g>
  );
}

type SumsProps = Pick<TrackProps, 'model' | 'x'> & {
  /** The top of the highest bar of these hours. */
  highest: (hours: readonly TimedPoint[]) => number;
  top: number;
};

/** The sum of each spell over a bracket; of those that would overlap, the one with the higher bar is named. */
function SpellSums({ model: { spells, points }, x, highest, top }: Readonly<SumsProps>) {
  const units = useUnits();
  const [left, right] = x.range();
  const labels = spells.filter(isMeasurable).map(({ from, until, amount, isAmountComplete }) => {
    const words = `Σ ${dayAmount({ sum: amount, isPart: !isAmountComplete }, units) ?? ''}`;
    const width = textPixels(words) + 6;
    const start = Math.max(left, Math.min(right - width, (x(from) + x(until) - width) / 2));
    return { from, until, words, width, start, y: highest(points.filter(({ at }) => at >= from && at < until)) };
  });
  const placed = labels
    .toSorted((one, other) => one.y - other.y)
    .reduce<typeof labels>((all, label) => {
      const isFree = all.every(
        ({ start, width }) => start + width <= label.start || label.start + label.width <= start,
      );
      return isFree ? [...all, label] : all;
    }, []);
  return (
    <g>
      {placed.map(({ from, until, words, width, start, y }) => (
        <g key={from} transform={`translate(0 ${Math.max(top + 17, y - 4)})`}>
          <path className={classes.bracket} d={`M${x(from) + 1} 0v-4H${x(until) - 1}v4`} />
          <text className={classes.extreme} data-kind="sum" x={start + width / 2} y={-8} textAnchor="middle">
            {words}
          </text>
        </g>
      ))}
    </g>
  );
}

/** 0.05 mm or 0.05 cm is the least that is written as 0.1. */
function isMeasurable({ amount: { rain, snow } }: Spell): boolean {
  return (rain ?? 0) >= 0.05 || (snow ?? 0) >= 0.5;
}

type GroundProps = { run: Run; x: number; width: number; box: TrackBox };

/** Unknown is not dry: such hours have a broken floor and, if there is room, a question mark. */
function RainGround({ run, x, width, box: { top, height } }: Readonly<GroundProps>) {
  if (run.precipitation === 'dry') return null;
  if (run.precipitation === 'wet') {
    return <rect fill="var(--rb-rain)" opacity={0.16} x={x} width={width} y={top} height={height} />;
  }
  return (
    <g>
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

type Sample = { at: number; value: number };

/** Values in stretches without a gap and without a missing value, so that no line is drawn where nothing is known. */
function runsOf(points: readonly TimedPoint[], name: CurveName): readonly (readonly Sample[])[] {
  const known = points.filter(({ point }) => point.measured?.[name] !== undefined);
  return groupNeighbors(known, isTouching).map((run) =>
    run.map(({ point, at }) => ({ at, value: point.measured?.[name] ?? 0 })),
  );
}

type CurveProps = {
  points: readonly TimedPoint[];
  name: CurveName;
  x: LinearScale;
  scale: TrackScale;
};

/** In a comparison, with the looks of its side. */
type SideProps = { style?: CSSProperties; 'data-side'?: number };

export function Curve({ points, name, x, scale: { y }, ...side }: Readonly<CurveProps & SideProps>) {
  return (
    <path
      {...side}
      className={classes.curve}
      data-curve={name}
      d={runsOf(points, name)
        .map((run) => lineThrough(run.map(({ at, value }) => `${tenth(x(at))},${tenth(y(value))}`)))
        .join('')}
    />
  );
}

/** Several times as fast as `toFixed`, for the thousands of coordinates of a comparison. */
function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}

/** A single value is a dot, because its line has round ends. */
function lineThrough([first, ...others]: readonly string[]): string {
  return `M${first}${others.length === 0 ? 'Z' : `L${others.join(' ')}`}`;
}

type ExtremesProps = CurveProps & {
  spans: readonly { startsAt: number; until: number }[];
  write: (value: number) => string;
};

const minLabelDistance = 40;

/** The highest and the lowest value of each span, on the curve. */
export function Extremes({ points, name, x, scale: { y }, spans, write }: Readonly<ExtremesProps>) {
  const samples = runsOf(points, name).flat();
  const [left, right] = x.range();
  return [1, -1].flatMap((sign) =>
    thinned(
      spans.flatMap((span) => extremeOf(samples, span, sign)),
      ({ at }) => x(at),
      minLabelDistance,
    ).map(({ at, value }) => {
      const label = write(value);
      const half = textPixels(label, 12) / 2 + 1;
      return (
        <text
          key={`${sign} ${at}`}
          className={classes.extreme}
          data-kind={name}
          x={Math.min(right - half, Math.max(left + half, x(at)))}
          y={y(value) + (sign > 0 ? -6 : 16)}
          textAnchor="middle"
        >
          {label}
        </text>
      );
    }),
  );
}

/** The highest (`sign` 1) or lowest (-1) of a span, unless the curve goes on beyond it, or it is the first value, which is the one now. */
function extremeOf(
  samples: readonly Sample[],
  { startsAt, until }: { startsAt: number; until: number },
  sign: number,
): readonly Sample[] {
  const inside = samples.filter(({ at }) => at >= startsAt && at < until);
  const furthest = Math.max(...inside.map(({ value }) => sign * value));
  const place = samples.findIndex(({ at, value }) => at >= startsAt && sign * value === furthest);
  const found = samples[place];
  const neighbors = [samples[place - 1], samples[place + 1]];
  const isNamed = place > 0 || samples.length === 1;
  return found && isNamed && neighbors.every((one) => one === undefined || sign * one.value <= furthest) ? [found] : [];
}

const minWindDistance = 44;

/** Speed, and the direction that the wind blows to, every six hours. */
export function WindLabels({
  model,
  x,
  scale: { y },
}: Pick<TrackProps, 'model' | 'x'> & { readonly scale: TrackScale }) {
  const { wind } = useUnits();
  const [left, right] = x.range();
  const ticks = hourTicks(model.times, model.from, model.to, 6);
  const hours = ticks.flatMap((tick) => model.points.find(({ at, until }) => at <= tick && tick < until) ?? []);
  return thinned(hours, ({ at }) => x(at), minWindDistance).map(({ point, at }) => {
    const { wind_speed: speed, wind_direction: from } = point.measured ?? {};
    if (speed === undefined) return null;
    const label = wind.bare(speed);
    const half = textPixels(label, 12) / 2 + 8;
    const middle = Math.min(right - half, Math.max(left + half, x(at)));
    return (
      <g key={at} transform={`translate(${middle} ${y(speed) - 8})`}>
        <text className={classes.extreme} data-kind="wind_speed" x={from === undefined ? 0 : -6} textAnchor="middle">
          {label}
        </text>
        {from !== undefined && (
          <path
            className={classes.windArrow}
            d="M0 5V-5M-3-1.5 0-5 3-1.5"
            transform={`translate(${half - 6} -4) rotate(${from + 180})`}
          />
        )}
      </g>
    );
  });
}

/** Leaves out what would be closer than `pixels` to the one before it. */
function thinned<T>(all: readonly T[], place: (one: T) => number, pixels: number): readonly T[] {
  return all.reduce<T[]>((placed, one) => {
    const before = placed.at(-1);
    if (before === undefined || place(one) - place(before) >= pixels) placed.push(one);
    return placed;
  }, []);
}
