// One event: how it ended, why it fired, whether it was right, and each attempt with the request and the response.
import { Button } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import {
  type EventRecord,
  formatEventEnd,
  formatFailure,
  formatOutcome,
  summarizeEvent,
} from '@rainbell/contract/service-api';
import { parseTimestamp } from '@rainbell/shared';
import { useApp, useAppStore } from '../../store/use-app.ts';
import { FactRows, Term } from '../../ui/controls/FactRows.tsx';
import { TaskButton } from '../../ui/controls/TaskButton.tsx';
import { formatCoordinates } from '../../ui/text/durations.ts';
import { ForeignText } from '../../ui/text/ForeignText.tsx';
import { CodeView } from '../../viewers/CodeView.tsx';
import { HeaderTable } from '../../viewers/HeaderTable.tsx';
import { useLogTimes } from '../../widgets/use-log-times.ts';
import { openMonitor, resendEvent, selectMonitors } from '../monitors/selectors.ts';
import { StateBadge } from './event-cells.tsx';

export function EventDetail({ event }: { readonly event: EventRecord }) {
  const store = useAppStore();
  const monitor = useApp((state) => selectMonitors(state).find(({ id }) => id === event.monitor_id));
  const times = useLogTimes();
  const formatTime = (at: number) => `${times.dayClock(at)} ${times.zoneName(at)}`;
  return (
    <>
      <div className="rb-row">
        <h2 className="rb-fill rb-break">
          <ForeignText text={monitor?.name || event.monitor_id} />
        </h2>
        <StateBadge event={event} />
      </div>
      <p>
        <ForeignText text={`${formatEventEnd(summarizeEvent(event), formatTime)}.`} limit={600} />
      </p>
      <div className="rb-row rb-wrap">
        {monitor ? (
          <>
            <Button size="compact-xs" onClick={() => openMonitor(store.getState(), event.monitor_id)}>
              Open monitor
            </Button>
            {event.type !== 'test' && event.state !== 'waiting' && (
              <TaskButton
                size="compact-xs"
                leftSection={<IconSend />}
                task={() => resendEvent(store.getState(), event)}
              >
                Resend
              </TaskButton>
            )}
          </>
        ) : (
          <span className="rb-dim">The monitor was deleted.</span>
        )}
      </div>
      <Facts event={event} formatTime={formatTime} />
      <h3>Attempts</h3>
      <EventAttempts event={event} />
    </>
  );
}

const bases = {
  station: 'observed at a station',
  radar: 'observed by radar',
  forecast: 'forecast',
} as const;

type FactsProps = { event: EventRecord; formatTime: (at: number) => string };

function Facts({ event: { id, type, trigger, episode_id, outcome }, formatTime }: Readonly<FactsProps>) {
  const untriggered = type === 'test' ? 'A test event' : 'Its episode ended';
  return (
    <dl className="rb-terms">
      <Term name="Why">
        {(trigger ? describeTrigger(trigger, formatTime) : [untriggered]).map((line) => (
          <div key={line}>
            <ForeignText text={line} limit={120} />
          </div>
        ))}
      </Term>
      <Term name="Accuracy">{outcome ? <ForeignText text={formatOutcome(outcome)} /> : 'Not decided'}</Term>
      <FactRows facts={[['Event ID', id], ...(episode_id === null ? [] : [['Episode', episode_id] as const])]} />
    </dl>
  );
}

function describeTrigger(trigger: NonNullable<EventRecord['trigger']>, formatTime: FactsProps['formatTime']): string[] {
  const { basis, source, precipitation_rate: rate, distance_km: distance, coordinates, updated_at } = trigger;
  const isUnknown = trigger.precipitation_type === 'unknown';
  const kind = isUnknown ? 'precipitation of unknown kind' : trigger.precipitation_type.replace('_', ' ');
  const place = coordinates && formatCoordinates({ lat: coordinates[1], lng: coordinates[0] });
  return [
    basis === 'scenario' ? 'A scenario of the sandbox' : basis ? `${source}, ${bases[basis]}` : source,
    rate === null ? kind : `${rate.toFixed(1)} mm/h ${kind}`,
    distance === null ? '' : `${distance.toFixed(1)} km from the monitor`,
    place ?? '',
    formatTime(parseTimestamp(updated_at) ?? 0),
  ].filter(Boolean);
}

export function EventAttempts({ event: { attempts } }: { readonly event: EventRecord }) {
  const times = useLogTimes();
  if (attempts.length === 0) return <p className="rb-dim">No attempt was made.</p>;
  return attempts.map((attempt) => {
    const { started_at, kind, error, latency_ms, request, answer } = attempt;
    const at = parseTimestamp(started_at) ?? 0;
    return (
      <details key={`${attempt.attempt} ${started_at}`}>
        <summary>
          <span className="rb-tone" data-tone={error === null ? 'good' : 'bad'}>
            <ForeignText text={formatFailure(attempt)} />
          </span>{' '}
          <span className="rb-dim">
            {`${times.dayClock(at)}, ${latency_ms} ms, ${kind === 'first' || kind === 'retry' ? `attempt ${attempt.attempt}` : kind}`}
          </span>
        </summary>
        {request && (
          <div className="rb-column">
            <h3>Request</h3>
            <p className="rb-mono rb-small rb-break">
              POST <ForeignText text={request.url} canShowMore />
            </p>
            <HeaderTable headers={Object.entries(request.headers)} />
            <CodeView source={request.body} label={`Request body of attempt ${attempt.attempt}`} />
            <h3>Response</h3>
            {answer === '' ? (
              <p className="rb-dim">{attempt.http_status === null ? 'No response' : 'The response has no body.'}</p>
            ) : (
              <CodeView source={answer} label={`Response body of attempt ${attempt.attempt}`} />
            )}
          </div>
        )}
      </details>
    );
  });
}
