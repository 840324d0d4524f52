// The 72-hour timeline: tracks over absolute time, drawn once per forecast, and a scrubber that moves over them without
// drawing them again. Narrow windows scroll it with the track names in place.
import { useElementSize } from '@mantine/hooks';
import { memo, useMemo } from 'react';
import { formatDuration } from '#renderer/ui/text/durations.ts';
import { type LinearScale, linearScale } from './linear-scale.ts';
import { sourceLaneHeight, type TimelineLayout, timelineLayout } from './timeline-layout.ts';
import { type TimelineModel, serviceNow } from '#renderer/features/forecast/common/timeline-model.ts';
import { TimelineScrubber } from './TimelineScrubber.tsx';
import { DayTrack, HourAxis, NightShade } from './DayTracks.tsx';
import { IconTrack } from './IconTrack.tsx';
import { CooldownTrack } from './CooldownTrack.tsx';
import { PointTrack, SourceTrack } from './PointTracks.tsx';
import { RainTrack, TemperatureTrack, WindTrack } from './MeasuredTracks.tsx';
import { StatusBand } from './StatusBand.tsx';
import { SunTrack } from './SunTrack.tsx';
import classes from './Timeline.module.css';
import { useApp } from '#renderer/store/use-app.ts';
import { useUnits } from '#renderer/widgets/use-units.ts';
import { useNow } from '#renderer/ui/hooks/use-now.ts';

/** Epoch milliseconds to pixels. Days and hours are the shown zone's, so d3's own time ticks are of no use here. */
export type TimeScale = LinearScale;
export type TrackProps = { model: TimelineModel; layout: TimelineLayout; x: TimeScale };

const leastWidth = 880;

export function Timeline({ model }: { readonly model: TimelineModel }) {
  const { ref, width: room } = useElementSize();
  const width = Math.max(leastWidth, Math.floor(room));
  const layout = useMemo(() => timelineLayout(model.points), [model]);
  const x = useMemo(
    () => linearScale([model.from, Math.max(model.to, model.from + 3_600_000)], [8, width - 8]),
    [model, width],
  );
  return (
    <div className={classes.timeline}>
      <TrackNames layout={layout} model={model} />
      <div className={classes.scroller} ref={ref}>
        {room > 0 && (
          <div className={classes.stage} style={{ width, height: layout.height }}>
            <Tracks model={model} layout={layout} x={x} />
            <TimelineScrubber model={model} layout={layout} x={x} />
          </div>
        )}
      </div>
    </div>
  );
}

/** Everything that hovering does not change. */
const Tracks = memo(function Tracks({ model, layout, x }: TrackProps) {
  const [left, right] = x.range();
  return (
    <svg className={classes.tracks} width="100%" height={layout.height} aria-hidden="true">
      <NightShade model={model} layout={layout} x={x} />
      <DayTrack model={model} layout={layout} x={x} />
      <IconTrack model={model} layout={layout} x={x} />
      <SunTrack model={model} layout={layout} x={x} />
      <StatusBand model={model} layout={layout} x={x} />
      <RainTrack model={model} layout={layout} x={x} />
      <TemperatureTrack model={model} layout={layout} x={x} />
      <WindTrack model={model} layout={layout} x={x} />
      <CooldownTrack model={model} layout={layout} x={x} />
      <PointTrack model={model} layout={layout} x={x} />
      <SourceTrack model={model} layout={layout} x={x} />
      <HourAxis model={model} layout={layout} x={x} />
      <NowLine model={model} layout={layout} left={left ?? 0} right={right ?? 0} />
    </svg>
  );
});

/** Each lane by its source's name; one word where no source was sent. */
function sourceLanes({ sources, lanes }: TimelineLayout): [string, { top: number; height: number }][] {
  if (lanes.length === 0) return [['Sources', sources]];
  return lanes.map(({ name }, lane) => [
    name,
    { top: sources.top + lane * sourceLaneHeight, height: sourceLaneHeight },
  ]);
}

function TrackNames({ layout, model }: Omit<TrackProps, 'x'>) {
  const { temperature, precipitation, wind } = useUnits();
  const span = formatDuration(model.to - model.from);
  const names: [string, { top: number; height: number } | null][] = [
    ['Icons', layout.icons],
    ['Sun', layout.sun],
    ['Status', layout.band],
    [`Precip., ${precipitation.unit}`, layout.rain],
    [`Temp., ${temperature.unit}`, layout.temperature],
    [`Wind, ${wind.unit}`, layout.wind],
    ['Points', layout.points],
    ...sourceLanes(layout),
  ];
  return (
    <div className={classes.names} style={{ height: layout.height }} aria-hidden="true" title={`${span} in all`}>
      {names.map(
        ([name, box]) =>
          box && (
            <span key={`${name} ${box.top}`} title={name} style={{ top: box.top, height: box.height }}>
              {name}
            </span>
          ),
      )}
    </div>
  );
}

type Props = { model: TimelineModel; layout: TimelineLayout; left: number; right: number };

/** The present instant of the service, moving on while the forecast stands. */
function NowLine({ model, layout, left, right }: Readonly<Props>) {
  const forecast = useApp((state) => state.forecast.forecast);
  const machineNow = useNow(15_000);
  if (!forecast) return null;
  const now = serviceNow(forecast, machineNow);
  if (now < model.from || now > model.to) return null;
  const x = linearScale([model.from, Math.max(model.to, model.from + 3_600_000)], [left, right])(now);
  return (
    <g>
      <line className={classes.nowLine} x1={x} x2={x} y1={layout.icons.top} y2={layout.axis.top + 2} />
      <text
        className={classes.nowWord}
        x={x < 20 ? x + 5 : x}
        y={layout.axis.top + 16}
        textAnchor={x < 20 ? 'start' : 'middle'}
      >
        now
      </text>
    </g>
  );
}
