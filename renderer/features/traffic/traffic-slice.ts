// The app's HTTP exchanges, newest first, as the filter lets them through. Pages are read as one scrolls; what is new is put
// on top while the screen is open.
import type { TrafficEntry, TrafficSummary } from '#contract/app-rpc/traffic.ts';
import { laterActions } from '#renderer/store/later-actions.ts';
import { type Failure, idle, type Request } from '#renderer/store/request.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';
import { laterModule } from '#renderer/ui/hooks/load-later.ts';

export type TrafficFilter = {
  text: string;
  kind: TrafficSummary['kind'] | 'any';
  /** Null for all. */
  connectionId: string | null;
  failedOnly: boolean;
  /** Whether the app's own requests for states are listed, too. */
  includesBackground: boolean;
};

export const trafficTabs = ['answer', 'request', 'headers', 'curl'] as const;
export type TrafficTab = (typeof trafficTabs)[number];

export type TrafficSlice = TrafficActions & {
  rows: readonly TrafficSummary[];
  /** How many are stored, whatever the filter; null until loaded from core. */
  total: number | null;
  /** Whether the list reaches the oldest one that fits. */
  isWhole: boolean;
  filter: TrafficFilter;
  request: Request;
  clearing: Request;
  selectedId: number | null;
  selected: TrafficEntry | null;
  selectedRequest: Request;
  /** What is shown of the selected exchange. */
  tab: TrafficTab;
  showTab(tab: TrafficTab): void;
  replaying: Request;
};

export type TrafficActions = {
  loadNew(): Promise<void>;
  loadOlder(): Promise<void>;
  setFilter(part: Partial<TrafficFilter>): Promise<void>;
  select(id: number | null): Promise<void>;
  /** Reads one, and selects nothing. */
  peek(id: number): Promise<{ entry: TrafficEntry } | { failure: Failure }>;
  clear(): Promise<boolean>;
  /** Sends it once more and chooses the new exchange. */
  replay(id: number): Promise<boolean>;
};

export const allTraffic: TrafficFilter = {
  text: '',
  kind: 'any',
  connectionId: null,
  failedOnly: false,
  includesBackground: false,
};

const loadActions = laterModule(() => import('./traffic-actions.ts'));

export function createTrafficSlice(tools: SliceTools<TrafficSlice>): Slice<TrafficSlice> {
  return {
    onConnectionChange: { does: 'keep', because: 'it logs the requests of all connections, each with its connection' },
    rows: [],
    total: null,
    isWhole: false,
    filter: allTraffic,
    request: idle,
    clearing: idle,
    selectedId: null,
    selected: null,
    selectedRequest: idle,
    replaying: idle,
    tab: 'answer',
    showTab: (tab) => tools.change({ tab }),
    ...laterActions(
      { loadNew: true, loadOlder: true, setFilter: true, select: true, peek: true, clear: true, replay: true },
      loadActions,
      ({ createTrafficActions }) => createTrafficActions(tools),
    ),
  };
}
