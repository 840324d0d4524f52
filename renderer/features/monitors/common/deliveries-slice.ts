// What our own service reports of deliveries: the status of each monitor, the log of the selected one, and resend, test, and turn on.
// A delivery that the service turned off is reported once, on any screen.
import type { AppBacktest, AppDelivery } from '#contract/app-rpc/monitors.ts';
import type { Verification } from '#contract/service-api/delivery.ts';
import type { LatLng } from '#contract/service-api/geo.ts';
import type { MonitorExplanation } from '#contract/service-api/monitor-explanation.ts';
import { laterActions } from '#renderer/store/later-actions.ts';
import { idle, type Request } from '#renderer/store/request.ts';
import type { SliceTools } from '#renderer/store/slice.ts';
import type { NewToast } from '#renderer/store/toasts-slice.ts';
import { laterModule } from '#renderer/ui/hooks/load-later.ts';
import type { DeliveryFacts } from './delivery-status.ts';

export type DeliveriesPart = DeliveryActions & {
  /** Null if the service reports no deliveries. */
  facts: DeliveryFacts;
  /** Whether the service reported none; it is queried again with the list. */
  hasNoDeliveryLog: boolean;
  /** Null: none is selected. */
  selectedId: string | null;
  /** Of the selected monitor, newest first. */
  deliveries: readonly AppDelivery[];
  deliveriesRequest: Request;
  /** Outcomes of a monitor's events; absent: not loaded yet. */
  verification?: { id: string; counts: Verification | null };
  /** Of the selected monitor; null: not loaded, or the service does not explain. */
  explanation: MonitorExplanation | null;
  /** Of the most recently requested location. */
  backtest: { place: LatLng; request: Request; result: AppBacktest | null } | null;
  /** IDs of pending requests: an event's, or a monitor's. */
  busy: ReadonlySet<string>;
  select(id: string | null): void;
};

export type DeliveryActions = {
  loadFacts(): Promise<void>;
  loadDeliveries(): Promise<void>;
  loadExplanation(): Promise<void>;
  loadBacktest(place: LatLng): Promise<void>;
  resend(id: string, eventId: string): Promise<void>;
  sendTest(id: string): Promise<void>;
  turnOn(id: string): Promise<void>;
};

const loadActions = laterModule(() => import('./delivery-actions.ts'));

type Show = (toast: NewToast) => void;

/** `showOff`: shows the monitors whose delivery is off. */
export function createDeliveriesPart(
  tools: SliceTools<DeliveriesPart>,
  show: Show,
  showOff: () => void,
): DeliveriesPart {
  const { read, change } = tools;
  return {
    facts: null,
    hasNoDeliveryLog: false,
    selectedId: null,
    deliveries: [],
    deliveriesRequest: idle,
    explanation: null,
    backtest: null,
    busy: new Set<string>(),
    select(id) {
      if (id === read().selectedId) return;
      change({ selectedId: id, deliveries: [], deliveriesRequest: idle, explanation: null });
      void read().loadDeliveries();
    },
    ...laterActions(
      {
        loadFacts: true,
        loadDeliveries: true,
        loadExplanation: true,
        loadBacktest: true,
        resend: true,
        sendTest: true,
        turnOn: true,
      },
      loadActions,
      ({ createDeliveryActions }) => createDeliveryActions(tools, show, showOff),
    ),
  };
}
