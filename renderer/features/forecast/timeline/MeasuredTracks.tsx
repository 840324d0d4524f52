// Amounts, temperature and wind where the service sent them (`measured`, our addition to the interface). Where a status is
// precipitation without an amount, the ground is tinted and no bar is made up.
import { linearScale } from './linear-scale.ts';
import { precipitationAmount, type Run } from '#renderer/features/forecast/common/runs.ts';
import { smoothLine } from './smooth-path.ts';
import { type TimedPoint, unbrokenStretches } from '#renderer/features/forecast/common/timed-points.ts';
import type { TrackBox } from './timeline-layout.ts';
import type { TimeScale, TrackProps } from './Timeline.tsx';
import { useUnits } from '#renderer/widgets/use-units.ts';
import classes from './Timeline.module.css';

export function RainTrack({ model, layout, x }: TrackProps) {
  const { precipitation } = useUnits();
  const { top, height } = layout.rain;
  const amounts = model.points.map(({ point }) => precipitationAmount(point));
  const most = Math.max(2, ...amounts.map((amount) => amount ?? 0));
  const y = linearScale([0, most], [0, height - 13]);
  const peak = amounts.indexOf(Math.max(...amounts.map((amount) => amount ?? -1)));
  return (
    <g>
      <line className={classes.baseline} x1={x(model.from)} x2={x(model.to)} y1={top + height} y2={top + height} />
      {model.runs.map((run) => (
        <RainGround key={run.from} run={run} x={x(run.from)} width={x(run.until) - x(run.from)} box={layout.rain} />
      ))}
      {model.points.map(({ at, until }, index) => {
        const amount = amounts[index] ?? 0;
        if (amount <= 0) return null;
        const size = Math.max(1.5, y(amount));
        return (
          <rect
            key={at}
            className={classes.rainBar}
            x={x(at) + 1}
            width={Math.max(1.5, x(until) - x(at) - 2)}
            y={top + height - size}
            height={size}
            rx={1.5}
          />
        );
      })}
      <PeakLabel
        points={model.points}
        amounts={amounts}
        peak={peak}
        x={x}
        top={top + height - y(amounts[peak] ?? 0)}
        floor={top}
        write={precipitation.bare}
      />
      {amounts.every((amount) => amount === null) && (
        <text x={x(model.from) + 4} y={top + height - 6}>
          no amounts sent
        </text>
      )}
    </g>
  );
}

type GroundProps = { run: Run; x: number; width: number; box: TrackBox };

