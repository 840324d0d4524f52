// Both forecasts on one axis of time: band over band, with every period of different statuses outlined across both, and the
// measured values over each other.
import { useElementSize } from '@mantine/hooks';
import { useMemo } from 'react';
import type { Forecast } from '#contract/app-rpc/forecast.ts';
import { midnights, type ZonedTimes } from '#renderer/ui/text/zoned-times.ts';
import { linearScale } from '#renderer/features/forecast/timeline/linear-scale.ts';
import classes from './Compare.module.css';
import type { Comparison, Difference } from './compare-forecasts.ts';
import type { TrackProps } from '#renderer/features/forecast/timeline/Timeline.tsx';
import timelineClasses from '#renderer/features/forecast/timeline/Timeline.module.css';
import { timelineLayout } from '#renderer/features/forecast/timeline/timeline-layout.ts';
import { timelineModel, type TimelineModel } from '#renderer/features/forecast/common/timeline-model.ts';
import { DayTrack, HourAxis } from '#renderer/features/forecast/timeline/DayTracks.tsx';
import { RainTrack } from '#renderer/features/forecast/timeline/MeasuredTracks.tsx';
import { OverlaidTracks, overlaidTracksHeight } from './OverlaidTracks.tsx';
import { StatusBand } from '#renderer/features/forecast/timeline/StatusBand.tsx';

type Props = { first: Forecast; second: Forecast; times: ZonedTimes; comparison: Comparison };

const leastWidth = 780;
const hourMs = 3_600_000;
const bandTop = 28;
const bandHeight = 34;
const rainHeight = 40;
const sideHeight = bandHeight + rainHeight + 14;
const curvesTop = bandTop + 2 * sideHeight + 4;
const axisTop = curvesTop + overlaidTracksHeight + 8;

export function CompareChart({ first, second, times, comparison }: Readonly<Props>) {
  const { ref, width: room } = useElementSize();
  const ours = useMemo(() => timelineModel(first, times), [first, times]);
  const theirs = useMemo(() => timelineModel(second, times), [second, times]);
  const width = Math.max(leastWidth, Math.floor(room));
  if (!ours || !theirs) {
    const which = ours ? 'B' : theirs ? 'A' : 'Neither side';
    return (
      <p
        className={classes.none}
      >{`${which} has ${ours || theirs ? 'no' : 'any'} point with a time that can be read.`}</p>
    );
  }
  const [from, to] = [Math.min(ours.from, theirs.from), Math.max(ours.to, theirs.to, ours.from + hourMs)];
  const x = linearScale([from, to], [8, width - 8]);
  const axisModel: TimelineModel = { ...ours, from, to, days: midnights(times, from, to) };
  const whole = { ...timelineLayout(ours.points), axis: { top: axisTop, height: 22 } };
  return (
    <div className={classes.chart}>
      <div className={classes.names} aria-hidden="true">
        <span style={{ top: bandTop, height: bandHeight }}>A</span>
        <span style={{ top: bandTop + sideHeight, height: bandHeight }}>B</span>
      </div>
      <div className={classes.scroller} ref={ref}>
        {room > 0 && (
          <svg className={timelineClasses.tracks} width={width} height={axisTop + 24} aria-hidden="true">
            <DayTrack model={axisModel} layout={whole} x={x} isFromNow={false} />
            <Side model={ours} x={x} top={bandTop} />
            <Side model={theirs} x={x} top={bandTop + sideHeight} />
            {touching(comparison.differences.filter(({ field }) => field === 'Status')).map(
              ({ from: start, until }) => (
                <rect
                  key={start}
                  className={classes.difference}
                  x={x(start) - 1}
                  width={Math.max(4, x(until + hourMs) - x(start) + 2)}
                  y={bandTop - 4}
                  height={sideHeight + bandHeight + 8}
                  rx={6}
                />
              ),
            )}
            <OverlaidTracks models={[ours, theirs]} x={x} top={curvesTop} width={width} />
            <HourAxis model={axisModel} layout={whole} x={x} />
          </svg>
        )}
      </div>
    </div>
  );
}

/** Differences without agreement between them share one outline, so that the words below stay legible. */
function touching(differences: readonly Difference[]): readonly Pick<Difference, 'from' | 'until'>[] {
  return differences.reduce<{ from: number; until: number }[]>((outlines, { from, until }) => {
    const open = outlines.at(-1);
    if (open && from - open.until <= hourMs) open.until = until;
    else outlines.push({ from, until });
    return outlines;
  }, []);
}

function Side({ model, x, top }: Pick<TrackProps, 'model' | 'x'> & { readonly top: number }) {
  const layout = {
    ...timelineLayout(model.points),
    band: { top, height: bandHeight },
    rain: { top: top + bandHeight + 6, height: rainHeight },
  };
  return (
    <>
      <StatusBand model={model} layout={layout} x={x} />
      <RainTrack model={model} layout={layout} x={x} />
    </>
  );
}
