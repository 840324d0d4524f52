// The history of one hour: how its forecast changed over the kept fetches, per connection, and whether connections agree.
import { formatList, plural } from '@rainbell/shared';
import { useEffect, useMemo } from 'react';
import type { Forecast, ForecastPoint } from '@rainbell/contract/app-rpc';
import { useApp } from '../../../store/use-app.ts';
import { FactRows } from '../../../ui/controls/FactRows.tsx';
import type { ZonedTimes } from '../../../ui/text/zoned-times.ts';
import { useUnits } from '../../../widgets/use-units.ts';
import { hourHistory } from '../common/hour-history.ts';

type Props = { forecast: Forecast; point: ForecastPoint; times: ZonedTimes };

export function HourHistory({ forecast, point, times }: Readonly<Props>) {
  const { fetches, loadFetches } = useApp((state) => state.compare);
  const units = useUnits();
  // Each new fetch adds to the history.
  useEffect(() => void loadFetches(forecast.query), [loadFetches, forecast]);
  const at = point.at === null ? null : Date.parse(point.at);
  const history = useMemo(() => (at === null ? null : hourHistory(fetches, at, units)), [fetches, at, units]);
  if (!history || history.count < 2) return null;
  const { count, since, connections, isSame } = history;
  const time = `${times.dayClock(since)} ${times.zoneName(since)}`;
  const names = formatList(connections.map(({ name }) => name));
  return (
    <section aria-labelledby="rb-hour-history">
      <h3 id="rb-hour-history">{plural(count, ['# fetch since {time}', '# fetches since {time}'], { time })}</h3>
      {connections.map(({ id, name, facts }) => (
        <dl key={id} className="rb-terms">
          {connections.length > 1 && <div className="rb-strong">{name}</div>}
          <FactRows facts={facts} />
        </dl>
      ))}
      {connections.length > 1 && (
        <p className="rb-part">{isSame ? `${names} agree on this hour` : `${names} disagree on this hour`}</p>
      )}
    </section>
  );
}
