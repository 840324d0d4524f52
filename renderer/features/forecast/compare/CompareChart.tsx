// All sides on one axis of time: band over band, with every period whose status differs from the first one's outlined, and the
// measured values over each other.
import { useElementSize } from '@mantine/hooks';
import { hourMs } from '@rainbell/shared';
import { ScrollRegion } from '../../../ui/controls/ScrollRegion.tsx';
import { type KeyboardEvent, memo, type PointerEvent, useMemo, useState } from 'react';
import { clockChanges, midnights, type ZonedTimes } from '../../../ui/text/zoned-times.ts';
import { useUnits } from '../../../widgets/use-units.ts';
import type { UnitFormat } from '../../../ui/text/units.ts';
import { type LinearScale, linearScale } from '../common/linear-scale.ts';
import classes from './Compare.module.css';
import type { ShownSide } from './compare-side.ts';
import { type Comparison, type Difference, isOther } from './compare-forecasts.ts';
import timelineClasses from '../timeline/Timeline.module.css';
import { mergeRuns } from '../common/runs.ts';
import { pointValues } from '../timeline/point-values.ts';
import { groupNeighbors, timedForecast, type TimedPoint } from '../common/timed-points.ts';
import { ClockChanges, DaySeparators, HourAxis } from '../timeline/DayTracks.tsx';
import { type DrawnSide, OverlaidTrack, overlaidTracks, trackGap, trackHeight } from './OverlaidTracks.tsx';
import { StatusBand } from '../timeline/StatusBand.tsx';

type Props = {
  shown: readonly ShownSide[];
  times: ZonedTimes;
  comparison: Comparison;
};

const minWidth = 780;
const bandTop = 28;
const bandHeight = 26;
const bandGap = 10;

