// The events of the filter by host or front, those with most failures first. A press shows a group's events.
import { type ReactNode, useMemo, useState } from 'react';
import { type EventRecord, groupEvents, undeliveredStates } from '@rainbell/contract/service-api';
import type { AppMonitor } from '@rainbell/contract/app-rpc';
import { parseTimestamp } from '@rainbell/shared';
import { useApp } from '../../store/use-app.ts';
import listStyles from '../../ui/controls/LogList.module.css';
import { useNow } from '../../ui/hooks/use-now.ts';
import { LogList } from '../../widgets/LogList.tsx';
import { useLogTimes } from '../../widgets/use-log-times.ts';
import { selectMonitors } from '../monitors/selectors.ts';
import type { EventFilter } from './events-slice.ts';
import { TextCell } from './event-cells.tsx';

const shownNames = 2;
const nouns = { hosts: 'Host', fronts: 'Front' } as const;

type Group = ReturnType<typeof groupOf>;

type Properties = { by: keyof typeof nouns; events: readonly EventRecord[]; footer: ReactNode };

export function EventGroups({ by, events, footer }: Readonly<Properties>) {
  const { rows, next, loadOlder, setFilter, showAs } = useApp((state) => state.events);
  const monitors = useApp(selectMonitors);
  const times = useLogTimes();
  const now = useNow(60_000);
  const groups = useMemo(
    () =>
      groupings[by](events, monitors).toSorted(
        (one, other) => other.undelivered - one.undelivered || other.events - one.events,
      ),
    [by, events, monitors],
  );
  const [chosen, setChosen] = useState<string | null>(null);
  const noun = nouns[by];
  return (
    <LogList
      cardLabel={`${noun}s`}
      label={`${noun}s, most undelivered events first`}
      gridTemplateColumns="minmax(140px, 1fr) minmax(118px, 150px) minmax(118px, 150px) 90px 90px 110px"
      head={
        <>
          <span>{noun}</span>
          <span>{`First event (${times.zoneName(now)})`}</span>
          <span>Last event</span>
          <span className={listStyles.number}>Monitors</span>
          <span className={listStyles.number}>Events</span>
          <span className={listStyles.number}>Not delivered</span>
        </>
      }
      rows={groups}
      idOf={({ id }) => id}
      selectedId={chosen}
      readCount={rows.length}
      isWhole={next === null}
      onChoose={({ id }) => setChosen(id)}
      onOpen={({ filter }) => {
        if (filter === null) return;
        void setFilter(filter);
        showAs('events');
      }}
      onEnd={loadOlder}
      footer={footer}
    >
      {(row) => (
        <>
          <TextCell text={row.name} />
          <span>{times.dayClock(row.firstAt)}</span>
          <span>{times.dayClock(row.lastAt)}</span>
          <span className={listStyles.number}>{row.monitors.toLocaleString('en')}</span>
          <span className={listStyles.number}>{row.events.toLocaleString('en')}</span>
          <span className={listStyles.number} data-bad={row.undelivered > 0 || undefined}>
            {row.undelivered.toLocaleString('en')}
          </span>
        </>
      )}
    </LogList>
  );
}

const groupings = { hosts: groupByHost, fronts: groupByFront };

function groupByHost(events: readonly EventRecord[]): readonly Group[] {
  return [...Map.groupBy(events, ({ host }) => host)].map(([host, own]) => groupOf(host, host, own, { host }));
}

/** As the service finds fronts, among the events that are shown. The location of a deleted monitor is unknown. */
function groupByFront(events: readonly EventRecord[], monitors: readonly AppMonitor[]): readonly Group[] {
  const byId = new Map(monitors.map((monitor) => [monitor.id, monitor]));
  const placed = events.flatMap((event) => {
    const geo = byId.get(event.monitor_id)?.geo;
    const at = parseTimestamp(event.occurred_at) ?? 0;
    return geo && event.type !== 'test' ? { ...event, at, geo, episode: event.episode_id ?? undefined } : [];
  });
  const fronts = groupEvents(placed).map((own) => {
    const front = own[0]?.id ?? '';
    const names = [...new Set(own.map(({ monitor_id: id }) => byId.get(id)?.name || id))];
    const others = (names.length - shownNames).toLocaleString('en');
    const name = names.slice(0, shownNames).join(', ');
    return groupOf(front, names.length > shownNames ? `${name} and ${others} more` : name, own, { front });
  });
  const grouped = new Set(placed.map(({ id }) => id));
  const others = events.filter(({ id }) => !grouped.has(id));
  return others.length === 0 ? fronts : [...fronts, groupOf('', 'Tests and deleted monitors', others, null)];
}

/** `filter`: null if the service can't find them together. */
function groupOf(id: string, name: string, events: readonly EventRecord[], filter: Partial<EventFilter> | null) {
  const times = events.map((event) => parseTimestamp(event.occurred_at) ?? 0);
  return {
    id,
    name,
    events: events.length,
    undelivered: events.filter(({ state }) => undeliveredStates.includes(state)).length,
    monitors: new Set(events.map(({ monitor_id: monitor }) => monitor)).size,
    firstAt: Math.min(...times),
    lastAt: Math.max(...times),
    filter,
  };
}
