// The days, the point at the cursor in a line that covers nothing, and the chart; or the same as a table.
import { UnstyledButton } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { chartKeys, forecastCommands, hourMs, plural } from '@rainbell/shared';
import { type CSSProperties, lazy, type ReactNode, Suspense, useEffect, useEffectEvent } from 'react';
import type { Forecast } from '@rainbell/contract/app-rpc';
import { useShownPlace } from '../selectors.ts';
import { shownZone } from '../../../store/shown.ts';
import { useApp, useAppStore } from '../../../store/use-app.ts';
import { useCommands } from '../../../store/use-commands.ts';
import { type ClockChange, type ZonedTimes, zonedTimes } from '../../../ui/text/zoned-times.ts';
import { useUnits } from '../../../widgets/use-units.ts';
import { Attribution } from '../common/Attribution.tsx';
import { shownCursor } from '../common/forecast-slice.ts';
import { placeOf } from '../common/timed-points.ts';
import type { TimelineModel } from '../common/timeline-model.ts';
import { DayCards } from './DayCards.tsx';
import { Timeline } from './Timeline.tsx';
import { pointValues } from './point-values.ts';
import classes from './TimelineCard.module.css';
import type { OfferedCommand } from '../../../store/commands-slice.ts';
import { keyTarget } from './timeline-keys.ts';

const TimelineTable = lazy(async () => ({ default: (await import('./TimelineTable.tsx')).TimelineTable }));

type Props = { forecast: Forecast; model: TimelineModel | null };

/** `children`: between the line and the chart. `notice`: below the chart, which makes room without moving. */
type CardProps = Props & { children?: ReactNode; notice: ReactNode };

export function TimelineCard({ forecast, model, children, notice }: Readonly<CardProps>) {
  const isTable = useApp((state) => state.forecast.isTable);
  const toggleTable = useApp((state) => state.forecast.toggleTable);
  useCursorKeys(model);
  useCommands(forecastCommands, { 'forecast.table': toggleTable });
  return (
    <section className="rb-pane" aria-labelledby="rb-timeline-title">
      <h2 id="rb-timeline-title" className="rb-hidden">
        {model ? title(model) : 'Forecast'}
      </h2>
      {model && <DayCards model={model} />}
      <Deviations forecast={forecast} model={model} />
      {model === null && <p className="rb-dim rb-padded">The response has no points with a readable time.</p>}
      {model && !isTable && <CursorLine model={model} />}
      {children}
      {model && !isTable && <Timeline model={model} />}
      <Suspense fallback={<div className="rb-fill" />}>{model && isTable && <TimelineTable model={model} />}</Suspense>
      <div className={`rb-fixed ${classes.notice}`} data-notice>
        {notice}
      </div>
      {model && <Foot forecast={forecast} model={model} />}
    </section>
  );
}

function title({ points, from }: TimelineModel): string {
  const hours = Math.ceil(((points.at(-1)?.at ?? from) - from) / hourMs);
  return hours < 1 ? 'Now' : plural(hours, ['Next hour', 'Next # hours']);
}

