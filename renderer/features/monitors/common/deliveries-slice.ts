// What our own service reports of deliveries: the status of each monitor, the explanation of the selected one, and resend, test,
// pause, and resume.
// A delivery that the service turned off is reported once, on any screen.
import type { DeliveryStates, MonitorDelivery } from '@rainbell/contract/app-rpc';
import { type MonitorExplanation, pausedReason } from '@rainbell/contract/service-api';
import type { SliceTools } from '../../../store/slice.ts';
import { callOrToast, type NewToast } from '../../../store/toasts-slice.ts';
import type { DeliveryFacts } from './delivery-status.ts';
import { oneAtATime } from '../../../store/one-at-a-time.ts';
import { plural } from '@rainbell/shared';

export interface DeliveriesPart extends ReturnType<typeof createDeliveriesPart> {}

type Show = (toast: NewToast) => void;

const attemptTakesMs = 1000;
/** Less is the time that a request took. */
const minClockMoveMs = 1000;

/** `showOff`: shows the monitors whose delivery is off. */
export function createDeliveriesPart(tools: SliceTools<DeliveriesPart>, show: Show, showOff: () => void) {
  const { client, read, change } = tools;
  const act = async (done: string, failed: string, call: () => Promise<object>) => {
    if (await callOrToast(show, call, failed)) show({ tone: 'good', message: done });
    await read().loadFacts();
    // The attempt is in the log only once the callback has responded.
    setTimeout(() => void read().loadFacts(), attemptTakesMs);
  };
  return {
    /** Null if the service reports no deliveries. */
    facts: null as DeliveryFacts,
    /** Whether the service reported none; it is queried again with the list. */
    hasNoDeliveryLog: false,
    selectedId: null as string | null,
    /** Explanation for the selected monitor; null: not loaded, or the service does not explain. */
    explanation: null as MonitorExplanation | null,
    select(id: string | null): void {
      if (id === read().selectedId) return;
      change({ selectedId: id, explanation: null });
    },
    loadFacts: oneAtATime((): Promise<void> => readFacts(tools, show, showOff)),
    loadExplanation: (): Promise<void> => readExplanation(tools),
    resend: (id: string, eventId: string): Promise<void> =>
      act('Event resent', 'Couldn’t resend the event', () => client.monitors.resend({ id, eventId })),
    sendTest: (id: string): Promise<void> =>
      act(`Test event sent to the callback URL for ${id}`, 'Couldn’t send the test event', () =>
        client.monitors.sendTest({ id }),
      ),
    pause: (id: string): Promise<void> =>
      act(`Paused ${id}`, `Couldn’t pause ${id}`, () => client.monitors.setOn({ id, isOn: false })),
    resume: (id: string): Promise<void> =>
      act(`Resumed ${id}`, `Couldn’t resume ${id}`, () => client.monitors.setOn({ id, isOn: true })),
  };
}

async function readExplanation({ client, read, change }: SliceTools<DeliveriesPart>): Promise<void> {
  const { selectedId: id } = read();
  if (id === null) return;
  try {
    const { explanation } = await client.monitors.explain({ id });
    if (read().selectedId === id) change({ explanation });
  } catch {
    // The list, which asks the same service, says what is wrong.
  }
}

async function readFacts(
  { client, read, change }: SliceTools<DeliveriesPart>,
  show: Show,
  showOff: () => void,
): Promise<void> {
  const before = read().facts;
  let result: DeliveryStates;
  try {
    result = await client.monitors.deliveryStates();
  } catch {
    // The list, which calls the same service, reports the error; the earlier facts stay.
    return;
  }
  if (read().facts !== before) return;
  const facts = result.isAvailable ? factsOf(result, before) : null;
  if (facts !== before || facts === null) change({ facts, hasNoDeliveryLog: !result.isAvailable });
  const off = result.isAvailable ? newlyOff(result.states, before) : [];
  if (off.length === 0) return;
  const message = plural(off.length, ['Delivery for # monitor is off', 'Delivery for # monitors is off']);
  show({ tone: 'bad', message, action: { label: 'Show monitors', run: showOff } });
}

/** The former ones if nothing is new, as most of the time; then thousands of rows are not ordered and searched again. */
function factsOf(result: Extract<DeliveryStates, { isAvailable: true }>, before: DeliveryFacts): DeliveryFacts {
  const { isAvailable: _, states, aheadMs, ...others } = result;
  const textOf = (of: object, all: Iterable<MonitorDelivery>) => JSON.stringify([of, [...all]]);
  if (before) {
    const { byMonitor, aheadMs: aheadBefore, ...rest } = before;
    const isSameClock = Math.abs(aheadMs - aheadBefore) < minClockMoveMs;
    if (isSameClock && textOf(rest, byMonitor.values()) === textOf(others, states)) return before;
  }
  return { ...others, aheadMs, byMonitor: new Map(states.map((state) => [state.monitor_id, state])) };
}

/** Those that were on at the last look, and those that are off at the first one. */
function newlyOff(states: readonly MonitorDelivery[], before: DeliveryFacts): readonly MonitorDelivery[] {
  return states.filter(
    ({ is_on, off_reason, monitor_id: id }) =>
      !is_on && off_reason !== pausedReason && (before?.byMonitor.get(id)?.is_on ?? true),
  );
}
