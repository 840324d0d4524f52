// The layer "Radar nowcast": precipitation for the next two hours in steps of five minutes, on a separate axis above the chart,
// where two hours would be too narrow. Only services that offer it are queried (contract/service-api/nowcast.ts).
import { type KeyboardEvent, type PointerEvent, useEffect, useState } from 'react';
import type { Forecast } from '@rainbell/contract/app-rpc';
import { minuteMs } from '@rainbell/shared';
import { useApp } from '../../store/use-app.ts';
import { useBoxSize } from '../../ui/hooks/use-box-size.ts';
import { useNow } from '../../ui/hooks/use-now.ts';
import { formatDuration } from '../../ui/text/durations.ts';
import type { ZonedTimes } from '../../ui/text/zoned-times.ts';
import { RequestNotice } from '../../widgets/RequestNotice.tsx';
import { useUnits } from '../../widgets/use-units.ts';
import { useLayers } from '../forecast/common/layers.ts';
import { shownSources } from '../forecast/common/shown-sources.ts';
import { useShownTimes } from '../forecast/common/use-shown-times.ts';
import { serviceNow } from '../forecast/common/timeline-model.ts';
import { axisOf } from '../forecast/common/axis-ticks.ts';
import { linearScale } from '../forecast/common/linear-scale.ts';
import { isRadarOffered } from './radar-slice.ts';
import classes from './RadarMinutes.module.css';
import { formatStep, radarSentence, type RadarStep, radarSteps, spokenStep } from './radar-summary.ts';

type Props = { forecast: Forecast };

/** The radar has a new picture so often. */
const refreshMs = 5 * minuteMs;

export function RadarMinutes(props: Readonly<Props>) {
  const { shown } = useLayers();
  const isOffered = useApp(isRadarOffered);
  return isOffered && shown.has('radar') ? <Strip {...props} /> : null;
}

function Strip({ forecast }: Readonly<Props>) {
  const times = useShownTimes(forecast);
  const { load, minutes, request } = useApp((state) => state.radar);
  const units = useUnits();
  const machineNow = useNow(30_000);
  const { lat, lng } = forecast.query;
  useEffect(() => void load({ lat, lng }), [load, lat, lng, forecast.fetchedAt]);
  const isDue = request.state === 'done' && machineNow - request.at >= refreshMs;
  useEffect(() => {
    if (isDue && !document.hidden) void load({ lat, lng });
  }, [isDue, load, lat, lng, machineNow]);
  const here = minutes?.query.lat === lat && minutes.query.lng === lng ? minutes : null;
  const now = serviceNow(forecast, machineNow);
  const steps = here ? radarSteps(here, now) : [];
  const text =
    here === null
      ? ''
      : here.source === null
        ? 'No radar coverage for this location'
        : radarSentence(steps, now, { times, units });
  return (
    <section className={`rb-fixed ${classes.strip}`} data-radar aria-labelledby="rb-radar-title">
      <header className="rb-bar rb-wrap rb-small">
        <h3 id="rb-radar-title">{`Radar nowcast, ${units.precipitation.unit}/h`}</h3>
        <p role="status">{text}</p>
      </header>
      <RequestNotice
        request={request}
        failedTitle="Couldn’t load the radar nowcast"
        loadingText="Loading radar nowcast"
        onRetry={() => void load({ lat, lng })}
      />
      {here !== null && here.source !== null && steps.length > 0 && (
        <Bars
          steps={steps}
          times={times}
          origin={formatOrigin(here.source, here.ageMs, machineNow - Date.parse(here.fetchedAt))}
        />
      )}
    </section>
  );
}

/** Returns the radar and the age of its picture. */
function formatOrigin(source: string, ageMs: number | null, sinceMs: number): string {
  const [name] = shownSources([source]);
  return ageMs === null ? `${name}, age not sent` : `${name}, ${formatDuration(ageMs + Math.max(0, sinceMs))} old`;
}

const plot = { top: 6, height: 44 };
const height = 70;
const axisWidth = 50;
const labelPixels = 56;

type BarsProps = { steps: readonly RadarStep[]; times: ZonedTimes; origin: string };

