// Counts and describes the deviations of the response as a whole, if there are any.
import { plural } from '@rainbell/shared';
import { UnstyledButton } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { Forecast } from '@rainbell/contract/app-rpc';
import { shownCursor } from '../common/forecast-slice.ts';
import type { TimelineModel } from '../common/timeline-model.ts';
import { useApp, useAppStore } from '../../../store/use-app.ts';
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
