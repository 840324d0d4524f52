// The history of one hour: how its forecast changed over the kept fetches, per connection, and whether connections agree.
import { formatList, plural } from '@rainbell/shared';
import { useEffect, useMemo } from 'react';
import type { Forecast, ForecastPoint } from '@rainbell/contract/app-rpc';
import { useApp } from '../../../store/use-app.ts';
import { FactRows } from '../../../ui/controls/FactRows.tsx';
import type { ZonedTimes } from '../../../ui/text/zoned-times.ts';
import { useUnits } from '../../../widgets/use-units.ts';
import { formatChanges, type HourEntry, hourHistory } from '../common/hour-history.ts';

type Props = { forecast: Forecast; point: ForecastPoint; times: ZonedTimes };

export function HourHistory({ forecast, point, times }: Readonly<Props>) {
  const { fetches, loadFetches } = useApp((state) => state.compare);
  const units = useUnits();
  // Each new fetch adds to the history.
  useEffect(() => void loadFetches(forecast.query), [loadFetches, forecast]);
  const at = point.at === null ? null : Date.parse(point.at);
  const history = useMemo(() => (at === null ? null : hourHistory(fetches, at, units)), [fetches, at, units]);
  if (!history || history.entries.length < 2) return null;
  const connections = [...new Map(history.entries.map((entry) => [entry.connectionId, entry.connectionName]))];
  const first = history.entries[0]?.fetchedAt ?? 0;
  const time = `${times.dayClock(first)} ${times.zoneName(first)}`;
  const names = formatList((history.agreement?.newest ?? []).map(({ connectionName }) => connectionName));
  return (
    <section aria-labelledby="rb-hour-history">
      <h3 id="rb-hour-history">
        {plural(history.entries.length, ['# fetch since {time}', '# fetches since {time}'], { time })}
      </h3>
      {connections.map(([id, name]) => (
        <Changes
          key={id}
          name={connections.length > 1 ? name : null}
          entries={history.entries.filter((entry) => entry.connectionId === id)}
        />
      ))}
      {history.agreement && (
        <p className="rb-part">
          {history.agreement.isSame ? `${names} agree on this hour` : `${names} disagree on this hour`}
        </p>
      )}
    </section>
  );
}

function Changes({ name, entries }: { readonly name: string | null; readonly entries: readonly HourEntry[] }) {
  const { temperature } = useUnits();
  const rows = [
    ['Status', formatChanges(entries.map((entry) => entry.status)), ''],
    ['Temperature', formatChanges(entries.map((entry) => entry.temperature)), ` ${temperature.unit}`],
    ['Precipitation', formatChanges(entries.map((entry) => entry.precipitation)), ''],
  ] as const;
  return (
    <dl className="rb-terms">
      {name !== null && <div className="rb-strong">{name}</div>}
      <FactRows
        facts={rows.flatMap(([label, text, unit]) => (text === null ? [] : [[label, `${text}${unit}`] as const]))}
      />
    </dl>
  );
}
