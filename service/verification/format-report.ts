// The output of `npm run verify`: a readable table, or JSON.
import { plural } from '#shared/text/plural.ts';
import { formatPolicy, type SweepPolicy } from '../watch/policy.ts';
import type { Archive } from './archive-reader.ts';
import type { Comparison, Difference, ScoreName } from './compare-policies.ts';
import { type Estimate, estimateMedian, scoreTable } from './contingency.ts';
import { leadsOf, type ReplayedPlace, tableOf } from './replay.ts';

export type PolicyResult = { policy: SweepPolicy; places: readonly ReplayedPlace[] };

type Report = {
  path: string;
  archive: Pick<Archive, 'lines' | 'skippedLines' | 'isPartial' | 'observations'>;
  results: readonly PolicyResult[];
  comparison: Comparison | undefined;
};

const scoreLabels: Readonly<Record<ScoreName, string>> = { pod: 'POD', far: 'FAR', csi: 'CSI', lead: 'Lead time' };
/** Whether more is better. */
const isMoreBetter: Readonly<Record<ScoreName, boolean>> = { pod: true, far: false, csi: true, lead: true };
const names = Object.keys(scoreLabels) as ScoreName[];

export function formatReport(report: Report, asJson: boolean): string {
  const { path, archive, comparison } = report;
  const results = report.results.map(summarize);
  const { lines, skippedLines, isPartial } = archive;
  if (asJson) {
    const counts = { path, lines, skippedLines, isPartial, observations: archive.observations.length };
    return `${JSON.stringify({ archive: counts, policies: results, comparison: comparison ?? null }, undefined, 2)}\n`;
  }
  const places = report.results[0]?.places ?? [];
  const days = new Set(places.flatMap(({ looks }) => [...looks.keys()])).size;
  const rows: [string, ...string[]][] = [
    ['', ...results.map(({ policy }) => policy)],
    ['Events', ...results.map(({ events }) => String(events))],
    ['  confirmed', ...results.map(({ table }) => String(table.hits))],
    ['  not confirmed', ...results.map(({ table }) => String(table.falseAlarms))],
    ['  no evidence', ...results.map(({ withoutEvidence }) => String(withoutEvidence))],
    ['Missed', ...results.map(({ table }) => String(table.misses))],
    ...names.map((name): [string, ...string[]] => [
      scoreLabels[name],
      ...results.map(({ scores }) => formatEstimate(name, scores[name])),
    ]),
  ];
  const text = [
    `Archive: ${path}`,
    [
      plural(places.length, ['# location', '# locations']),
      plural(days, ['# day', '# days']),
      plural(archive.observations.length, ['# observation', '# observations']),
      skippedLines === 0
        ? plural(lines, ['# line', '# lines'])
        : plural(lines, ['# line ({skipped} unreadable)', '# lines ({skipped} unreadable)'], { skipped: skippedLines }),
      ...(isPartial ? ['only partly read'] : []),
    ].join(', '),
    '',
    ...rows.map(([label, ...cells]) => [label.padEnd(16), ...cells.map((cell) => cell.padEnd(26))].join('').trimEnd()),
    '',
    'In parentheses: 95% intervals.',
    ...(comparison ? ['', ...formatComparison(comparison, results)] : []),
  ];
  return `${text.join('\n')}\n`;
}

function summarize({ policy, places }: PolicyResult) {
  const table = tableOf(places);
  const events = places.flatMap((place) => place.events);
  const scores: Record<ScoreName, Estimate | undefined> = {
    ...scoreTable(table),
    lead: estimateMedian(leadsOf(places)),
  };
  return {
    policy: formatPolicy(policy),
    events: events.length,
    withoutEvidence: events.filter(({ isConfirmed }) => isConfirmed === undefined).length,
    table,
    scores,
  };
}

function formatComparison({ days, differences }: Comparison, results: readonly { policy: string }[]): string[] {
  const [first, second] = results;
  return [
    plural(
      days,
      [
        'Difference, {second} minus {first}, on the same day:',
        'Difference, {second} minus {first}, on the same # days:',
      ],
      { first: first?.policy ?? '', second: second?.policy ?? '' },
    ),
    ...names.map((name) => `${scoreLabels[name].padEnd(16)}${formatDifference(name, differences[name])}`),
  ];
}

function formatDifference(name: ScoreName, difference: Difference | undefined): string {
  if (!difference) return 'not enough data';
  const { value, low, high } = difference;
  const isCertain = low > 0 || high < 0;
  const verdict = !isCertain ? 'no clear difference' : value > 0 === isMoreBetter[name] ? 'better' : 'worse';
  return `${signed(name, value)} (${signed(name, low)} to ${signed(name, high)})  ${verdict}`;
}

function formatEstimate(name: ScoreName, estimate: Estimate | undefined): string {
  if (!estimate) return 'not enough data';
  const { value, low, high } = estimate;
  return `${number(name, value)} (${number(name, low)} to ${number(name, high)})`;
}

function number(name: ScoreName, value: number): string {
  return name === 'lead' ? `${Math.round(value)} min` : value.toFixed(2);
}

function signed(name: ScoreName, value: number): string {
  return `${value >= 0 ? '+' : ''}${number(name, value)}`;
}
