// What our own service tells of deliveries: how each monitor stands, the log of the one that is looked at, and resend, test,
// turn on. A callback that went dead is said once, on whichever screen the person is.
import type { AppDelivery, DeliveryStates, MonitorDelivery } from '#contract/app-rpc/monitors.ts';
import type { MonitorExplanation } from '#contract/service-api/monitor-explanation.ts';
import { laterActions } from '#renderer/store/later-actions.ts';
import { oneAtATime } from '#renderer/store/one-at-a-time.ts';
import { idle, type Request } from '#renderer/store/request.ts';
import type { SliceTools } from '#renderer/store/slice.ts';
import type { NewToast } from '#renderer/store/toasts-slice.ts';
import { laterModule } from '#renderer/ui/hooks/load-later.ts';
import type { DeliveryFacts } from './delivery-status.ts';

export type DeliveriesPart = DeliveryActions & {
  /** Null where the service tells nothing of deliveries. */
  facts: DeliveryFacts;
  /** Whether the service was found to tell nothing; it is asked again with the list. */
  hasNoDeliveryLog: boolean;
  /** Null: no monitor is looked at. */
  selectedId: string | null;
  /** Of the selected monitor, the newest first. */
  deliveries: readonly AppDelivery[];
  deliveriesRequest: Request;
  /** Of the selected monitor; null: not loaded, or the service does not explain. */
  explanation: MonitorExplanation | null;
  /** Ids of what is being asked for: an event's, or a monitor's. */
  asking: ReadonlySet<string>;
  select(id: string | null): void;
  loadFacts(): Promise<void>;
};

export type DeliveryActions = {
  loadDeliveries(): Promise<void>;
  loadExplanation(): Promise<void>;
  resend(id: string, eventId: string): Promise<void>;
  sendTest(id: string): Promise<void>;
  turnOn(id: string): Promise<void>;
};

const loadActions = laterModule(() => import('./delivery-actions.ts'));

type Show = (toast: NewToast) => void;

export function createDeliveriesPart(tools: SliceTools<DeliveriesPart>, show: Show): DeliveriesPart {
  const { read, change } = tools;
  const loadFacts = oneAtATime(() => readFacts(tools, show));
  return {
    facts: null,
    hasNoDeliveryLog: false,
    selectedId: null,
    deliveries: [],
    deliveriesRequest: idle,
    explanation: null,
    asking: new Set<string>(),
    loadFacts,
    select(id) {
      if (id === read().selectedId) return;
      change({ selectedId: id, deliveries: [], deliveriesRequest: idle, explanation: null });
      void read().loadDeliveries();
    },
    ...laterActions(
      { loadDeliveries: true, loadExplanation: true, resend: true, sendTest: true, turnOn: true },
      loadActions,
      ({ createDeliveryActions }) => createDeliveryActions(tools, show),
    ),
  };
}

async function readFacts({ client, read, change }: SliceTools<DeliveriesPart>, show: Show): Promise<void> {
  const before = read().facts;
  let answer: DeliveryStates;
  try {
    answer = await client.monitors.deliveryStates();
  } catch {
    // The list, which asks the same service, says what is wrong; what was told before stays.
    return;
  }
  if (read().facts !== before) return;
  const facts = answer.told
    ? {
        byMonitor: new Map(answer.states.map((state) => [state.monitorId, state])),
        aheadMs: answer.aheadMs,
        plan: answer.plan,
        hasRadarMinutes: answer.hasRadarMinutes,
      }
    : null;
  change({ facts, hasNoDeliveryLog: !answer.told });
  if (answer.told) for (const state of newlyDead(answer.states, before)) show(deadToast(state, read));
  const { selectedId } = read();
  if (selectedId !== null && hasMoved(selectedId, before, facts)) await read().loadDeliveries();
}

/** Those that were on when they were last looked at, and those that are dead at the first look. */
function newlyDead(states: readonly MonitorDelivery[], before: DeliveryFacts): readonly MonitorDelivery[] {
  return states.filter(({ isOn, monitorId }) => !isOn && (before?.byMonitor.get(monitorId)?.isOn ?? true));
}

function deadToast({ monitorId, offReason }: MonitorDelivery, read: () => DeliveriesPart): NewToast {
  return {
    tone: 'bad',
    message: `The callback of ${monitorId} seems dead and is not called any more${offReason === null ? '' : `: ${offReason}`}.`,
    action: { label: 'Turn on again', run: () => void read().turnOn(monitorId) },
  };
}

/** Whether there can be something new in the log; a test event moves nothing, so its sender asks by itself. */
function hasMoved(id: string, before: DeliveryFacts, after: DeliveryFacts): boolean {
  return JSON.stringify(before?.byMonitor.get(id)) !== JSON.stringify(after?.byMonitor.get(id));
}
