// The layer "Radar nowcast": precipitation for the next two hours in a sentence, and in steps of five minutes on a separate axis
// above the chart, where two hours would be too narrow. Only services that offer it are queried (contract/service-api/nowcast.ts).
import { useEffect } from 'react';
import type { Forecast } from '@rainbell/contract/app-rpc';
import { minuteMs } from '@rainbell/shared';
import { useApp } from '../../../store/use-app.ts';
import { useBoxSize } from '../../../ui/hooks/use-box-size.ts';
import { useNow } from '../../../ui/hooks/use-now.ts';
import { formatDuration } from '../../../ui/text/durations.ts';
import type { ZonedTimes } from '../../../ui/text/zoned-times.ts';
import { RequestNotice } from '../../../widgets/RequestNotice.tsx';
import { useUnits } from '../../../widgets/use-units.ts';
import { shownSources } from '../common/shown-sources.ts';
import { useShownTimes } from '../common/use-shown-times.ts';
import { serviceNow } from '../common/timeline-model.ts';
import { linearScale } from '../common/linear-scale.ts';
import { isRadarOffered } from './radar-slice.ts';
import timelineClasses from '../timeline/Timeline.module.css';
import classes from './RadarMinutes.module.css';
import { radarSentence, type RadarStep, radarSteps } from './radar-summary.ts';

type Props = { forecast: Forecast };

/** How often the radar has a new picture. */
const refreshMs = 5 * minuteMs;

export function RadarMinutes(props: Readonly<Props>) {
  const shown = useApp((state) => state.forecast.layers);
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
    <section className="rb-fixed" aria-labelledby="rb-radar-title">
      <header className="rb-bar rb-wrap rb-small">
        <h3 id="rb-radar-title">{`Radar nowcast, ${units.precipitation.unit}/h`}</h3>
        <p role="status">{text}</p>
        {here !== null && here.source !== null && (
          <span className="rb-end rb-note">
            {formatOrigin(here.source, here.ageMs, machineNow - Date.parse(here.fetchedAt))}
          </span>
        )}
      </header>
      <RequestNotice
        request={request}
        failedTitle="Couldn’t load the radar nowcast"
        loadingText="Loading radar nowcast"
        onRetry={() => void load({ lat, lng })}
      />
      {here !== null && here.source !== null && steps.length > 0 && <Bars steps={steps} times={times} />}
    </section>
  );
}

function formatOrigin(source: string, ageMs: number | null, sinceMs: number): string {
  const [name] = shownSources([source]);
  return ageMs === null ? `${name}, age not sent` : `${name}, ${formatDuration(ageMs + Math.max(0, sinceMs))} old`;
}

const plot = { top: 6, height: 44 };
const height = 70;
const labelPixels = 56;

type BarsProps = { steps: readonly RadarStep[]; times: ZonedTimes };

/** Hidden from screen readers, for which the sentence has the same content. */
function Bars({ steps, times }: Readonly<BarsProps>) {
  const units = useUnits();
  const { ref, width } = useBoxSize<HTMLDivElement>();
  const [from, to] = [steps[0]?.at ?? 0, steps.at(-1)?.until ?? 1];
  const x = linearScale([from, to], [0, width]);
  const peak = Math.max(1, ...steps.map(({ rate }) => rate ?? 0));
  const floor = plot.top + plot.height;
  const y = linearScale([0, peak], [floor, plot.top]);
  const labelMinutes = [15, 30, 60].find((minutes) => x(from + minutes * minuteMs) >= labelPixels) ?? 120;
  const labels = steps.filter(({ at }) => (at / minuteMs) % labelMinutes === 0);
  return (
    <div ref={ref} className={classes.chart}>
      <svg className={timelineClasses.tracks} width={width} height={height} aria-hidden="true">
        {[0, peak].map((rate) => (
          <g key={rate}>
            <line className={timelineClasses.grid} x1={0} x2={width} y1={y(rate)} y2={y(rate)} />
            <text x={-6} y={y(rate) + 4} textAnchor="end">
              {units.precipitation.bare(rate)}
            </text>
          </g>
        ))}
        {steps.map(({ at, until, rate }) => {
          const size = rate === null ? plot.height : rate <= 0 ? 0 : Math.max(1.5, floor - y(rate));
          return (
            <rect
              key={at}
              fill="var(--rb-rain)"
              opacity={rate === null ? 0.16 : 1}
              x={x(at) + 1}
              width={Math.max(1, x(until) - x(at) - 2)}
              y={floor - size}
              height={size}
            />
          );
        })}
        {labels.map(({ at }) => (
          <text key={at} x={x(at)} y={height - 4} textAnchor={at === from ? 'start' : 'middle'}>
            {times.clock(at)}
          </text>
        ))}
      </svg>
    </div>
  );
}
