// The record of the connection's events: find those of a time, see why one fired and how it ended, and resend what failed.
import { NativeSelect, TextInput } from '@mantine/core';
import { IconHistory, IconRefresh, IconSearch, IconSend, IconTableExport, IconX } from '@tabler/icons-react';
import { useEffect, useMemo, useState } from 'react';
import {
  type EventRecord,
  eventStateLabels,
  formatEventsCsv,
  formatFailure,
  shortErrorText,
} from '@rainbell/contract/service-api';
import { parseTimestamp, plural } from '@rainbell/shared';
import { useApp } from '../../store/use-app.ts';
import { EmptyState } from '../../ui/controls/EmptyState.tsx';
import styles from '../../ui/controls/SplitScreen.module.css';
import { TaskButton, TaskIcon } from '../../ui/controls/TaskButton.tsx';
import { saveFile } from '../../ui/hooks/save-file.ts';
import { boundFields } from '../../ui/hooks/bound-fields.ts';
import { useNow } from '../../ui/hooks/use-now.ts';
import { parseMinute } from '../../ui/text/typed-minute.ts';
import type { ZonedTimes } from '../../ui/text/zoned-times.ts';
import { DetailCard } from '../../widgets/DetailCard.tsx';
import { LogList } from '../../widgets/LogList.tsx';
import { RequestNotice } from '../../widgets/RequestNotice.tsx';
import { SplitPane } from '../../widgets/SplitPane.tsx';
import { useLogTimes } from '../../widgets/use-log-times.ts';
import { BulkResults } from '../monitors/bulk/BulkResults.tsx';
import { selectMonitors } from '../monitors/selectors.ts';
import { EventDetail } from './EventDetail.tsx';
import { EventGroups } from './EventGroups.tsx';
import { matching, maxRows, shownStates } from './events-slice.ts';
import { StateBadge, TextCell } from './event-cells.tsx';

export function EventsScreen() {
  const { rows, text, view, isRead, request, load, selectedId, select } = useApp((state) => state.events);
  const monitors = useApp(selectMonitors);
  useEffect(() => void load(), [load]);
  const shown = useMemo(() => matching(rows, text, monitors), [rows, text, monitors]);
  const selected = rows.find(({ id }) => id === selectedId);
  const hasNoRecord = request.state === 'failed' && request.failure.code === 'NOT_FOUND';
  return (
    <div className={`rb-pane ${styles.screen}`}>
      <h1 className="rb-hidden">Events</h1>
      <Filters shown={shown} />
      {hasNoRecord ? (
        <Empty
          title="No record of events"
          text="This service doesn’t keep one. Callbacks that this app received are on the Callbacks screen."
        />
      ) : (
        <RequestNotice
          request={request}
          failedTitle="Couldn’t load the events"
          loadingText="Loading events"
          hasData={isRead}
          onRetry={() => void load()}
        />
      )}
      <BulkResults />
      {isRead &&
        (rows.length === 0 ? (
          <Empty
            title="No events"
            text="A monitor’s event appears here when precipitation is detected near it, with its callback’s delivery."
          />
        ) : (
          <SplitPane
            name="events"
            sizeLabel="Event pane size"
            isOpen={selectedId !== null}
            onClose={() => select(null)}
            list={
              view === 'events' ? (
                <EventList events={shown} />
              ) : (
                <EventGroups key={view} by={view} events={shown} footer={<Count shown={shown.length} />} />
              )
            }
            detail={
              view !== 'events' ? null : (
                <DetailCard
                  label="Event details"
                  isChosen={selected !== undefined}
                  emptyText={
                    selectedId === null
                      ? 'Choose an event to see why it fired and how it ended.'
                      : 'This event isn’t among those that the filter has found so far.'
                  }
                >
                  {selected && <EventDetail key={selected.id} event={selected} />}
                </DetailCard>
              )
            }
          />
        ))}
    </div>
  );
}

const stateChoices = shownStates.map((value) => ({
  value,
  label: value === 'any' ? 'All states' : value === 'undelivered' ? 'Not delivered' : eventStateLabels[value],
}));

