// All sides on one axis of time: band over band, with every period whose status differs from the first one's outlined, and the
// measured values over each other.
import { useElementSize } from '@mantine/hooks';
import { ScrollRegion } from '../../../ui/controls/ScrollRegion.tsx';
import { memo, useId, useMemo } from 'react';
import { midnights, type ZonedTimes } from '../../../ui/text/zoned-times.ts';
import { useUnits } from '../../../widgets/use-units.ts';
import { linearScale } from '../common/linear-scale.ts';
import classes from './Compare.module.css';
import type { ShownSide } from './compare-side.ts';
import { type Comparison, type Difference, isOther } from './compare-forecasts.ts';
import timelineClasses from '../timeline/Timeline.module.css';
import { timelineLayout } from '../timeline/timeline-layout.ts';
import { mergeRuns } from '../common/runs.ts';
import { timedForecast } from '../common/timed-points.ts';
import { timelineModel, type TimelineModel } from '../common/timeline-model.ts';
import { DayTrack } from '../timeline/DayTrack.tsx';
import { HourAxis } from '../timeline/DayTracks.tsx';
import { type DrawnSide, OverlaidTracks, overlaidTracks, overlaidTracksHeight } from './OverlaidTracks.tsx';
import { BandPatterns } from '../timeline/StatusBand.tsx';
import { ComparedBand } from './ComparedBand.tsx';

type Props = {
  shown: readonly ShownSide[];
  times: ZonedTimes;
  comparison: Comparison;
};

const minWidth = 780;
const hourMs = 3_600_000;
const bandTop = 28;
const bandHeight = 26;
const bandGap = 10;

export function CompareChart({ shown, times, comparison }: Readonly<Props>) {
  const { ref, width: room } = useElementSize();
  const units = useUnits();
  const first = shown[0]?.forecast;
  const axisModel = useMemo(() => (first ? timelineModel(first, times) : null), [first, times]);
  const sides = useMemo(
    () =>
      shown.flatMap(({ index, name, forecast }, order): DrawnSide[] => {
        const timed = timedForecast(forecast.points);
        return timed ? [{ index, order, name, ...timed, runs: mergeRuns(timed.points) }] : [];
      }),
    [shown],
  );
  const width = Math.max(minWidth, Math.floor(room));
  const zone = axisModel ? times.zoneName(axisModel.from) : '';
  const unplaced = shown.filter(({ index }) => sides.every((side) => side.index !== index));
  const bands = sides.length * (bandHeight + bandGap);
  const tracks = useMemo(() => overlaidTracks(sides, units), [sides, units]);
  const axisTop = bandTop + bands + overlaidTracksHeight(tracks.length) + 8;
  return (
    <>
      {unplaced.length > 0 && (
        <p className="rb-dim">{`No points with a readable time in: ${unplaced.map(({ name }) => name).join(', ')}`}</p>
      )}
      {axisModel && sides.length > 1 && (
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
              <Drawing
                sides={sides}
                model={axisModel}
                comparison={comparison}
                width={width}
                axisTop={axisTop}
                tracks={tracks}
              />
            )}
          </ScrollRegion>
        </div>
      )}
    </>
  );
}

type DrawingProps = {
  sides: readonly DrawnSide[];
  model: TimelineModel;
  comparison: Comparison;
  width: number;
  axisTop: number;
  tracks: ReturnType<typeof overlaidTracks>;
};

const Drawing = memo(function Drawing({ sides, model, comparison, width, axisTop, tracks }: Readonly<DrawingProps>) {
  const units = useUnits();
  const patterns = useId();
  const from = Math.min(...sides.map((side) => side.from));
  const to = Math.max(from + hourMs, ...sides.map((side) => side.to));
  const x = linearScale([from, to], [8, width - 32]);
  const axisModel: TimelineModel = { ...model, from, to, days: midnights(model.times, from, to) };
  const whole = { ...timelineLayout(model.points), axis: { top: axisTop, height: 22 } };
  const statuses = comparison.differences.filter(({ field }) => field === 'status');
  const bandOf = (place: number) => bandTop + place * (bandHeight + bandGap);
  return (
    <svg className={timelineClasses.tracks} width={width} height={axisTop + 24} aria-hidden="true">
      <BandPatterns id={patterns} />
      <DayTrack model={axisModel} layout={whole} x={x} isFromNow={false} />
      {sides.map((side, place) => (
        <g key={side.index} data-side={side.index}>
          <ComparedBand runs={side.runs} box={{ top: bandOf(place), height: bandHeight }} x={x} patterns={patterns} />
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
      <OverlaidTracks tracks={tracks} sides={sides} x={x} top={bandOf(sides.length)} width={width} units={units} />
      <HourAxis model={axisModel} layout={whole} x={x} />
    </svg>
  );
});

/** Differences without agreement between them share one outline, so that the words below stay legible. */
function touching(differences: readonly Difference[]): readonly Pick<Difference, 'from' | 'until'>[] {
  return differences.reduce<{ from: number; until: number }[]>((outlines, { from, until }) => {
    const open = outlines.at(-1);
    if (open && from - open.until <= hourMs) open.until = until;
    else outlines.push({ from, until });
    return outlines;
  }, []);
}