export function CompareChart({ shown, times, comparison }: Readonly<Props>) {
  const { ref, width: room } = useElementSize();
  const units = useUnits();
  const sides = useMemo(
    () =>
      shown.flatMap(({ index, name, forecast }, order): DrawnSide[] => {
        const timed = timedForecast(forecast.points);
        return timed ? [{ index, order, name, ...timed, runs: mergeRuns(timed.points) }] : [];
      }),
    [shown],
  );
  const width = Math.max(minWidth, Math.floor(room));
  const zone = sides[0] ? times.zoneName(sides[0].from) : '';
  const unplaced = shown.filter(({ index }) => sides.every((side) => side.index !== index));
  const bands = sides.length * (bandHeight + bandGap);
  const tracks = useMemo(() => overlaidTracks(sides), [sides]);
  const axisTop = bandTop + bands + tracks.length * (trackHeight + trackGap) + 8;
  // The hours that all have; else those that any has.
  const shared = [Math.max(...sides.map(({ from }) => from)), Math.min(...sides.map(({ to }) => to))] as const;
  const [from, to] =
    shared[1] - shared[0] >= hourMs
      ? shared
      : [Math.min(...sides.map((side) => side.from)), Math.max(...sides.map((side) => side.to))];
  const x = useMemo(() => linearScale([from, to], [8, width - 32]), [from, to, width]);
  const [at, setAt] = useState(-Infinity);
  const here = Math.min(to - 1, Math.max(from, at));
  const values = sides.map(({ index, name, points }) => ({ index, name, text: valuesAt(points, here, units) }));
  const clock = `${times.weekdayClock(here)} ${zone}`;
  const move = (event: PointerEvent<HTMLElement>) =>
    setAt(x.invert(event.clientX - event.currentTarget.getBoundingClientRect().left));
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -24, PageDown: 24 };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    setAt(Math.min(to - 1, Math.max(from, here + step * hourMs)));
  };
  return (
    <>
      {unplaced.length > 0 && (
        <p className="rb-dim">{`No points with a readable time in: ${unplaced.map(({ name }) => name).join(', ')}`}</p>
      )}
      {sides.length > 1 && (
        <>
          <table className={`rb-figures ${classes.values}`} aria-label="Values at the cursor">
            <tbody>
              {values.map(({ index, name, text }, order) => (
                <tr key={index}>
                  {order === 0 && (
                    <th scope="rowgroup" rowSpan={values.length}>
                      {clock}
                    </th>
                  )}
                  <th scope="row">{name}</th>
                  {text.map((value, column) => (
                    <td key={column}>{value}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          <div className="rb-chart">
            {/* A zone without an abbreviation is as long as UTC+5:45. */}
            <div
              className={`rb-fixed rb-strong ${classes.names}`}
              style={{ width: zone.length > 4 ? 56 : 26 }}
              aria-hidden="true"
            >
              <span className="rb-small" style={{ top: axisTop, height: 22 }}>
                {zone}
              </span>
              {sides.map(({ index, name }, order) => (
                <span key={index} style={{ top: bandTop + order * (bandHeight + bandGap), height: bandHeight }}>
                  {name}
                </span>
              ))}
            </div>
            <ScrollRegion label="Comparison chart" className={`rb-fill ${classes.scroller}`} ref={ref}>
              {room > 0 && (
                <div
                  className={classes.stage}
                  role="slider"
                  tabIndex={0}
                  aria-label="Compared hours"
                  aria-valuemin={from}
                  aria-valuemax={to}
                  aria-valuenow={here}
                  aria-valuetext={[clock, ...values.map(({ name, text }) => [name, ...text].join(' '))].join(', ')}
                  onPointerMove={move}
                  onPointerDown={move}
                  onKeyDown={onKeyDown}
                  style={{ width }}
                >
                  <Drawing
                    sides={sides}
                    times={times}
                    comparison={comparison}
                    x={x}
                    axisTop={axisTop}
                    tracks={tracks}
                  />
                  <div className={classes.cross} style={{ transform: `translateX(${x(here)}px)`, height: axisTop }} />
                </div>
              )}
            </ScrollRegion>
          </div>
        </>
      )}
    </>
  );
}

function valuesAt(points: readonly TimedPoint[], at: number, units: UnitFormat): readonly string[] {
  const point = points.find((one) => one.at <= at && at < one.until)?.point;
  if (!point) return ['no data', '', '', '', '', ''];
  const { status, temperature, precipitation, wind, windFrom, humidity, pressure } = pointValues(point, units);
  return [status, temperature, precipitation, wind && `${wind} ${windFrom ?? ''}`, humidity, pressure].map(
    (value) => value ?? '–',
  );
}

type DrawingProps = {
  sides: readonly DrawnSide[];
  times: ZonedTimes;
  comparison: Comparison;
  x: LinearScale;
  axisTop: number;
  tracks: ReturnType<typeof overlaidTracks>;
};

const Drawing = memo(function Drawing({ sides, times, comparison, x, axisTop, tracks }: Readonly<DrawingProps>) {
  const units = useUnits();
  const [from, to] = x.domain();
  const statuses = comparison.differences.filter(({ field }) => field === 'status');
  const bandOf = (place: number) => bandTop + place * (bandHeight + bandGap);
  return (
    <svg
      className={`${timelineClasses.tracks} ${classes.drawing}`}
      width={x.range()[1] + 32}
      height={axisTop + 24}
      aria-hidden="true"
    >
      <DaySeparators days={midnights(times, from, to)} x={x} bottom={axisTop} />
      <ClockChanges changes={clockChanges(times, from, to)} x={x} top={2} textY={14} bottom={axisTop} />
      {sides.map((side, place) => (
        <g key={side.index} data-side={side.index}>
          <StatusBand runs={side.runs} box={{ top: bandOf(place), height: bandHeight }} x={x} />
          {side.order > 0 &&
            touching(statuses.filter(({ first, others }) => isOther(others[side.order - 1], first))).map(
              ({ from: start, until }) => (
                <rect
                  key={start}
                  className={classes.difference}
                  x={x(start) - 1}
                  width={Math.max(4, x(until + hourMs) - x(start) + 2)}
                  y={bandOf(place) - 3}
                  height={bandHeight + 6}
                  rx={6}
                />
              ),
            )}
        </g>
      ))}
      {tracks.map((track, place) => (
        <OverlaidTrack
          key={track.field}
          track={track}
          sides={sides}
          x={x}
          top={bandOf(sides.length) + place * (trackHeight + trackGap) + trackGap}
          units={units}
        />
      ))}
      <HourAxis model={{ times, from, to }} top={axisTop} x={x} />
    </svg>
  );
});

/** Differences without agreement between them share one outline, so that the words below stay legible. */
function touching(differences: readonly Difference[]): readonly Pick<Difference, 'from' | 'until'>[] {
  return groupNeighbors(differences, ({ until }, { from }) => from - until <= hourMs).map((group) => ({
    from: group[0].from,
    until: group.at(-1)?.until ?? group[0].until,
  }));
}
