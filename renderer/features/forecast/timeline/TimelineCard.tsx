// The timeline with its heading, the sentence that sums it up, the read-out of the cursor, and the same as a table.
import { Button, Kbd, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconTable, IconTimeline } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import type { Forecast } from '#contract/app-rpc/forecast.ts';
import { useApp } from '#renderer/store/use-app.ts';
import { useCommands } from '#renderer/store/use-commands.ts';
import { labelWithKey } from '#renderer/ui/text/key-text.ts';
import { forecastCommands } from '#shared/commands/forecast-commands.ts';
import { useNow } from '#renderer/ui/hooks/use-now.ts';
import { useUnits } from '#renderer/widgets/use-units.ts';
import { Changes } from './Changes.tsx';
import { PointReadout } from './PointReadout.tsx';
import { summarySentence } from '#renderer/features/forecast/common/summary.ts';
import { Timeline } from './Timeline.tsx';
import { serviceNow, type TimelineModel } from '#renderer/features/forecast/common/timeline-model.ts';
import classes from './TimelineCard.module.css';

const TimelineTable = lazy(async () => ({ default: (await import('./TimelineTable.tsx')).TimelineTable }));

type Props = { forecast: Forecast; model: TimelineModel | null };

export function TimelineCard({ forecast, model }: Readonly<Props>) {
  const isTable = useApp((state) => state.forecast.isTable);
  const toggleTable = useApp((state) => state.forecast.toggleTable);
  const now = serviceNow(forecast, useNow(60_000));
  const units = useUnits();
  useCommands(forecastCommands, { 'forecast.table': toggleTable });
  return (
    <section className={`rb-card ${classes.card}`} aria-labelledby="rb-timeline-title">
      <div className={classes.head}>
        <h2 id="rb-timeline-title">{model ? title(model) : 'Forecast'}</h2>
        {model && <p className={classes.summary}>{summarySentence(model, { times: model.times, units, now })}</p>}
        <span className={classes.hint} aria-hidden="true">
          <Kbd size="xs">←</Kbd> <Kbd size="xs">→</Kbd> point · <Kbd size="xs">Shift</Kbd> run ·{' '}
          <Kbd size="xs">PgDn</Kbd> day · <Kbd size="xs">Enter</Kbd> pin
        </span>
        <Button
          variant="default"
          size="xs"
          leftSection={isTable ? <IconTimeline size={15} /> : <IconTable size={15} />}
          onClick={toggleTable}
          aria-keyshortcuts="T"
          title={labelWithKey(
            isTable ? 'Show the timeline' : 'Show the same as a table',
            forecastCommands['forecast.table'],
          )}
        >
          {isTable ? 'Timeline' : 'Table'}
        </Button>
      </div>
      {model && <Changes forecast={forecast} times={model.times} />}
      <Deviations forecast={forecast} model={model} />
      {model === null && <p className={classes.empty}>The answer has no point that can be placed in time.</p>}
      {model && !isTable && <Timeline model={model} />}
      <Suspense fallback={null}>{model && isTable && <TimelineTable model={model} now={now} />}</Suspense>
      {model && !isTable && <PointReadout model={model} forecast={forecast} />}
    </section>
  );
}

function title({ points, from }: TimelineModel): string {
  const hours = Math.ceil(((points.at(-1)?.at ?? from) - from) / 3_600_000);
  return hours < 1 ? 'Now' : `Next ${hours === 1 ? 'hour' : `${hours} hours`}`;
}

/** What is odd about the answer as a whole, counted and in words. */
function Deviations({ forecast, model }: Readonly<Props>) {
  const moveCursor = useApp((state) => state.forecast.moveCursor);
  const deviating = forecast.points.filter(({ problems }) => problems.length > 0);
  const words = [
    ...forecast.problems.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`)),
    ...(model?.flags.map(({ message }) => message) ?? []),
    ...(deviating.length > 0
      ? [`${deviating.length} of ${forecast.points.length} points deviate from the interface (orange dots)`]
      : []),
  ];
  const cursor = useApp((state) => state.forecast.cursor);
  const next = deviating.find(({ index }) => index > cursor) ?? deviating[0];
  if (words.length === 0) return null;
  return (
    <div className={classes.deviations}>
      <IconAlertTriangle size={16} aria-hidden />
      <ul>
        {words.map((word) => (
          <li key={word}>{word}</li>
        ))}
      </ul>
      {next && (
        <UnstyledButton className={classes.showNext ?? ''} onClick={() => moveCursor(next.index)}>
          {next.index > cursor ? 'Show the next' : 'Show the first'}
        </UnstyledButton>
      )}
    </div>
  );
}
