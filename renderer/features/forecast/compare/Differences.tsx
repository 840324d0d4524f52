// Describes what differs from the first forecast: a sentence for each other one, then a table with the current weather and one row
// per field and period.
import { formatList, plural } from '@rainbell/shared';
import type { Forecast } from '@rainbell/contract/app-rpc';
import { RowsTable } from '../../../ui/controls/RowsTable.tsx';
import type { ZonedTimes } from '../../../ui/text/zoned-times.ts';
import { type MeasureKey, measures } from '../common/measures.ts';
import type { ShownSide } from './compare-side.ts';
import type { Comparison, Difference, FieldKey, SideComparison } from './compare-forecasts.ts';

type Props = { shown: readonly ShownSide[]; comparison: Comparison; times: ZonedTimes };

/** All differences of two or three forecasts fit. */
const maxCells = 6000;

export function Verdict({ shown: [first, ...others], comparison, times }: Readonly<Props>) {
  return (
    <div role="status">
      <ul className="rb-column rb-tight">
        {others.map((other, index) => {
          const side = comparison.sides[index];
          return (
            first &&
            side && (
              <li key={other.index}>
                {comparisonSentence(side, { first, other, times, isOnly: others.length === 1 })}
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
}

export function Differences({ shown, comparison: { differences, now }, times }: Readonly<Props>) {
  const [first, ...others] = shown;
  if (!first || now.length + differences.length === 0) return null;
  const zone = times.zoneName(differences[0]?.from ?? Date.parse(first.forecast.fetchedAt));
  const names = { first: first.name, others: others.map(({ name }) => name) };
  return (
    <RowsTable
      label={`Differences from ${first.name}`}
      heads={[`Time (${zone})`, 'Field', ...shown.map(({ name }) => name)]}
      rows={[...now, ...differences]}
      max={Math.floor(maxCells / shown.length)}
    >
      {(difference, index) => (
        <Row
          key={index}
          difference={difference}
          time={index < now.length ? 'Now' : formatPeriod(difference, times)}
          names={names}
        />
      )}
    </RowsTable>
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
const nounOf = (field: FieldKey) => fieldNames[field].toLowerCase();

type RowProps = { difference: Difference; time: string; names: { first: string; others: readonly string[] } };

function Row({ difference: { field, first, others }, time, names }: Readonly<RowProps>) {
  return (
    <tr>
      <td>{time}</td>
      <td>{fieldNames[field]}</td>
      <td>{first}</td>
      {others.map((text, index) =>
        text === first ? (
          <td key={names.others[index]} className="rb-dim">{`same as ${names.first}`}</td>
        ) : (
          <td key={names.others[index]} className={text === null ? 'rb-dim' : undefined}>
            {text ?? 'no data'}
          </td>
        ),
      )}
    </tr>
  );
}

type Sides = { first: ShownSide; other: ShownSide; times: ZonedTimes; isOnly: boolean };

/** `12 of 72 hours differ: status in 3, temperature in 11.` */
function comparisonSentence(side: SideComparison, { first, other, times, isOnly }: Sides): string {
  const { shared, differing, onlyFirst, onlyOther, fields, now } = side;
  if (shared === 0)
    return `${first.name} and ${other.name} have no hours in common: ${formatSpan(first, times)}, ${formatSpan(other, times)}.`;
  const perField = fields.map(({ field, differing: count }) => `${nounOf(field)} in ${count}`);
  const common =
    differing === 0
      ? plural(shared, ['No differences in the one shared hour.', 'No differences in the # shared hours.'])
      : plural(differing, ['# of {hours} differs: {fields}.', '# of {hours} differ: {fields}.'], {
          hours: plural(shared, ['# hour', '# hours']),
          fields: perField.join(', '),
        });
  return [
    isOnly ? common : `${other.name}: ${common}`,
    ...(now.length > 0 ? [`The current weather differs in ${formatList(now.map(nounOf))}.`] : []),
    ...(onlyFirst > 0 ? [formatOnly(onlyFirst, first)] : []),
    ...(onlyOther > 0 ? [formatOnly(onlyOther, other)] : []),
  ].join(' ');
}

function formatOnly(count: number, { name }: ShownSide): string {
  return plural(count, ['# hour only in {name}.', '# hours only in {name}.'], { name });
}

function formatSpan({ name, forecast: { points } }: ShownSide, times: ZonedTimes): string {
  const instants = points.flatMap(({ at }: Forecast['points'][number]) => (at === null ? [] : [Date.parse(at)]));
  if (instants.length === 0) return `${name} has no points with a readable time`;
  const write = (at: number) => `${times.day(at)} ${times.clock(at)} ${times.zoneName(at)}`;
  return `${name} covers ${write(Math.min(...instants))} to ${write(Math.max(...instants))}`;
}
