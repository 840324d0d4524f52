// Counts and describes the deviations of the response as a whole.
import { forecastCommands, plural } from '@rainbell/shared';
import { UnstyledButton } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { Forecast } from '@rainbell/contract/app-rpc';
import { shownCursor } from '../common/forecast-slice.ts';
import type { TimelineModel } from '../common/timeline-model.ts';
import { useApp, useAppStore } from '../../../store/use-app.ts';
import { useCommands } from '../../../store/use-commands.ts';
import classes from './TimelineCard.module.css';

type Props = { forecast: Forecast; model: TimelineModel | null };

export function Deviations({ forecast, model }: Readonly<Props>) {
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
  const store = useAppStore();
  const last = deviating.at(-1)?.index ?? 0;
  const isNextAfter = useApp((state) => shownCursor(state.forecast) < last);
  const show = (direction: 'next' | 'previous') => {
    const { forecast: current } = store.getState();
    const cursor = shownCursor(current);
    const point =
      direction === 'next'
        ? (deviating.find(({ index }) => index > cursor) ?? deviating[0])
        : (deviating.findLast(({ index }) => index < cursor) ?? deviating.at(-1));
    if (!point) return;
    current.moveCursor(point.index);
    current.showTab('json');
    current.openPane(true);
  };
  const hasAny = deviating.length > 0;
  useCommands(forecastCommands, {
    'forecast.deviation': hasAny ? () => show('next') : undefined,
    'forecast.deviationBack': hasAny ? () => show('previous') : undefined,
  });
  return (
    <div className={`rb-notice rb-fixed rb-small ${classes.deviations}`} data-tone="warn">
      <IconAlertTriangle size={16} aria-hidden />
      <ul className="rb-fill rb-truncate" title={messages.join(' · ')}>
        {messages.map((word) => (
          <li key={word}>{word}</li>
        ))}
      </ul>
      {hasAny && (
        <UnstyledButton className="rb-fixed rb-strong rb-more" onClick={() => show('next')}>
          {isNextAfter ? 'Show next' : 'Show first'}
        </UnstyledButton>
      )}
    </div>
  );
}
