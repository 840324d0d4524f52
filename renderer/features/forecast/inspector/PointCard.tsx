// One point with all its fields as sent and as read, each checked against the interface.
import { IconAlertTriangle, IconCheck, IconMinus } from '@tabler/icons-react';
import type { Forecast, ForecastPoint } from '@rainbell/contract/app-rpc';
import { formatRelativeTime } from '../../../ui/text/durations.ts';
import { ForeignText } from '../../../ui/text/ForeignText.tsx';
import { useNow } from '../../../ui/hooks/use-now.ts';
import { useUnits } from '../../../widgets/use-units.ts';
import type { ZonedTimes } from '../../../ui/text/zoned-times.ts';
import { HourHistory } from '../compare/HourHistory.tsx';
import { contractChecks, type FieldCheck } from './contract-check.ts';
import { pointLabel } from '../common/runs.ts';
import { serviceNow } from '../common/timeline-model.ts';
import { WeatherIcon } from '../common/WeatherIcon.tsx';

type Props = { forecast: Forecast; point: ForecastPoint; times: ZonedTimes };

export function PointCard({ forecast, point, times }: Readonly<Props>) {
  const now = serviceNow(forecast, useNow(30_000));
  const units = useUnits();
  const at = point.at === null ? null : Date.parse(point.at);
  return (
    <section className="rb-column" aria-labelledby="rb-point-title">
      <div className="rb-row rb-wrap">
        <WeatherIcon url={point.iconUrl} label={pointLabel(point)} size={40} />
        <h2 id="rb-point-title">
          {at === null ? 'Point without a readable time' : `${times.dayClock(at)} ${times.zoneName(at)}`}
        </h2>
        <span className="rb-note rb-end">
          {[
            `point ${point.index + 1} of ${forecast.points.length}`,
            ...(at === null ? [] : [formatRelativeTime(at, now)]),
          ].join(' · ')}
        </span>
      </div>
      <dl className="rb-terms">
        {contractChecks(point, units).map((check) => (
          <Field key={check.field} check={check} />
        ))}
      </dl>
      <HourHistory forecast={forecast} point={point} times={times} />
    </section>
  );
}

function Field({ check }: { readonly check: FieldCheck }) {
  const { field, value, state, message, promise, section } = check;
  return (
    <div className={state === 'absent' ? 'rb-dim' : ''}>
      <dt className="rb-mono rb-small">{field}</dt>
      <dd className="rb-row">
        <span className="rb-fill rb-break">
          <ForeignText text={value} limit={200} canShowMore />
          {message !== null && (
            <small className="rb-tone rb-lined" data-tone="warn">
              <ForeignText text={message} limit={300} />
            </small>
          )}
        </span>
        <CheckMark state={state} title={`${formatPromise(promise, section)}: ${stateLabels[state]}`} />
      </dd>
    </div>
  );
}

const stateLabels = {
  kept: 'matches the API spec',
  absent: 'absent (allowed)',
  missing: 'missing',
  broken: 'doesn’t match the API spec',
};

const markTones = { kept: 'good', absent: 'plain', missing: 'warn', broken: 'warn' };

function formatPromise(promise: FieldCheck['promise'], section: string | null): string {
  const label = { guaranteed: 'guaranteed', optional: 'optional', addition: 'extension (not in the API spec)' }[
    promise
  ];
  return section === null ? label : `${label}, ${section}`;
}

function CheckMark({ state, title }: { readonly state: FieldCheck['state']; readonly title: string }) {
  const Icon = state === 'kept' ? IconCheck : state === 'absent' ? IconMinus : IconAlertTriangle;
  return (
    <span className="rb-fixed rb-dotted" data-tone={markTones[state]} role="img" aria-label={title} title={title}>
      <Icon size={15} aria-hidden />
    </span>
  );
}
