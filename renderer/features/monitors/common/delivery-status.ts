// The delivery status of a monitor: what our own service reports, else what this app's receiver saw. Times that the service reports
// are by the service's clock, which a sandbox can move; the receiver's are by this computer's.
import type { AppMonitor, DeliveryStates, MonitorDelivery } from '@rainbell/contract/app-rpc';
import { formatFailure, pausedReason, shortErrorText } from '@rainbell/contract/service-api';
import { formatDuration, formatRelativeTime } from '../../../ui/text/durations.ts';

/** Delivery log; null if the service has none or it is not loaded yet. */
export type DeliveryFacts =
  | (Omit<Extract<DeliveryStates, { isAvailable: true }>, 'isAvailable' | 'states'> & {
      byMonitor: ReadonlyMap<string, MonitorDelivery>;
    })
  | null;

/** `unknown`: the service reports none. */
export type MonitorCondition = 'ready' | 'cool-down' | 'failing' | 'off' | 'paused' | 'unknown';

export type DeliveryStatus = {
  /** Failures come first: a failing monitor in its cool-down is failing. */
  condition: MonitorCondition;
  /** A function, because of thousands of monitors only those in view are described. */
  format: () => string;
  /** The same without the condition, for below it, if delivery fails or is off. */
  formatDetail?: () => string;
  /** More of the same, for a tooltip; may be empty. */
  reason: string;
  /** By the same clock as `now`. */
  lastAt: number | null;
  /** Null: at once. */
  nextAllowedAt: number | null;
  now: number;
};

type ShownAs = { label: string; tone: 'plain' | 'accent' | 'bad' | 'warn' };

/** How each condition looks, wherever it is shown. */
export const conditionLooks: Readonly<Record<MonitorCondition, ShownAs>> = {
  ready: { label: 'Ready', tone: 'plain' },
  'cool-down': { label: 'In cool-down', tone: 'accent' },
  failing: { label: 'Failing', tone: 'bad' },
  off: { label: 'Off', tone: 'warn' },
  paused: { label: 'Paused', tone: 'plain' },
  unknown: { label: 'Unknown', tone: 'plain' },
};

/** docs/interface.md §8: the least time between two events of one monitor. */
const eventIntervalMs = 3_600_000;
/** An event without an attempt is on its way for no longer. */
const sendingMs = 60_000;

export function getDeliveryStatus(monitor: AppMonitor, facts: DeliveryFacts, machineNow: number): DeliveryStatus {
  const delivery = facts?.byMonitor.get(monitor.id);
  return facts && delivery
    ? statusFromLog(delivery, machineNow + facts.aheadMs)
    : statusFromCallbacks(monitor, machineNow);
}

function statusFromLog(delivery: MonitorDelivery, now: number): DeliveryStatus {
  const next = timestampOf(delivery.next_event_allowed_at);
  const attempt = delivery.last_attempt;
  const lastAt = timestampOf(attempt?.started_at ?? delivery.last_event_at);
  const nextAllowedAt = next !== null && next > now ? next : null;
  const common = { reason: '', lastAt, nextAllowedAt, now };
  if (delivery.off_reason === pausedReason) return { ...common, condition: 'paused', format: () => 'Paused' };
  if (!delivery.is_on) {
    return {
      ...common,
      condition: 'off',
      format: () => 'Off · delivery stopped',
      formatDetail: () => 'delivery stopped',
      reason: delivery.off_reason ?? '',
    };
  }
  if (attempt && attempt.error !== null) {
    const { error, http_status: httpStatus, attempt: number } = attempt;
    const formatDetail = () => `${httpStatus ?? shortErrorText(error)} · attempt ${number}`;
    return {
      ...common,
      condition: 'failing',
      format: () => `Failing · ${formatDetail()}`,
      formatDetail,
      reason: formatFailure(attempt),
    };
  }
  return {
    ...common,
    condition: nextAllowedAt === null ? 'ready' : 'cool-down',
    format() {
      if (lastAt === null) return 'Never';
      if (attempt) return `Delivered ${formatAgo(lastAt, now)}`;
      // Later there was none, because delivery was off, or the record has deleted it.
      return now - lastAt < sendingMs ? 'Sending' : `Event ${formatAgo(lastAt, now)}`;
    },
  };
}

function statusFromCallbacks({ lastCallback }: AppMonitor, now: number): DeliveryStatus {
  if (!lastCallback) {
    const reason = 'This app hasn’t received any callbacks from this monitor';
    return { condition: 'unknown', format: () => 'None received', reason, lastAt: null, nextAllowedAt: null, now };
  }
  const lastAt = Date.parse(lastCallback.receivedAt);
  const next = lastAt + eventIntervalMs;
  const isOver = next <= now;
  return {
    condition: isOver ? 'ready' : 'cool-down',
    format: () => `Received ${formatAgo(lastAt, now)}`,
    reason: '',
    lastAt,
    nextAllowedAt: isOver ? null : next,
    now,
  };
}

function timestampOf(text: string | null): number | null {
  return text === null ? null : Date.parse(text);
}

/** `12 min ago`, `just now`. */
export function formatAgo(at: number, now: number): string {
  const text = formatRelativeTime(at, now);
  return text === 'now' ? 'just now' : text;
}

/** A sandbox's clock can be moved. */
export function formatServiceClock(aheadMs: number): string {
  const distance = formatDuration(Math.abs(aheadMs));
  if (Math.abs(aheadMs) < 60_000) return 'Event times use the service’s clock.';
  return aheadMs > 0
    ? `Event times use the service’s clock, ${distance} ahead of this computer’s.`
    : `Event times use the service’s clock, ${distance} behind this computer’s.`;
}

/** `Now`, `in 12 s`, `in 48 min`. */
export function formatNextAllowed({ nextAllowedAt, now }: Pick<DeliveryStatus, 'nextAllowedAt' | 'now'>): string {
  return nextAllowedAt === null ? 'Now' : `in ${formatDuration(nextAllowedAt - now)}`;
}
