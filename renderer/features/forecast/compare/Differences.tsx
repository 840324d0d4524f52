// Describes what differs between two forecasts: a sentence above their chart, and below it a table with the current weather and one
// row per field and period.
import { formatList, plural } from '@rainbell/shared';
import type { ReactNode } from 'react';
import type { Forecast } from '@rainbell/contract/app-rpc';
import { ScrollRegion } from '../../../ui/controls/ScrollRegion.tsx';
import { useUnits } from '../../../widgets/use-units.ts';
import type { ZonedTimes } from '../../../ui/text/zoned-times.ts';
import classes from './Compare.module.css';
import { type MeasureKey, measures } from '../common/measures.ts';
import { sideNames } from './compare-side.ts';
import type { Comparison, Difference, FieldKey } from './compare-forecasts.ts';

type Props = { a: Forecast; b: Forecast; comparison: Comparison; times: ZonedTimes };

/** `children`: the chart. */
export function Differences({ children, ...compared }: Readonly<Props & { children: ReactNode }>) {
  const { differences, now } = compared.comparison;
  return (
    <>
      <p role="status">{comparisonSentence(compared)}</p>
      {children}
      {now.length + differences.length > 0 && <DifferenceTable {...compared} />}
    </>
  );
}

function DifferenceTable({ a, comparison: { differences, now }, times }: Readonly<Props>) {
  const { precipitation, temperature, wind } = useUnits();
  const zone = times.zoneName(differences[0]?.from ?? Date.parse(a.fetchedAt));
  return (
    <ScrollRegion className={`rb-frame ${classes.tableFrame}`} label="Differences as a table">
      <table className="rb-figures rb-whole">
        <caption className="rb-dim">
          {`In the displayed units: ${temperature.unit}, ${precipitation.unit}, ${wind.unit}`}
        </caption>
        <thead>
          <tr>
            <th scope="col">{`Time (${zone})`}</th>
            <th scope="col">Field</th>
            {sideNames.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {now.map((difference) => (
            <Row key={`now ${difference.field}`} difference={difference} time="Now" />
          ))}
          {differences.map((difference) => (
            <Row
              key={`${difference.from} ${difference.field}`}
              difference={difference}
              time={formatPeriod(difference, times)}
            />
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function formatPeriod({ from, until }: Difference, times: ZonedTimes): string {
  const start = times.weekdayClock(from);
  return until > from ? `${start} to ${times.weekdayClock(until)}` : start;
}

const fieldNames = {
  status: 'Status',
  ...(Object.fromEntries(measures.map(({ key, name }) => [key, name])) as Record<MeasureKey, string>),
} satisfies Record<FieldKey, string>;
/** In a sentence. */
const nounOf = (field: FieldKey) => fieldNames[field].toLowerCase();

function Row({ difference: { field, a, b }, time }: { readonly difference: Difference; readonly time: string }) {
  return (
    <tr>
      <td>{time}</td>
      <td>{fieldNames[field]}</td>
      <td>{a}</td>
      <td>{b}</td>
    </tr>
  );
}

/** `12 of 72 hours differ: status in 3, temperature in 11 (largest difference at Tue 05:00: 7.9 °C and 9.1 °C).` */
function comparisonSentence({ a, b, comparison, times }: Props): string {
  const { shared, differing, onlyA, onlyB, fields, now } = comparison;
  if (shared === 0) return `A and B have no hours in common: ${formatSpan('A', a, times)}, ${formatSpan('B', b, times)}.`;
  const perField = fields.map(({ field, differing: count, widest }) =>
    widest === null || count < 2
      ? `${nounOf(field)} in ${count}`
      : `${nounOf(field)} in ${count} (largest difference at ${times.weekdayClock(widest.at)}: ${widest.a} and ${widest.b})`,
  );
  const common =
    differing === 0
      ? plural(shared, ['No differences in the one shared hour.', 'No differences in the # shared hours.'])
      : plural(differing, ['# of {hours} differs: {fields}.', '# of {hours} differ: {fields}.'], {
          hours: plural(shared, ['# hour', '# hours']),
          fields: perField.join(', '),
        });
  const only = (count: number, name: string) =>
    count === 0 ? [] : [plural(count, ['# hour only in {name}.', '# hours only in {name}.'], { name })];
  return [
    common,
    ...(now.length > 0
      ? [`The current weather differs in ${formatList(now.map(({ field }) => nounOf(field)))}.`]
      : []),
    ...only(onlyA, 'A'),
    ...only(onlyB, 'B'),
  ].join(' ');
}

function formatSpan(name: string, { points }: Forecast, times: ZonedTimes): string {
  const instants = points.flatMap(({ at }) => (at === null ? [] : [Date.parse(at)]));
  if (instants.length === 0) return `${name} has no points with a readable time`;
  const write = (at: number) => `${times.day(at)} ${times.clock(at)} ${times.zoneName(at)}`;
  return `${name} covers ${write(Math.min(...instants))} to ${write(Math.max(...instants))}`;
}
