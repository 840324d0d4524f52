// The 72-hour timeline: tracks over absolute time, drawn once per forecast, and a cursor that moves over them without drawing them
// again. It fills the room it gets.
import { hourMs } from '@rainbell/shared';
import { memo, useMemo } from 'react';
import { useApp } from '../../../store/use-app.ts';
import { useBoxSize } from '../../../ui/hooks/use-box-size.ts';
import { useNow } from '../../../ui/hooks/use-now.ts';
import type { UnitFormat } from '../../../ui/text/units.ts';
import { useUnits } from '../../../widgets/use-units.ts';
import { type TimelineModel, serviceNow } from '../common/timeline-model.ts';
import { linearScale } from '../common/linear-scale.ts';
import { type TimelineLayout, timelineLayout, type TrackBox, type TrackName } from './timeline-layout.ts';
import { TimelineScrubber } from './TimelineScrubber.tsx';
import { ClockChanges, DaySeparators, HourAxis, NightShade } from './DayTracks.tsx';
import { IconTrack } from './IconTrack.tsx';
import { Curve, Extremes, RainTrack, WindLabels } from './MeasuredTracks.tsx';
import { StatusBand } from './StatusBand.tsx';
import {
  type ChartProps,
  type ChartScales,
  curveScale,
  rainScale,
  type TrackProps,
  type TrackScale,
} from './track-scales.ts';
import { textPixels } from './text-pixels.ts';
import classes from './Timeline.module.css';

export function Timeline({ model }: { readonly model: TimelineModel }) {
  const { ref, width: room, height } = useBoxSize<HTMLDivElement>();
  const units = useUnits();
  const shown = useApp((state) => state.forecast.layers);
  const width = Math.floor(room);
  const layout = useMemo(() => timelineLayout(model.points, { height, shown }), [model, height, shown]);
  const x = useMemo(
    () => linearScale([model.from, Math.max(model.to, model.from + hourMs)], [0, width]),
    [model, width],
  );
  const scales = useMemo(() => scalesOf(model, layout, shown, units), [model, layout, shown, units]);
  const chart = { model, layout, x, scales, shown };
  return (
    <div className={`rb-fill ${classes.timeline}`} data-chart>
      <LeftAxis layout={layout} scales={scales} model={model} />
      <div className={`rb-fill ${classes.view}`} ref={ref}>
        {width > 0 && height > 0 && (
          <div className={classes.stage} style={{ width, height: layout.height }}>
            <Tracks {...chart} />
            <TimelineScrubber {...chart} />
          </div>
        )}
      </div>
    </div>
  );
}

function scalesOf(
  { points }: TimelineModel,
  { plots }: TimelineLayout,
  shown: ReadonlySet<string>,
  units: UnitFormat,
): ChartScales {
  const degrees = shown.has('dewPoint') ? (['temperature', 'dew_point'] as const) : (['temperature'] as const);
  const make: Readonly<Record<TrackName, (box: TrackBox) => TrackScale>> = {
    temperature: (box) => curveScale(degrees, points, box, units, labelKelvin),
    humidity: (box) => curveScale(['humidity'], points, box, units),
    pressure: (box) => curveScale(['pressure'], points, box, units, 1),
    rain: (box) => rainScale(points, box, units),
    wind: (box) => curveScale(['wind_speed'], points, belowLabels(box), units),
  };
  return Object.fromEntries(entriesOf(plots).map(([name, box]) => [name, make[name](box)]));
}

function entriesOf<Value>(all: Readonly<Partial<Record<TrackName, Value>>>): readonly (readonly [TrackName, Value])[] {
  return Object.entries(all) as [TrackName, Value][];
}

/** What the numbers on a curve take. */
const labelKelvin = 4;
const labelHeight = 16;

function belowLabels({ top, height }: TrackBox): TrackBox {
  return { top: top + labelHeight, height: height - labelHeight };
}

/** Everything that the cursor does not change. */
const Tracks = memo(function Tracks({ model, layout, x, scales, shown }: ChartProps) {
  const units = useUnits();
  const track = { model, layout, x };
  const { points } = model;
  return (
    <svg data-part className={classes.tracks} width={x.range()[1]} height={layout.height} aria-hidden="true">
      <NightShade {...track} />
      <Grid {...track} scales={scales} />
      <ClockChanges
        changes={model.clockChanges}
        x={x}
        top={layout.icons.top}
        // In the row of the first legend, which is at the right.
        textY={layout.band.top + layout.band.height + 18}
        bottom={layout.axis.top}
      />
      <IconTrack {...track} />
      <StatusBand runs={model.runs} box={layout.band} x={x} />
      {scales.temperature && (
        <>
          {shown.has('dewPoint') && <Curve points={points} name="dew_point" x={x} scale={scales.temperature} />}
          <Curve points={points} name="temperature" x={x} scale={scales.temperature} />
          <Extremes
            points={points}
            name="temperature"
            x={x}
            scale={scales.temperature}
            spans={model.summaries}
            write={(kelvin) => `${units.temperature.whole(kelvin)}°`}
          />
        </>
      )}
      {scales.humidity && <Curve points={points} name="humidity" x={x} scale={scales.humidity} />}
      {scales.pressure && <Curve points={points} name="pressure" x={x} scale={scales.pressure} />}
      {layout.plots.rain && <RainTrack model={model} box={layout.plots.rain} x={x} />}
      {scales.wind && (
        <>
          <Curve points={points} name="wind_speed" x={x} scale={scales.wind} />
          <WindLabels model={model} x={x} scale={scales.wind} />
        </>
      )}
      {points.map(({ point, at }) =>
        point.problems.length > 0 ? (
          <path key={at} fill="var(--rb-warn)" d={`M${x(at)} ${layout.axis.top - 10}l5 9h-10z`} />
        ) : null,
      )}
      <Hits {...track} />
      <TrackNames {...track} scales={scales} shown={shown} />
      <HourAxis model={track.model} top={track.layout.axis.top} x={track.x} />
      <NowLine model={model} layout={layout} x={x} />
    </svg>
  );
});

