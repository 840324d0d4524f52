// The 72-hour timeline: tracks over absolute time, drawn once per forecast, and a cursor that moves over them without drawing them
// again. It fills the room it gets. Narrow windows show fewer hours and pan, with the axes in place.
import { memo, useMemo } from 'react';
import { useApp } from '../../../store/use-app.ts';
import { useBoxSize } from '../../../ui/hooks/use-box-size.ts';
import { useNow } from '../../../ui/hooks/use-now.ts';
import type { UnitFormat } from '../../../ui/text/units.ts';
import { useUnits } from '../../../widgets/use-units.ts';
import { useLayers } from '../common/layers.ts';
import { type TimelineModel, serviceNow } from '../common/timeline-model.ts';
import { useWindowWidth } from '../common/window-width.ts';
import { linearScale } from '../common/linear-scale.ts';
import {
  legendHeight,
  sourceLaneHeight,
  type TimelineLayout,
  timelineLayout,
  type TrackBox,
} from './timeline-layout.ts';
import { TimelineScrubber } from './TimelineScrubber.tsx';
import { ClockChanges, DayHeader, HourAxis, NightShade } from './DayTracks.tsx';
import { IconTrack } from './IconTrack.tsx';
import { PointTrack, SourceTrack } from './PointTracks.tsx';
import { Curve, RainTrack, SumLine, WindArrows } from './MeasuredTracks.tsx';
import { StatusBand } from './StatusBand.tsx';
import {
  humidityScale,
  pressureScale,
  rainScale,
  sumScale,
  temperatureScale,
  type TrackScale,
  windScale,
} from './track-scales.ts';
import { textPixels } from './text-pixels.ts';
import classes from './Timeline.module.css';
import type { ChartProps, ChartScales, TrackProps } from './chart-props.ts';

const hourMs = 3_600_000;
/** Hours in view; wider windows show all. */
const hoursInView = { slim: 24, narrow: 36, medium: Infinity, wide: Infinity } as const;

export function Timeline({ model }: { readonly model: TimelineModel }) {
  const { ref, width: room, height } = useBoxSize<HTMLDivElement>();
  const units = useUnits();
  const { shown } = useLayers();
  const windowWidth = useWindowWidth();
  const hours = Math.max(1, (model.to - model.from) / hourMs);
  const width = Math.floor(Math.max(room, (room * hours) / hoursInView[windowWidth]));
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
      <div className={`rb-fill ${classes.view}`}>
        <div className={`rb-fill ${classes.scroller}`} ref={ref} data-panned={width > room || undefined}>
          {room > 0 && height > 0 && (
            <div className={classes.stage} style={{ width, height: layout.height }}>
              <DayHeader model={model} layout={layout} x={x} />
              <Tracks {...chart} />
              <TimelineScrubber {...chart} />
            </div>
          )}
        </div>
        <Legends layout={layout} shown={shown} model={model} />
      </div>
      <SumAxis layout={layout} scales={scales} />
    </div>
  );
}

function scalesOf(
  { points, sums }: TimelineModel,
  layout: TimelineLayout,
  shown: ReadonlySet<string>,
  units: UnitFormat,
): ChartScales {
  const { temperature, humidity, pressure, rain, wind } = layout;
  const names = shown.has('dewPoint') ? (['temperature', 'dew_point'] as const) : (['temperature'] as const);
  return {
    ...(temperature && { temperature: temperatureScale(points, names, temperature, units) }),
    ...(humidity && { humidity: humidityScale(humidity, units) }),
    ...(pressure && { pressure: pressureScale(points, pressure, units) }),
    ...(rain.height > 0 && {
      rain: rainScale(points, rain, units),
      sum: sumScale(sums.at(-1)?.sum ?? 0, rain, units),
    }),
    ...(wind && { wind: windScale(points, wind, units) }),
  };
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
      <ClockChanges {...track} />
      <IconTrack {...track} />
      <StatusBand runs={model.runs} box={layout.band} x={x} />
      {scales.temperature && (
        <>
          {shown.has('dewPoint') && <Curve points={points} name="dew_point" x={x} scale={scales.temperature} />}
          <Curve
            points={points}
            name="temperature"
            x={x}
            scale={scales.temperature}
            writePeaks={(kelvin) => `${units.temperature.bare(kelvin)}°`}
            spans={model.summaries.map(({ startsAt, until }) => ({ from: startsAt, until }))}
          />
        </>
      )}
      {scales.humidity && <Curve points={points} name="humidity" x={x} scale={scales.humidity} />}
      {scales.pressure && <Curve points={points} name="pressure" x={x} scale={scales.pressure} />}
      {scales.rain && (
        <>
          <RainTrack {...track} />
          <SumLine {...track} />
        </>
      )}
      {scales.wind && (
        <>
          <Curve
            points={points}
            name="wind_speed"
            x={x}
            scale={scales.wind}
            writePeaks={units.wind.bare}
            arePeaksBelow
          />
          <WindArrows {...track} />
        </>
      )}
      {layout.points && <PointTrack {...track} />}
      {layout.sources && <SourceTrack {...track} />}
      <HourAxis {...track} />
      <NowLine model={model} layout={layout} x={x} />
    </svg>
  );
});