function Filters({ shown }: { readonly shown: readonly EventRecord[] }) {
  const { filter, text, view, setFilter, setText, showAs, load, loadAll, prepareResend } = useApp(
    (state) => state.events,
  );
  const { text: field } = boundFields(filter, (wanted) => void setFilter(wanted));
  const rows = useApp((state) => state.events.rows);
  const monitors = useApp(selectMonitors);
  const hosts = useMemo(() => hostsOf(rows, filter.host), [rows, filter.host]);
  const save = async () => {
    const all = await loadAll();
    if (!all) return;
    const day = new Date().toISOString().slice(0, 10);
    saveFile(`events-${day}.csv`, 'text/csv;charset=utf-8', formatEventsCsv(matching(all, text, monitors)));
  };
  return (
    <div className="rb-toolbar" data-over-list>
      <TextInput
        w={190}
        aria-label="Monitor"
        placeholder="Monitor name or ID"
        leftSection={<IconSearch aria-hidden />}
        maxLength={200}
        value={text}
        onChange={(event) => void setText(event.currentTarget.value)}
      />
      <NativeSelect
        aria-label="Time"
        {...field('range')}
        data={[
          { value: 'day', label: 'Last 24 hours' },
          { value: 'week', label: 'Last 7 days' },
          { value: 'month', label: 'Last 30 days' },
          { value: 'custom', label: 'From … to …' },
        ]}
      />
      {filter.range === 'custom' && (
        <>
          <Minute label="From" name="from" />
          <Minute label="To" name="to" />
        </>
      )}
      <NativeSelect aria-label="State" {...field('state')} data={stateChoices} />
      <NativeSelect aria-label="Host" w={160} {...field('host')} data={[{ value: '', label: 'All hosts' }, ...hosts]} />
      <NativeSelect
        aria-label="Group"
        value={view}
        onChange={({ currentTarget: { value } }) => showAs(value as typeof view)}
        data={[
          { value: 'events', label: 'Each event' },
          { value: 'hosts', label: 'By host' },
          { value: 'fronts', label: 'By front' },
        ]}
      />
      {filter.front !== '' && (
        <TaskButton variant="light" rightSection={<IconX />} task={() => setFilter({ front: '' })}>
          One front
        </TaskButton>
      )}
      <span className="rb-fill" />
      <TaskIcon aria-label="Refresh" title="Refresh" task={load}>
        <IconRefresh />
      </TaskIcon>
      <TaskButton leftSection={<IconTableExport />} disabled={shown.length === 0} task={save}>
        Export CSV
      </TaskButton>
      <TaskButton leftSection={<IconSend />} task={() => prepareResend()}>
        Resend failed…
      </TaskButton>
    </div>
  );
}

/** A time of a custom range, in the zone of the logs. */
function Minute({ label, name }: { readonly label: string; readonly name: 'from' | 'to' }) {
  const at = useApp((state) => state.events.filter[name]);
  const setFilter = useApp((state) => state.events.setFilter);
  const times = useLogTimes();
  const now = useNow(60_000);
  const [typed, setTyped] = useState(() => (at === null ? '' : minuteText(times, Date.parse(at))));
  const instant = parseMinute(typed, times.zone === 'UTC' ? 'Z' : '');
  const isWrong = typed.trim() !== '' && Number.isNaN(instant);
  const apply = () => {
    if (isWrong) return;
    const wanted = typed.trim() === '' ? null : `${new Date(instant).toISOString().slice(0, 16)}Z`;
    if (wanted !== at) void setFilter({ [name]: wanted });
  };
  return (
    <TextInput
      w={190}
      aria-label={`${label} (${times.zoneName(now)})`}
      title={`${label}, ${times.zoneName(now)}`}
      placeholder={`${label}: 2026-11-28 00:00`}
      value={typed}
      error={isWrong}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={apply}
      onKeyDown={({ key }) => key === 'Enter' && apply()}
    />
  );
}

function minuteText(times: ZonedTimes, at: number): string {
  const minute = times.minuteOfDay(at);
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${times.dayKey(at)} ${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`;
}

function hostsOf(events: readonly EventRecord[], chosen: string): readonly string[] {
  const hosts = new Set(events.map(({ host }) => host));
  if (chosen !== '') hosts.add(chosen);
  return [...hosts].toSorted();
}

function EventList({ events }: { readonly events: readonly EventRecord[] }) {
  const { rows, next, selectedId, select, loadOlder } = useApp((state) => state.events);
  const monitors = useApp(selectMonitors);
  const names = useMemo(() => new Map(monitors.map(({ id, name }) => [id, name])), [monitors]);
  const times = useLogTimes();
  const now = useNow(60_000);
  return (
    <LogList
      cardLabel="Events"
      label="Events, newest first"
      gridTemplateColumns="minmax(96px, 140px) minmax(70px, 1fr) 108px minmax(70px, 1fr) minmax(60px, 1fr)"
      head={
        <>
          <span>{`Detected (${times.zoneName(now)})`}</span>
          <span>Monitor</span>
          <span>State</span>
          <span>Response</span>
          <span>Host</span>
        </>
      }
      rows={events}
      idOf={({ id }) => id}
      selectedId={selectedId}
      readCount={rows.length}
      isWhole={next === null}
      onChoose={({ id }) => select(id)}
      onEnd={loadOlder}
      footer={<Count shown={events.length} />}
    >
      {(event) => (
        <>
          <TextCell text={times.dayClock(parseTimestamp(event.occurred_at) ?? 0)} />
          <TextCell text={names.get(event.monitor_id) || event.monitor_id} />
          <span>
            <StateBadge event={event} />
          </span>
          <TextCell text={responseOf(event)} />
          <TextCell text={event.host} />
        </>
      )}
    </LogList>
  );
}

function Count({ shown }: { readonly shown: number }) {
  const { rows, next } = useApp((state) => state.events);
  const count = plural(shown, ['# event', '# events']);
  if (rows.length >= maxRows) return `${count} of the newest ${maxRows.toLocaleString('en')}; choose a shorter time`;
  return next === null ? count : `${count} so far, older ones follow`;
}

/** Of the last attempt, in few words. */
function responseOf(event: EventRecord): string {
  const last = event.attempts.at(-1);
  if (!last) return '';
  return last.http_status === null && last.error !== null ? shortErrorText(last.error) : formatFailure(last);
}

function Empty({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <section className={`rb-card ${styles.none}`}>
      <EmptyState icon={<IconHistory size={32} />} title={title}>
        <p>{text}</p>
      </EmptyState>
    </section>
  );
}
