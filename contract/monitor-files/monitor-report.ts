// State of a monitor, from the service's delivery report: for the table, and for an export.
import { formatInstant } from '@rainbell/shared';
import type { MonitorDelivery } from '../app-rpc/monitors.ts';
import { pausedReason } from '../service-api/delivery.ts';

/** `unknown`: the service reports none. */
export type MonitorCondition = 'ready' | 'cool-down' | 'failing' | 'off' | 'paused' | 'unknown';

export const conditionLabels: Readonly<Record<MonitorCondition, string>> = {
  ready: 'Ready',
  'cool-down': 'In cool-down',
  failing: 'Failing',
  off: 'Off',
  paused: 'Paused',
  unknown: 'Unknown',
};

/** Additional fields of a monitor in an export. */
export type MonitorReport = {
  state: string;
  /** RFC 3339, UTC, by the service's clock; empty if there was none. */
  lastEventAt: string;
  /** Null if the service has no delivery log. */
  delivered: number | null;
  failed: number | null;
};

/** `now`: by the service's clock. */
export function reportOf(delivery: MonitorDelivery | undefined, now: number): MonitorReport {
  if (!delivery) return { state: conditionLabels.unknown, lastEventAt: '', delivered: null, failed: null };
  return {
    state: conditionLabels[reportedCondition(delivery, now)],
    lastEventAt: delivery.lastEventAt === null ? '' : formatInstant(Date.parse(delivery.lastEventAt)),
    delivered: delivery.delivered,
    failed: delivery.failed,
  };
}

/** Failures have priority: a failing monitor in its cool-down is failing. */
export function reportedCondition(delivery: MonitorDelivery, now: number): MonitorCondition {
  if (!delivery.isOn) return delivery.offReason === pausedReason ? 'paused' : 'off';
  if (delivery.lastAttempt !== null && delivery.lastAttempt.error !== null) return 'failing';
  return delivery.nextAllowedAt !== null && Date.parse(delivery.nextAllowedAt) > now ? 'cool-down' : 'ready';
}