/** The points with a match of the search in the JSON, above the hours. */
function Hits({ model: { points }, layout: { axis }, x }: TrackProps) {
  const hits = useApp((state) => state.forecast.hits);
  const path = points
    .map(({ point, at }) => (hits.includes(point.index) ? `M${x(at)} ${axis.top - 9}v9` : ''))
    .join('');
  return <path stroke="var(--rb-accent)" strokeWidth={4} data-hits d={path} />;
}

function Grid({ layout, scales, x, model }: Omit<ChartProps, 'shown'>) {
  const [left, right] = x.range();
  return (
    <g>
      {entriesOf(scales).flatMap(([name, { axis, tickY }]) =>
        axis.ticks.map((tick) => (
          <line
            key={`${name} ${tick}`}
            className={classes.grid}
            data-zero={tick === 0 || undefined}
            x1={left}
            x2={right}
            y1={tickY(tick)}
            y2={tickY(tick)}
          />
        )),
      )}
      <DaySeparators days={model.days} x={x} bottom={layout.axis.top} />
    </g>
  );
}

type AxisProps = { layout: TimelineLayout; scales: ChartScales };

const LeftAxis = memo(function LeftAxis({ layout, scales, model }: AxisProps & { readonly model: TimelineModel }) {
  const zone = model.times.zoneName(model.from);
  return (
    <svg data-part className={`rb-fixed ${classes.axis}`} width={50} height={layout.height} aria-hidden="true">
      {entriesOf(scales).flatMap(([name, scale]) =>
        scale.axis.ticks.map((tick) => (
          <text key={`${name} ${tick}`} x={44} y={scale.tickY(tick) + 4} textAnchor="end">
            {scale.formatTick(tick)}
            {name === 'temperature' ? '°' : ''}
          </text>
        )),
      )}
      <text
        className={classes.zone}
        x={44}
        y={layout.axis.top + 15}
        textAnchor="end"
        {...(textPixels(zone) > 40 && { textLength: 42, lengthAdjust: 'spacingAndGlyphs' })}
      >
        {zone}
      </text>
    </svg>
  );
});

/** What each track draws, above its plot, at the end where no curve begins. */
function TrackNames({ model: { points }, layout, x, shown }: ChartProps) {
  const { temperature, precipitation, snow, wind, pressure } = useUnits();
  const hasSnow = points.some(({ point }) => (point.measured?.snowfall ?? 0) > 0);
  const hasDew = shown.has('dewPoint') && points.some(({ point }) => point.measured?.dew_point !== undefined);
  const names: Readonly<Record<TrackName, string>> = {
    temperature: `Temperature, ${temperature.unit}${hasDew ? '; dashed: dew point' : ''}`,
    humidity: 'Humidity, %',
    pressure: `Pressure, ${pressure.unit}`,
    rain: `Rain, ${precipitation.unit} per hour${hasSnow ? `; light: snow, ${snow.unit} per hour` : ''}`,
    wind: `Wind, ${wind.unit}`,
  };
  return entriesOf(layout.plots).map(([name, box]) => (
    <text key={name} x={x.range()[1] - 4} y={box.top - 5} textAnchor="end">
      {names[name]}
    </text>
  ));
}

/** The present time of the service, moving on while the forecast is shown. */
function NowLine({ model, layout, x }: TrackProps) {
  const forecast = useApp((state) => state.forecast.forecast);
  const machineNow = useNow(15_000);
  if (!forecast) return null;
  const now = serviceNow(forecast, machineNow);
  if (now < model.from || now > model.to) return null;
  const left = x(now);
  return (
    <g>
      <line className={classes.nowLine} x1={left} x2={left} y1={0} y2={layout.axis.top} />
      <text
        className={classes.nowWord}
        x={left < 14 ? Math.max(1, left) : left}
        y={layout.axis.top + 15}
        textAnchor={left < 14 ? 'start' : 'middle'}
      >
        now
      </text>
    </g>
  );
}
