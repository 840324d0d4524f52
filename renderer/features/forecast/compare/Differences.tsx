// What differs between two forecasts, in words: a sentence that sums it up, the current weather, then one row per field and
// period.
import type { Forecast } from '#contract/app-rpc/forecast.ts';
import { ScrollRegion } from '#renderer/ui/controls/ScrollRegion.tsx';
import { useUnits } from '#renderer/widgets/use-units.ts';
import type { ZonedTimes } from '#renderer/ui/text/zoned-times.ts';
import classes from './Compare.module.css';
import type { Comparison, Difference } from './compare-forecasts.ts';

type Props = { comparison: Comparison; first: Forecast; second: Forecast; times: ZonedTimes };

export function Differences({ comparison, first, second, times }: Readonly<Props>) {
  const { precipitation, temperature, wind } = useUnits();
  const { differences, now } = comparison;
  const zone = times.zoneName(differences[0]?.from ?? Date.parse(first.fetchedAt));
  return (
    <>
      <p className={classes.sentence} role="status">
        {comparisonSentence(comparison, { first, second, times })}
      </p>
      {differences.length + now.length > 0 && (
        <ScrollRegion className={classes.tableFrame ?? ''} label="Differences as a table">
          <table className={classes.table}>
            <caption className={classes.caption}>
              {`Values are compared as shown: ${temperature.unit}, ${precipitation.unit}, ${wind.unit}`}
            </caption>
            <thead>
              <tr>
                <th scope="col">{`Time (${zone})`}</th>
                <th scope="col">Field</th>
                <th scope="col">A</th>
                <th scope="col">B</th>
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
                  time={`${times.weekdayClock(difference.from)}${difference.until > difference.from ? ` to ${times.weekdayClock(difference.until)}` : ''}`}
                />
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </>
  );
}

function Row({ difference, time }: { readonly difference: Difference; readonly time: string }) {
  return (
    <tr>
      <td>{time}</td>
      <td>{difference.field}</td>
      <td>{difference.first}</td>
      <td>{difference.second}</td>
    </tr>
  );
}

type Sides = { first: Forecast; second: Forecast; times: ZonedTimes };

/** `12 of 72 hours differ: status in 3, temperature in 11 (most at Tue 05:00: 7.9 °C and 9.1 °C).` */
function comparisonSentence(comparison: Comparison, { first, second, times }: Sides): string {
  const { shared, differing, onlyFirst, onlySecond, fields, now } = comparison;
  if (shared === 0)
    return `A and B have no hour in common: ${formatSpan('A', first, times)}, ${formatSpan('B', second, times)}.`;
  const perField = fields.map(({ field, differing: count, widest }) => {
    const most =
      widest === null || count < 2
        ? ''
        : ` (most at ${times.weekdayClock(widest.from)}: ${widest.first} and ${widest.second})`;
    return `${field.toLowerCase()} in ${count}${most}`;
  });
  return [
    differing === 0
      ? `All ${shared} hours are the same.`
      : `${differing} of ${shared} hours differ: ${perField.join(', ')}.`,
    ...(now.length > 0
      ? [`The current weather differs in ${now.map(({ field }) => field.toLowerCase()).join(', ')}.`]
      : []),
    ...(onlyFirst > 0 ? [`${formatHours(onlyFirst)} only in A.`] : []),
    ...(onlySecond > 0 ? [`${formatHours(onlySecond)} only in B.`] : []),
  ].join(' ');
}

function formatHours(count: number): string {
  return `${count} ${count === 1 ? 'hour' : 'hours'}`;
}

function formatSpan(name: string, { points }: Forecast, times: ZonedTimes): string {
  const instants = points.flatMap(({ at }) => (at === null ? [] : [Date.parse(at)]));
  if (instants.length === 0) return `${name} has no readable time`;
  const write = (at: number) => `${times.day(at)} ${times.clock(at)} ${times.zoneName(at)}`;
  return `${name} has ${write(Math.min(...instants))} to ${write(Math.max(...instants))}`;
}
