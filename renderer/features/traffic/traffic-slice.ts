// The app's HTTP exchanges, newest first, as the filter lets them through. Pages are read as one scrolls; what is new is put
// on top while the screen is open.
import type { TrafficEntry, TrafficSummary } from '@rainbell/contract/app-rpc';
import { idle, type Outcome, outcomeOf } from '../../store/request.ts';
import type { SliceTools } from '../../store/slice.ts';
import { oneAtATime } from '../../store/one-at-a-time.ts';

export type TrafficFilter = {
  text: string;
  kind: TrafficSummary['kind'] | 'any';
  /** Null for all. */
  connectionId: string | null;
  failedOnly: boolean;
  /** Whether the app's own requests for states are listed, too. */
  includesBackground: boolean;
};

export const trafficTabs = ['answer', 'request', 'headers'] as const;
export type TrafficTab = (typeof trafficTabs)[number];

export interface TrafficSlice extends ReturnType<typeof createTrafficSlice> {}

const allTraffic: TrafficFilter = {
  text: '',
  kind: 'any',
  connectionId: null,
  failedOnly: false,
  includesBackground: false,
};

export function createTrafficSlice(tools: SliceTools<TrafficSlice>) {
  const { client, read, change, run, runCancelable } = tools;
  return {
    onConnectionChange: {
      does: 'keep',
      because: 'it logs the requests of all connections, each with its connection',
    } as const,
    rows: [] as readonly TrafficSummary[],
    /** How many are stored, whatever the filter; null until loaded from core. */
    total: null as number | null,
    /** Whether the list reaches the oldest one that fits. */
    isWhole: false,
    filter: allTraffic as TrafficFilter,
    request: idle,
    clearing: idle,
    selectedId: null as number | null,
    selected: null as TrafficEntry | null,
    selectedRequest: idle,
    replaying: idle,
    tab: 'answer' as TrafficTab,
    showTab: (tab: TrafficTab): void => change({ tab }),
    loadNew: oneAtATime((): Promise<void> => loadNew(tools)),
    loadOlder: oneAtATime((): Promise<void> => loadOlder(tools)),
    async setFilter(part: Partial<TrafficFilter>): Promise<void> {
      change({ filter: { ...read().filter, ...part }, rows: [], isWhole: false });
      await read().loadNew();
    },
    async select(id: number | null): Promise<void> {
      change({ selectedId: id, replaying: idle, selected: read().selected?.id === id ? read().selected : null });
      if (id === null) return;
      const isCurrent = () => read().selectedId === id;
      const selected = await runCancelable('selectedRequest', (signal) => client.traffic.get({ id }, { signal }), {
        isCurrent,
      });
      if (selected) change({ selected });
    },
    peek: (id: number): Promise<Outcome<TrafficEntry>> => outcomeOf(() => client.traffic.get({ id })),
    /** Sends it once more and chooses the new exchange. */
    async replay(id: number): Promise<boolean> {
      const sent = await run('replaying', () => client.traffic.replay({ id }));
      if (!sent) return false;
      await Promise.all([read().loadNew(), read().select(sent.newId)]);
      return true;
    },
    async clear(): Promise<boolean> {
      const cleared = await run('clearing', () => client.traffic.clear());
      if (!cleared) return false;
      change({ rows: [], isWhole: false, selectedId: null, selected: null });
      await read().loadNew();
      return true;
    },
  };
}

const pageSize = 100;

function query({ text, kind, connectionId, failedOnly, includesBackground }: TrafficFilter) {
  return {
    limit: pageSize,
    failedOnly,
    includesBackground,
    ...(text.trim() === '' ? {} : { text: text.trim() }),
    ...(kind === 'any' ? {} : { kind }),
    ...(connectionId === null ? {} : { connectionId }),
  };
}

async function loadNew({ client, read, change, runCancelable }: SliceTools<TrafficSlice>): Promise<void> {
  const { filter } = read();
  const page = await runCancelable('request', (signal) => client.traffic.list(query(filter), { signal }));
  // Another filter reloads on its own.
  if (!page || read().filter !== filter) return;
  const { rows, isWhole } = read();
  const known = rows[0]?.id;
  const oldest = page.items.at(-1)?.id ?? 0;
  const isJoined = known !== undefined && page.total > 0 && (oldest <= known || page.items.length < pageSize);
  if (isJoined) {
    const fresh = page.items.filter(({ id }) => id > known);
    change({ rows: [...fresh, ...rows], total: page.total, isWhole });
  } else change({ rows: page.items, total: page.total, isWhole: page.items.length < pageSize });
}

async function loadOlder({ client, read, change, runCancelable }: SliceTools<TrafficSlice>): Promise<void> {
  const { filter, rows, isWhole } = read();
  const beforeId = rows.at(-1)?.id;
  if (isWhole || beforeId === undefined) return;
  const page = await runCancelable('request', (signal) =>
    client.traffic.list({ ...query(filter), beforeId }, { signal }),
  );
  if (!page || read().filter !== filter || read().rows.at(-1)?.id !== beforeId) return;
  change({ rows: [...read().rows, ...page.items], isWhole: page.items.length < pageSize });
}
