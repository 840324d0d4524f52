// Resends the undelivered events of the filter: what would go where, before anything is sent. Core carries it out.
import { Button, Checkbox } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { BulkTask, MonitorDelivery } from '@rainbell/contract/app-rpc';
import { type EventRecord, pausedReason } from '@rainbell/contract/service-api';
import { parseTimestamp, plural } from '@rainbell/shared';
import { useApp, useAppStore } from '../../store/use-app.ts';
import { RowsTable } from '../../ui/controls/RowsTable.tsx';
import { Dialog } from '../../ui/dialogs/Dialog.tsx';
import { ForeignText } from '../../ui/text/ForeignText.tsx';
import { RequestNotice } from '../../widgets/RequestNotice.tsx';
import { useLogTimes } from '../../widgets/use-log-times.ts';
import { runTasks, selectMonitors, selectServiceOffers } from '../monitors/selectors.ts';

export function ResendDialog() {
  const { resending: found, resendRequest: request, prepareResend, endResend } = useApp((state) => state.events);
  const monitors = useApp(selectMonitors);
  const states = useApp((state) => selectServiceOffers(state)?.byMonitor);
  const store = useAppStore();
  const times = useLogTimes();
  const [turnsOn, setTurnsOn] = useState(true);
  const { events, hosts, off } = useMemo(() => planOf(found ?? [], monitors, states), [found, monitors, states]);
  if (!found) return null;
  const deleted = found.length - events.length;
  const count = plural(events.length, ['Resend # event', 'Resend # events']);
  const submit = () => {
    endResend();
    runTasks(store.getState(), count, tasksOf(events, turnsOn ? off : new Set(), times.dayClock));
  };
  return (
    <Dialog title="Resend undelivered events" size="lg" onClose={endResend}>
      <RequestNotice
        request={request}
        failedTitle="Couldn’t load the events"
        loadingText={plural(found.length, ['Loading events, # so far', 'Loading events, # so far'])}
        hasData={false}
        onRetry={() => void prepareResend()}
      />
      <p role="status">
        {plural(events.length, [
          '# event in this filter wasn’t delivered.',
          '# events in this filter weren’t delivered.',
        ])}
        {deleted > 0 && plural(deleted, [' # more is of a deleted monitor.', ' # more are of deleted monitors.'])}
      </p>
      {hosts.length > 0 && (
        <RowsTable label="Hosts" heads={['Host', 'Events', 'Monitors', 'Delivery off']} rows={hosts} max={100}>
          {(row) => (
            <tr key={row.host}>
              <td className="rb-mono">
                <ForeignText text={row.host} limit={260} />
              </td>
              <td>{row.events}</td>
              <td>{row.monitors}</td>
              <td>{row.off}</td>
            </tr>
          )}
        </RowsTable>
      )}
      {off.size > 0 && (
        <Checkbox
          checked={turnsOn}
          onChange={(event) => setTurnsOn(event.currentTarget.checked)}
          label={plural(off.size, ['Turn on delivery of # monitor first', 'Turn on delivery of # monitors first'])}
        />
      )}
      <p className="rb-note">
        Oldest first, one after another, at most five a second, each with its webhook-id. The Monitor in the body
        doesn’t say when it rained; the header rainbell-observed-at does.
      </p>
      <div className="rb-buttons">
        <Button variant="subtle" onClick={endResend}>
          Cancel
        </Button>
        <Button variant="filled" disabled={events.length === 0 || request.state !== 'done'} onClick={submit}>
          {count}
        </Button>
      </div>
    </Dialog>
  );
}

/** `off`: the monitors whose delivery the service turned off. */
function planOf(
  found: readonly EventRecord[],
  monitors: readonly { id: string }[],
  states: ReadonlyMap<string, MonitorDelivery> | undefined,
) {
  const known = new Set(monitors.map(({ id }) => id));
  const events = found.filter(({ monitor_id }) => known.has(monitor_id));
  const isOff = (id: string) => {
    const state = states?.get(id);
    // Who paused a monitor wants it off.
    return state?.is_on === false && state.off_reason !== pausedReason;
  };
  const hosts = [...Map.groupBy(events, ({ host }) => host)].map(([host, own]) => {
    const ids = new Set(own.map(({ monitor_id }) => monitor_id));
    return { host, events: own.length, monitors: ids.size, off: [...ids].filter(isOff).length };
  });
  return {
    events,
    hosts: hosts.toSorted((one, other) => other.events - one.events),
    off: new Set(events.map(({ monitor_id }) => monitor_id).filter(isOff)),
  };
}

function tasksOf(
  events: readonly EventRecord[],
  off: ReadonlySet<string>,
  formatTime: (at: number) => string,
): BulkTask[] {
  const left = new Set(off);
  return events.toReversed().map(({ id: eventId, monitor_id: id, occurred_at }) => ({
    kind: 'resend',
    id,
    label: `${id}, ${formatTime(parseTimestamp(occurred_at) ?? 0)}`,
    eventId,
    turnsOn: left.delete(id),
  }));
}