function Bars({ steps, times, origin }: Readonly<BarsProps>) {
  const units = useUnits();
  const { ref, width } = useBoxSize<HTMLDivElement>();
  const [focused, setFocused] = useState(0);
  const [hovered, setHovered] = useState<number | null>(null);
  const last = steps.length - 1;
  const position = Math.min(hovered ?? focused, last);
  const here = steps[position];
  const [from, to] = [steps[0]?.at ?? 0, steps[last]?.until ?? 1];
  const x = linearScale([from, to], [0, width]);
  const peak = Math.max(1, ...steps.map(({ rate }) => rate ?? 0));
  const axis = axisOf(0, units.precipitation.convert(peak), 2);
  const y = linearScale([axis.low, axis.high], [plot.top + plot.height, plot.top]);
  const labelMinutes = [15, 30, 60].find((minutes) => x(from + minutes * minuteMs) >= labelPixels) ?? 120;
  const labels = steps.filter(({ at }) => (at / minuteMs) % labelMinutes === 0);

  const onKeyDown = (event: KeyboardEvent) => {
    const target = keyPosition(event.key, Math.min(focused, last), last);
    if (target === undefined) return;
    event.preventDefault();
    setHovered(null);
    setFocused(target);
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const at = x.invert(event.clientX - event.currentTarget.getBoundingClientRect().left);
    const index = steps.findLastIndex((step) => step.at <= at);
    setHovered(index < 0 ? null : index);
  };
  return (
    <div className={classes.chart}>
      <svg width={axisWidth} height={height} aria-hidden="true">
        {axis.ticks.map((tick) => (
          <text key={tick} x={44} y={y(tick) + 4} textAnchor="end">
            {units.number(tick, Number.isInteger(tick) ? 0 : tick * 10 === Math.round(tick * 10) ? 1 : 2)}
          </text>
        ))}
      </svg>
      <div
        ref={ref}
        className={classes.bars}
        role="slider"
        tabIndex={0}
        aria-label="Radar nowcast"
        aria-valuemin={1}
        aria-valuemax={steps.length}
        aria-valuenow={position + 1}
        aria-valuetext={here ? spokenStep(here, { times, units }) : 'no step'}
        onKeyDown={onKeyDown}
        onPointerMove={onPointerMove}
        onPointerDown={onPointerMove}
        onPointerLeave={() => setHovered(null)}
      >
        <svg width={width} height={height} aria-hidden="true">
          {axis.ticks.map((tick) => (
            <line key={tick} x1={0} x2={width} y1={y(tick)} y2={y(tick)} data-zero={tick === 0 || undefined} />
          ))}
          {here && (
            <rect
              fill="var(--rb-accent)"
              opacity={0.16}
              x={x(here.at)}
              width={x(here.until) - x(here.at)}
              y={0}
              height={plot.top + plot.height}
            />
          )}
          {steps.map((step) => (
            <Bar key={step.at} step={step} x={x} y={(rate) => y(units.precipitation.convert(rate))} />
          ))}
          {labels.map(({ at }) => (
            <text key={at} x={x(at)} y={height - 4} textAnchor={at === from ? 'start' : 'middle'}>
              {times.clock(at)}
            </text>
          ))}
        </svg>
      </div>
      <footer className={`rb-row rb-wrap rb-apart rb-note ${classes.foot}`}>
        <b aria-hidden="true">{here && formatStep(here, { times, units })}</b>
        <span>{origin}</span>
      </footer>
    </div>
  );
}

type BarProps = { step: RadarStep; x: (at: number) => number; y: (rate: number) => number };

function Bar({ step: { at, until, rate }, x, y }: Readonly<BarProps>) {
  const place = { fill: 'var(--rb-rain)', x: x(at) + 1, width: Math.max(1, x(until) - x(at) - 2) };
  if (rate === null) return <rect {...place} opacity={0.16} y={plot.top} height={plot.height} />;
  const size = rate <= 0 ? 0 : Math.max(1.5, y(0) - y(rate));
  return <rect {...place} y={y(0) - size} height={size} rx={1.5} />;
}

function keyPosition(key: string, position: number, last: number): number | undefined {
  const targets: Readonly<Record<string, number>> = {
    ArrowLeft: position - 1,
    ArrowDown: position - 1,
    ArrowRight: position + 1,
    ArrowUp: position + 1,
    PageUp: position - 6,
    PageDown: position + 6,
    Home: 0,
    End: last,
  };
  const target = targets[key];
  return target === undefined ? undefined : Math.max(0, Math.min(last, target));
}
