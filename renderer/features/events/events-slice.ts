// The service's record of events as the filter has it, newest first, read in pages; and those of it that are to be resent.
import type { AppMonitor, EventQuery } from '@rainbell/contract/app-rpc';
import {
  type EventRecord,
  type EventState,
  eventPageSizes,
  eventStates,
  undeliveredStates,
} from '@rainbell/contract/service-api';
import { dayMs } from '@rainbell/shared';
import type { AppState, OtherSlices } from '../../store/app-state.ts';
import { oneAtATime } from '../../store/one-at-a-time.ts';
import { idle } from '../../store/request.ts';
import type { SliceTools } from '../../store/slice.ts';
import { selectMonitors, selectServiceOffers } from '../monitors/selectors.ts';

export const eventRanges = ['day', 'week', 'month', 'custom'] as const;
export const shownStates = ['any', 'undelivered', ...eventStates] as const;
export const eventViews = ['events', 'hosts', 'fronts'] as const;

export type EventFilter = {
  range: (typeof eventRanges)[number];
  /** Of a custom range, such as `2026-11-28T00:00Z`; null: open. */
  from: string | null;
  to: string | null;
  state: (typeof shownStates)[number];
  /** Empty: all. */
  host: string;
  front: string;
  monitor: string;
};

export interface EventsSlice extends ReturnType<typeof createEventsSlice> {}

export const lastDay: EventFilter = {
  range: 'day',
  from: null,
  to: null,
  state: 'any',
  host: '',
  front: '',
  monitor: '',
};

/** The most that the screen holds. */
export const maxRows = 20_000;
/** Of the first page; older ones are larger. */
const pageSize = 100;

export function createEventsSlice(tools: SliceTools<EventsSlice>, { get }: OtherSlices) {
  const { client, read, change, runCancelable } = tools;
  /** `before`: the end of the last page; null: the first. */
  const readPage = (filter: EventFilter, before: string | null, limit: number, signal: AbortSignal) =>
    client.monitors.events({ ...queryOf(filter, get()), limit, ...(before === null ? {} : { before }) }, { signal });
  return {
    onConnectionChange: { does: 'reset', keeping: [] } as const,
    filter: lastDay,
    /** The ID of a monitor, which is part of the filter, or words of names, IDs, and hosts, which are searched in what was read. */
    text: '',
    view: 'events' as (typeof eventViews)[number],
    rows: [] as readonly EventRecord[],
    /** Where older ones follow; null: nowhere. */
    next: null as string | null,
    /** Whether `rows` are of the filter. */
    isRead: false,
    request: idle,
    selectedId: null as string | null,
    /** What the dialog offers to resend, as far as it was read; null: it is closed. */
    resending: null as readonly EventRecord[] | null,
    resendRequest: idle,
    select: (selectedId: string | null): void => change({ selectedId }),
    showAs: (view: (typeof eventViews)[number]): void => change({ view }),
    async setFilter(part: Partial<EventFilter>): Promise<void> {
      change({ filter: { ...read().filter, ...part }, rows: [], next: null, isRead: false });
      await read().load();
    },
    async setText(text: string): Promise<void> {
      change({ text });
      const monitor = monitorIn(text);
      if (monitor !== read().filter.monitor) await read().setFilter({ monitor });
    },
    load: oneAtATime(async (): Promise<void> => {
      const { filter } = read();
      const page = await runCancelable('request', (signal) => readPage(filter, null, pageSize, signal));
      if (page && read().filter === filter) change({ rows: page.objects, next: page.meta.next, isRead: true });
    }),
    loadOlder: oneAtATime(async (): Promise<void> => {
      const { filter, next } = read();
      if (next === null) return;
      const page = await runCancelable('request', (signal) => readPage(filter, next, eventPageSizes.max, signal));
      if (!page || read().filter !== filter || read().next !== next) return;
      const rows = [...read().rows, ...page.objects];
      change({ rows, next: rows.length < maxRows ? page.meta.next : null });
    }),
    /** For changes in the service's record. A list that was scrolled down stays as it is. */
    async refresh(): Promise<void> {
      if (read().rows.length <= pageSize) await read().load();
    },
    /** All events of the filter; undefined if they could not be read. */
    async loadAll(): Promise<readonly EventRecord[] | undefined> {
      while (read().next !== null && read().request.state !== 'failed') {
        await read().loadOlder();
      }
      return read().request.state === 'failed' ? undefined : read().rows;
    },
    async prepareResend(): Promise<void> {
      const { filter, text } = read();
      const state = undeliveredStates.some((one) => one === filter.state) ? filter.state : 'undelivered';
      change({ resending: [] });
      await runCancelable('resendRequest', async (signal) => {
        let before: string | null = null;
        do {
          const page = await readPage({ ...filter, state }, before, eventPageSizes.max, signal);
          const { resending } = read();
          if (!resending || signal.aborted) return;
          const found = matching(page.objects, text, selectMonitors(get())).filter(
            ({ type, state: is }) => type !== 'test' && is !== 'waiting',
          );
          change({ resending: [...resending, ...found].slice(0, maxRows) });
          before = resending.length + found.length < maxRows ? page.meta.next : null;
        } while (before !== null);
      });
    },
    endResend(): void {
      const { resendRequest } = read();
      change({ resending: null });
      if (resendRequest.state === 'loading') resendRequest.cancel?.();
    },
  };
}

/** The ID that a text is, with which the service finds events also of a deleted monitor; otherwise empty. */
function monitorIn(text: string): string {
  return /^[a-z]+_\d+$/.exec(text.trim())?.[0] ?? '';
}

/** By the service's clock. */
function queryOf({ range, from, to, state, host, front, monitor }: EventFilter, app: AppState): EventQuery {
  const now = Date.now() + (selectServiceOffers(app)?.aheadMs ?? 0);
  const start = {
    day: new Date(now - dayMs).toISOString(),
    week: new Date(now - 7 * dayMs).toISOString(),
    month: null,
    custom: from,
  }[range];
  // A front counts events that are tried again as failed, too.
  const undelivered = front === '' ? undeliveredStates : [...undeliveredStates, 'waiting' as const];
  const states: readonly EventState[] =
    state === 'undelivered' ? undelivered : eventStates.filter((one) => one === state);
  return {
    ...(start !== null && { from: start }),
    ...(range === 'custom' && to !== null && { to }),
    ...(states.length > 0 && { state: states.join(',') }),
    ...(host !== '' && { host }),
    ...(front !== '' && { front }),
    ...(monitor !== '' && { monitor }),
  };
}

/** Those of the events that have every word of the text. */
export function matching(
  events: readonly EventRecord[],
  text: string,
  monitors: readonly AppMonitor[],
): readonly EventRecord[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0 || monitorIn(text) !== '') return events;
  const names = new Map(monitors.map(({ id, name }) => [id, name]));
  return events.filter(({ monitor_id: id, host }) => {
    const searched = `${names.get(id) ?? ''} ${id} ${host}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  });
}
