// What differs between two forecasts, in words: a sentence that sums it up, then one row per stretch of time.
import type { Forecast } from '#contract/app-rpc/forecast.ts';
import { ScrollRegion } from '#renderer/ui/controls/ScrollRegion.tsx';
import { weatherColor } from '#renderer/ui/theme.ts';
import type { UnitFormat } from '#renderer/ui/text/units.ts';
import { useUnits } from '#renderer/widgets/use-units.ts';
import type { ZonedTimes } from '#renderer/ui/text/zoned-times.ts';
import classes from './Compare.module.css';
import type { Comparison } from './compare-forecasts.ts';

type Props = { comparison: Comparison; first: Forecast; second: Forecast; times: ZonedTimes; zoneName: string };

export function Differences({ comparison, first, second, times, zoneName }: Readonly<Props>) {
  const units = useUnits();
  const { differences } = comparison;
  return (
    <>
      <p className={classes.sentence} role="status">
        {comparisonSentence(comparison, { first, second, times, units })}
      </p>
      {differences.length > 0 && (
        <ScrollRegion className={classes.tableFrame ?? ''} label="Differences as a table">
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">Time ({zoneName})</th>
                <th scope="col">A</th>
                <th scope="col">B</th>
              </tr>
            </thead>
            <tbody>
              {differences.map(({ from, until, first: before, second: after }) => (
                <tr key={from}>
                  <td>
                    {times.weekdayClock(from)}
                    {until > from && ` to ${times.weekdayClock(until)}`}
                  </td>
                  <StatusCell label={before} />
                  <StatusCell label={after} />
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </>
  );
}

function StatusCell({ label }: { readonly label: string }) {
  return (
    <td>
      <span className={classes.swatch} style={{ background: `var(--rb-weather-${weatherColor(label)})` }} aria-hidden />
      {label}
    </td>
  );
}

type Sides = { first: Forecast; second: Forecast; times: ZonedTimes; units: UnitFormat };

function comparisonSentence(comparison: Comparison, { first, second, times, units }: Sides): string {
  const { temperature, precipitation } = units;
  const { shared, differing, onlyFirst, onlySecond, warmest, wettest } = comparison;
  if (shared === 0)
    return `No instant is in both: ${formatSpan('A', first, times)}, ${formatSpan('B', second, times)}.`;
  const words = [
    differing === 0
      ? `The words are the same at all ${shared} shared instants.`
      : `${differing} of ${shared} shared instants differ.`,
  ];
  if (onlyFirst > 0) words.push(`${onlyFirst} only in A.`);
  if (onlySecond > 0) words.push(`${onlySecond} only in B.`);
  if (warmest && warmest.first !== warmest.second) {
    words.push(
      `Temperature differs most at ${times.weekdayClock(warmest.at)}: ${temperature.text(warmest.first)}, then ${temperature.text(warmest.second)}.`,
    );
  }
  if (wettest && wettest.first !== wettest.second) {
    words.push(
      `Precipitation differs most at ${times.weekdayClock(wettest.at)}: ${precipitation.text(wettest.first)}, then ${precipitation.text(wettest.second)}.`,
    );
  }
  return words.join(' ');
}

function formatSpan(name: string, { points }: Forecast, times: ZonedTimes): string {
  const instants = points.flatMap(({ at }) => (at === null ? [] : [Date.parse(at)]));
  if (instants.length === 0) return `${name} has no time that can be read`;
  const write = (at: number) => `${times.day(at)} ${times.clock(at)}`;
  return `${name} tells of ${write(Math.min(...instants))} to ${write(Math.max(...instants))}`;
}
