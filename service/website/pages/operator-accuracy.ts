// How often events were right (docs/verification.md), for operators: by what created them and by country.
import { html } from '@remix-run/html-template';
import { scoreTable } from '#service/verification/contingency.ts';
import type { OutcomeLog, SourceOutcomes } from '#service/verification/outcome-log.ts';
import { countText } from '#service/website/layout/dates.ts';
import { operatorHead, type OperatorRoutes, table } from './operator-frame.ts';

export type AccuracyDependencies = { outcomeLog: Pick<OutcomeLog, 'bySource'> };

const about = 'Events from the last 30 days, compared with later observations, by source and country.';

export function registerOperatorAccuracy(routes: OperatorRoutes, { outcomeLog }: AccuracyDependencies): void {
  routes.page({
    path: '/operator/accuracy',
    title: 'Accuracy',
    view: async () =>
      html`${operatorHead('accuracy/', 'Accuracy', about)}
      ${table({
        label: 'Accuracy',
        columns: [
          { title: 'Source' },
          { title: 'Country' },
          { title: 'Confirmed', isNumber: true },
          { title: 'Not confirmed', isNumber: true },
          { title: 'No evidence', isNumber: true },
          { title: 'Missed', isNumber: true },
          { title: 'False alarms', isNumber: true },
        ],
        rows: await outcomeLog.bySource(),
        cells: (row: SourceOutcomes) => [
          row.source === '' ? 'No event' : row.source,
          row.region === '' ? 'Unknown' : row.region,
          countText(row.confirmed),
          countText(row.not_confirmed),
          countText(row.no_evidence),
          countText(row.missed),
          falseAlarmText(row),
        ],
        empty: { icon: 'chart', title: 'No events compared yet' },
      })}`,
  });
}

/** The false alarm ratio with its 95% interval. */
function falseAlarmText({ confirmed: hits, not_confirmed: falseAlarms }: SourceOutcomes): string {
  const { far } = scoreTable({ hits, falseAlarms, misses: 0 });
  const percent = (share: number) => Math.round(share * 100);
  return far ? `${percent(far.value)}% (${percent(far.low)} to ${percent(far.high)})` : '';
}