/** Counts and describes the deviations of the response as a whole, if there are any. */
function Deviations({ forecast, model }: Readonly<Props>) {
  const deviating = forecast.points.filter(({ problems }) => problems.length > 0);
  const messages = [
    ...forecast.problems.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`)),
    ...(model?.flags ?? []),
    ...(deviating.length > 0
      ? [
          plural(
            deviating.length,
            [
              '# of {points} deviates from the API spec (orange triangles)',
              '# of {points} deviate from the API spec (orange triangles)',
            ],
            { points: plural(forecast.points.length, ['# point', '# points']) },
          ),
        ]
      : []),
  ];
  const { moveCursor, showTab, openPane } = useAppStore().getState().forecast;
  const next = useApp((state) => deviating.find(({ index }) => index > shownCursor(state.forecast)));
  const target = next ?? deviating[0];
  const show = (index: number) => {
    moveCursor(index);
    showTab('json');
    openPane(true);
  };
  if (messages.length === 0) return null;
  return (
    <div className={`rb-notice rb-fixed rb-small ${classes.deviations}`} data-tone="warn">
      <IconAlertTriangle size={16} aria-hidden />
      <ul className="rb-fill rb-truncate" title={messages.join(' · ')}>
        {messages.map((word) => (
          <li key={word}>{word}</li>
        ))}
      </ul>
      {target && (
        <UnstyledButton className="rb-fixed rb-strong rb-more" onClick={() => show(target.index)}>
          {next ? 'Show next' : 'Show first'}
        </UnstyledButton>
      )}
    </div>
  );
}

/** Every value at the cursor. What has no room is in the pane; the slider says the same to screen readers. */
function CursorLine({ model }: { readonly model: TimelineModel }) {
  const cursor = useApp((state) => shownCursor(state.forecast));
  const units = useUnits();
  const { times } = model;
  const here = model.points[placeOf(model.points, cursor)];
  if (!here) return null;
  const { at, point } = here;
  const values = pointValues(point, units);
  const problems = point.problems.length;
  const cells: readonly [text: string | undefined, leastEm: number, kind?: string][] = [
    [`${times.weekdayClock(at)} ${times.zoneName(at)}`, 9.5, 'time'],
    [values.temperature, 4.5, 'temperature'],
    [values.status, 7],
    [values.precipitation, 4, 'sum'],
    [values.wind, 4, 'wind_speed'],
    [values.windFrom, 5.4],
    [values.humidity, 2.8],
    [values.pressure, 5.4],
    [values.dewPoint && `dew point ${values.dewPoint}`, 0],
  ];
  return (
    <p className={`rb-row rb-fixed ${classes.cursorLine}`} aria-hidden="true">
      {cells.map(([text, leastEm, kind], index) => (
        <span
          key={index}
          className={kind && 'rb-strong'}
          style={{ '--rb-least': `${leastEm}em` } as CSSProperties}
          data-kind={kind}
        >
          {text}
        </span>
      ))}
      {problems > 0 && (
        <span className="rb-tone" data-tone="warn">
          {plural(problems, ['# deviation', '# deviations'])}
        </span>
      )}
      <span className="rb-end rb-note">← → move · Enter inspects</span>
    </p>
  );
}

/** Whose times they are, the change of the clocks, and whose data. */
function Foot({ forecast, model: { clockChanges, from, times } }: { forecast: Forecast; model: TimelineModel }) {
  const zone = useApp(shownZone);
  const place = useShownPlace();
  const [change] = clockChanges;
  const [name, offset] = [times.zoneName(from), times.utcOffset(from)];
  const whose = zone === 'place' ? `Times in ${place.name}` : zone === 'mine' ? 'Your times' : 'Times';
  return (
    <div className={`rb-row rb-wrap rb-apart rb-fixed rb-note ${classes.foot}`}>
      <span>{`${whose}: ${name === offset ? name : `${name}, ${offset}`}`}</span>
      {change && (
        <span className="rb-medium rb-tone" data-tone="warn">
          {`Clock change ${times.day(change.at)}, ${wallClock(times, change)} ${change.before} → ${times.clock(change.at)} ${change.after}`}
        </span>
      )}
      <Attribution forecasts={[forecast]} />
    </div>
  );
}

/** What the clocks would show at the change if it did not happen. */
function wallClock({ minuteOfDay, hourCycle }: ZonedTimes, { at, shiftMs }: ClockChange): string {
  const minute = (minuteOfDay(at) - shiftMs / 60_000 + 24 * 60) % (24 * 60);
  return zonedTimes('UTC', hourCycle).clock(minute * 60_000);
}

const walking = [chartKeys['chart.point'], chartKeys['chart.run'], chartKeys['chart.day'], chartKeys['chart.ends']];

/** The cursor by keys, from load and wherever the focus is, unless a field or a control uses the key itself (listen-for-keys.ts). */
function useCursorKeys(model: TimelineModel | null): void {
  const store = useAppStore();
  const press = useEffectEvent((name: string) => {
    const { forecast } = store.getState();
    if (name === 'Enter') return forecast.inspect(shownCursor(forecast));
    if (!model) return;
    const isShift = name.startsWith('Shift+');
    const position = placeOf(model.points, shownCursor(forecast));
    const target = keyTarget(model, position, isShift ? name.slice('Shift+'.length) : name, isShift);
    const chosen = target === undefined ? undefined : model.points[target];
    if (chosen) forecast.moveCursor(chosen.point.index);
  });
  useEffect(() => {
    const keys = [
      ...walking.flatMap((command) => [...command.keys]),
      'ArrowUp',
      'ArrowDown',
      ...chartKeys['chart.inspect'].keys,
    ];
    const offer = new Map<string, OfferedCommand>(
      keys.map((key) => [`chart:${key}`, { keys: [key], run: () => press(key) }]),
    );
    return store.getState().commands.offer(offer);
  }, [store]);
}