/** Nobody knows is not dry: such hours have a broken floor and, where there is room, a question mark. */
function RainGround({ run, x, width, box: { top, height } }: Readonly<GroundProps>) {
  if (run.precipitation === 'dry') return null;
  if (run.precipitation === 'wet') {
    return <rect className={classes.rainGround} x={x} width={width} y={top} height={height} />;
  }
  return (
    <g>
      <title>{`${run.label}: whether it rains is not known`}</title>
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

type PeakProps = {
  points: readonly TimedPoint[];
  amounts: readonly (number | null)[];
  peak: number;
  x: TimeScale;
  top: number;
  floor: number;
  write: (millimeters: number) => string;
};

function PeakLabel({ points, amounts, peak, x, top, floor, write }: Readonly<PeakProps>) {
  const point = points[peak];
  const amount = amounts[peak] ?? 0;
  if (!point || amount < 0.1) return null;
  return (
    <text
      className={classes.extreme}
      x={(x(point.at) + x(point.until)) / 2}
      y={Math.max(floor + 9, top - 3)}
      textAnchor="middle"
    >
      {write(amount)}
    </text>
  );
}

type Sample = { at: number; value: number };

function samplesOf(points: readonly TimedPoint[], name: 'temperature' | 'wind_speed'): Sample[] {
  return points.flatMap(({ point, at }) => {
    const value = point.measured?.[name];
    return value === undefined ? [] : [{ at, value }];
  });
}

/** Values in stretches without a gap and without a missing value. */
function stretchesOf(points: readonly TimedPoint[], name: 'temperature' | 'wind_speed') {
  const known = points.filter(({ point }) => point.measured?.[name] !== undefined);
  return unbrokenStretches(known).map((stretch) => samplesOf(stretch, name));
}

export function TemperatureTrack({ model, layout, x }: TrackProps) {
  const { temperature } = useUnits();
  if (!layout.temperature) return null;
  const stretches = stretchesOf(model.points, 'temperature');
  return (
    <Curve
      stretches={stretches}
      box={layout.temperature}
      x={x}
      className={classes.temperatureLine}
      write={(kelvin) => `${temperature.whole(kelvin)}°`}
    />
  );
}

export function WindTrack({ model, layout, x }: TrackProps) {
  const { wind } = useUnits();
  if (!layout.wind) return null;
  const { top, height } = layout.wind;
  const stretches = stretchesOf(model.points, 'wind_speed');
  const everyPixels = 34;
  const arrows = thinned(
    model.points.flatMap(({ point, at }) => {
      const direction = point.measured?.wind_direction;
      return direction === undefined ? [] : [{ at, direction }];
    }),
    ({ at }) => x(at),
    everyPixels,
  );
  return (
    <g>
      <Curve
        stretches={stretches}
        box={{ top, height: height - 14 }}
        x={x}
        className={classes.windLine}
        write={wind.whole}
        fromZero
      />
      {arrows.map(({ at, direction }) => (
        <WindArrow key={at} x={x(at)} y={top + height - 6} fromDegrees={direction} />
      ))}
    </g>
  );
}

/** Leaves out what would stand closer than `pixels` to the one before it. */
function thinned<T>(all: readonly T[], place: (one: T) => number, pixels: number): readonly T[] {
  return all.reduce<T[]>((kept, one) => {
    const before = kept.at(-1);
    if (before === undefined || place(one) - place(before) >= pixels) kept.push(one);
    return kept;
  }, []);
}

/** Points where the wind blows to. */
function WindArrow({ x, y, fromDegrees }: { readonly x: number; readonly y: number; readonly fromDegrees: number }) {
  return (
    <path
      className={classes.windArrow}
      d="M0 5V-5M-3-1.5 0-5 3-1.5"
      transform={`translate(${x} ${y}) rotate(${fromDegrees + 180})`}
    />
  );
}

type CurveProps = {
  stretches: readonly (readonly Sample[])[];
  box: TrackBox;
  x: TimeScale;
  className: string | undefined;
  write: (value: number) => string;
  fromZero?: boolean;
};

function Curve({ stretches, box, x, className, write, fromZero = false }: Readonly<CurveProps>) {
  const samples = stretches.flat();
  const values = samples.map(({ value }) => value);
  const low = fromZero ? 0 : Math.min(...values);
  const high = Math.max(...values, low + (fromZero ? 5 : 1));
  const y = linearScale([low, high], [box.top + box.height - 13, box.top + 12]);
  const path = stretches.map((stretch) => smoothLine(stretch.map(({ at, value }) => [x(at), y(value)])));
  const top = samples[values.indexOf(Math.max(...values))];
  const bottom = fromZero ? undefined : samples[values.indexOf(Math.min(...values))];
  return (
    <g>
      <path className={className} d={path.join('')} />
      {top && <Extreme sample={top} x={x} y={y(top.value) - 5} write={write} />}
      {bottom && bottom !== top && <Extreme sample={bottom} x={x} y={y(bottom.value) + 12} write={write} />}
    </g>
  );
}

type ExtremeProps = { sample: Sample; x: TimeScale; y: number; write: (value: number) => string };

function Extreme({ sample, x, y, write }: Readonly<ExtremeProps>) {
  const [left, right] = x.range();
  const at = Math.min(right - 12, Math.max(left + 12, x(sample.at)));
  return (
    <text className={classes.extreme} x={at} y={y} textAnchor="middle">
      {write(sample.value)}
    </text>
  );
}