function plotsOf(layout: TimelineLayout, scales: ChartScales): readonly [TrackBox, TrackScale][] {
  const { temperature, humidity, pressure, rain, wind } = layout;
  return [
    [temperature, scales.temperature] as const,
    [humidity, scales.humidity] as const,
    [pressure, scales.pressure] as const,
    [rain, scales.rain] as const,
    [wind, scales.wind] as const,
  ].flatMap(([box, scale]) => (box && scale ? [[box, scale]] : []));
}

function Grid({ layout, scales, x, model }: Omit<ChartProps, 'shown'>) {
  const [left, right] = x.range();
  return (
    <g>
      {plotsOf(layout, scales).flatMap(([box, { axis, tickY }]) =>
        axis.ticks.map((tick) => (
          <line
            key={`${box.top} ${tick}`}
            className={classes.grid}
            data-zero={tick === 0 || undefined}
            x1={left}
            x2={right}
            y1={tickY(tick)}
            y2={tickY(tick)}
          />
        )),
      )}
      {model.days.map(({ startsAt }) => (
        <line
          key={startsAt}
          className={classes.daySeparator}
          x1={x(startsAt)}
          x2={x(startsAt)}
          y1={0}
          y2={layout.axis.top}
        />
      ))}
    </g>
  );
}

type AxisProps = { layout: TimelineLayout; scales: ChartScales };

/** A text that is wider than the axis is drawn narrower. */
function AxisText({ text, y }: { readonly text: string; readonly y: number }) {
  return (
    <text
      x={44}
      y={y}
      textAnchor="end"
      {...(textPixels(text, 12) > 50 && { textLength: 40, lengthAdjust: 'spacingAndGlyphs' })}
    >
      {text}
    </text>
  );
}

const LeftAxis = memo(function LeftAxis({ layout, scales, model }: AxisProps & { readonly model: TimelineModel }) {
  const { temperature } = scales;
  const zone = model.times.zoneName(model.from);
  const middle = (box: TrackBox, index = 0, size = box.height) => box.top + index * size + size / 2 + 4;
  return (
    <svg data-part className={`rb-fixed ${classes.axis}`} width={50} height={layout.height} aria-hidden="true">
      {plotsOf(layout, scales).flatMap(([box, scale]) =>
        scale.axis.ticks.map((tick) => (
          <text key={`${box.top} ${tick}`} x={44} y={scale.tickY(tick) + 4} textAnchor="end">
            {scale.formatTick(tick)}
            {scale === temperature ? '°' : ''}
          </text>
        )),
      )}
      {layout.sources && <AxisText y={middle(layout.sources, 0, sourceLaneHeight)} text="source" />}
      {layout.points && <AxisText y={middle(layout.points)} text="points" />}
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

const SumAxis = memo(function SumAxis({ layout, scales: { sum } }: AxisProps) {
  return (
    <svg data-part className={`rb-fixed ${classes.axis}`} width={34} height={layout.height} aria-hidden="true">
      {sum?.axis.ticks.map((tick) => (
        <text key={tick} className={classes.sumTick} x={6} y={sum.tickY(tick) + 4}>
          {sum.formatTick(tick)}
        </text>
      ))}
    </svg>
  );
});

/** What each track draws, named above it, so that nothing needs a pointer. */
const Legends = memo(function Legends({ layout, shown, model }: Pick<ChartProps, 'layout' | 'shown' | 'model'>) {
  const { temperature, precipitation, snow, wind, pressure } = useUnits();
  const { points, sums } = model;
  const hasSnow = points.some(({ point }) => (point.measured?.snowfall ?? 0) > 0);
  const hasDew = shown.has('dewPoint') && points.some(({ point }) => point.measured?.dew_point !== undefined);
  const hasSum = sums.some(({ isKnown }) => isKnown);
  const rows: readonly [TrackBox | null, readonly [string, string][]][] = [
    [
      layout.temperature,
      [
        ['temperature', `Temperature, ${temperature.unit}`],
        ...(hasDew ? ([['dew_point', `Dew point, ${temperature.unit}`]] as [string, string][]) : []),
      ],
    ],
    [layout.humidity, [['humidity', 'Humidity, %']]],
    [layout.pressure, [['pressure', `Pressure, ${pressure.unit}`]]],
    [
      layout.rain.height > 0 ? layout.rain : null,
      [
        ['rain', `Rain, ${precipitation.unit} per hour`],
        ...(hasSnow ? ([['snow', `Snow, ${snow.unit} per hour`]] as [string, string][]) : []),
        ...(hasSum
          ? ([['sum', `Rain from now, ${precipitation.text(sums.at(-1)?.sum ?? 0)}`]] as [string, string][])
          : []),
      ],
    ],
    [
      layout.wind,
      [
        ['wind_speed', `Wind, ${wind.unit}`],
        ['arrow', 'blows toward'],
      ],
    ],
  ];
  return rows.map(
    ([box, entries]) =>
      box && (
        <div
          key={box.top}
          className={`rb-row rb-note ${classes.legend}`}
          style={{ top: box.top - legendHeight }}
          aria-hidden="true"
        >
          {entries.map(([kind, label]) => (
            <span key={kind} className="rb-row rb-tight">
              <i data-kind={kind} />
              {label}
            </span>
          ))}
        </div>
      ),
  );
});

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
      <line className={classes.nowLine} x1={left} x2={left} y1={layout.days.height} y2={layout.axis.top} />
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
