// The chart with its heading, the sentence that sums it up, the legend, and the zone; or the same as a table.
import { forecastCommands, plural } from '@rainbell/shared';
import { Button } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useId } from 'react';
import type { Forecast } from '@rainbell/contract/app-rpc';
import { useApp } from '../../../store/use-app.ts';
import { useCommands } from '../../../store/use-commands.ts';
import { Panel } from '../../../ui/controls/Panel.tsx';
import { SegmentedControl } from '../../../ui/controls/SegmentedControl.tsx';
import { useNow } from '../../../ui/hooks/use-now.ts';
import { useUnits } from '../../../widgets/use-units.ts';
import { type ClockChange, type ZonedTimes, zonedTimes } from '../../../ui/text/zoned-times.ts';
import { weatherColor } from '../../../ui/theme.ts';
import { shownCursor } from '../common/forecast-slice.ts';
import { summarySentence } from '../common/summary.ts';
import { serviceNow, type TimelineModel } from '../common/timeline-model.ts';
import { useWindowWidth } from '../common/window-width.ts';
import { Timeline } from './Timeline.tsx';
import { useCursorKeys } from './use-cursor-keys.ts';
import classes from './TimelineCard.module.css';
import { Deviations } from './Deviations.tsx';
import { PointLine } from './Bubble.tsx';
import { UnitSelect, ZoneSelect } from './ChartSelects.tsx';
import { LayerChoices } from './LayerChoices.tsx';

const TimelineTable = lazy(async () => ({ default: (await import('./TimelineTable.tsx')).TimelineTable }));

const views = [
  { value: 'chart', label: 'Chart' },
  { value: 'table', label: 'Table' },
] as const;

type Props = { forecast: Forecast; model: TimelineModel | null };

/** `children`: between the heading and the chart. */
type CardProps = Props & { children?: ReactNode };

export function TimelineCard({ forecast, model, children }: Readonly<CardProps>) {
  const isTable = useApp((state) => state.forecast.isTable);
  const toggleTable = useApp((state) => state.forecast.toggleTable);
  const cycleBubble = useApp((state) => state.forecast.cycleBubble);
  const now = serviceNow(forecast, useNow(60_000));
  const units = useUnits();
  const layersId = useId();
  useCursorKeys(model);
  useCommands(forecastCommands, { 'forecast.table': toggleTable, 'forecast.bubble': cycleBubble });
  const summary = model && summarySentence(model, { times: model.times, units, now });
  return (
    <section className="rb-pane" aria-labelledby="rb-timeline-title">
      <div className={`rb-row rb-fixed ${classes.head}`}>
        <h2 id="rb-timeline-title">{model ? title(model) : 'Forecast'}</h2>
        <p className="rb-truncate rb-fill rb-dim" title={summary ?? undefined}>
          {summary}
        </p>
        <UnitSelect />
        <Button
          size="xs"
          variant="default"
          rightSection={<IconChevronDown size={14} />}
          popoverTarget={layersId}
          aria-haspopup="dialog"
        >
          Layers
        </Button>
        <Panel id={layersId} label="Chart layers" align="end">
          <LayerChoices />
        </Panel>
        <SegmentedControl
          size="xs"
          data={views}
          value={isTable ? 'table' : 'chart'}
          onChange={(value) => value === (isTable ? 'chart' : 'table') && toggleTable()}
          aria-label="Show points as"
        />
      </div>
      {hasDeviations(forecast, model) && <Deviations forecast={forecast} model={model} />}
      {model === null && <p className="rb-dim rb-padded">The response has no points with a readable time.</p>}
      {model && !isTable && <CursorLine model={model} />}
      {children}
      {model && !isTable && <Timeline model={model} />}
      <Suspense fallback={null}>{model && isTable && <TimelineTable model={model} now={now} />}</Suspense>
      {model && <Legend forecast={forecast} model={model} />}
    </section>
  );
}

function hasDeviations({ problems, points }: Forecast, model: TimelineModel | null): boolean {
  return problems.length > 0 || (model?.flags.length ?? 0) > 0 || points.some((point) => point.problems.length > 0);
}

function title({ points, from }: TimelineModel): string {
  const hours = Math.ceil(((points.at(-1)?.at ?? from) - from) / 3_600_000);
  return hours < 1 ? 'Now' : plural(hours, ['Next hour', 'Next # hours']);
}

/** In narrow windows, in place of the bubble: a line that covers nothing. */
function CursorLine({ model }: { readonly model: TimelineModel }) {
  const cursor = useApp((state) => shownCursor(state.forecast));
  const windowWidth = useWindowWidth();
  const mode = useApp((state) => state.forecast.bubble);
  if (windowWidth === 'wide' || windowWidth === 'medium' || mode === 'off') return null;
  const here = model.points.find(({ point }) => point.index === cursor) ?? model.points[0];
  return (
    here && (
      <div className={`rb-fixed rb-small ${classes.cursorLine}`} aria-hidden="true">
        <PointLine here={here} model={model} isShort={mode === 'short'} />
      </div>
    )
  );
}

/** The colors of the band, the change of the clocks, and the zone of all times. */
function Legend({ forecast, model }: { readonly forecast: Forecast; readonly model: TimelineModel }) {
  const labels = [...new Set(model.runs.map(({ label }) => label))];
  const change = model.clockChanges[0];
  const { times } = model;
  return (
    <div className={`rb-row rb-fixed rb-note ${classes.legend}`}>
      <ul className={`rb-row rb-wrap rb-fill rb-break ${classes.statuses}`} aria-label="Weather colors">
        {labels.map((label) => (
          <li key={label} className="rb-row rb-tight">
            <i
              className="rb-swatch"
              data-status={weatherColor(label)}
              style={{ background: `var(--rb-weather-${weatherColor(label)})` }}
            />
            {label === '' ? <>empty</> : label}
          </li>
        ))}
      </ul>
      {change && (
        <span className="rb-medium rb-tone" data-tone="warn">
          {`Clock change ${times.day(change.at)}, ${wallClock(times, change)} ${change.before} → ${times.clock(change.at)} ${change.after}`}
        </span>
      )}
      <ZoneSelect forecast={forecast} at={model.from} />
    </div>
  );
}

/** What the clocks would show at the change if it did not happen. */
function wallClock({ minuteOfDay, hourCycle }: ZonedTimes, { at, shiftMs }: ClockChange): string {
  const minute = (minuteOfDay(at) - shiftMs / 60_000 + 24 * 60) % (24 * 60);
  return zonedTimes('UTC', hourCycle).clock(minute * 60_000);
}
