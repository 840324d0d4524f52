// State of a monitor, from the service's delivery report: for the table, and for an export.
import { formatInstant } from '#contract/service-api/timestamp.ts';
import type { MonitorDelivery } from '#contract/app-rpc/monitors.ts';

/** `unknown`: the service reports none. */
export type MonitorCondition = 'ready' | 'cool-down' | 'failing' | 'off' | 'unknown';

export const conditionLabels: Readonly<Record<MonitorCondition, string>> = {
  ready: 'Ready',
  'cool-down': 'In cool-down',
  failing: 'Failing',
  off: 'Off',
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
export function reportOf(told: MonitorDelivery | undefined, now: number): MonitorReport {
  if (!told) return { state: conditionLabels.unknown, lastEventAt: '', delivered: null, failed: null };
  return {
    state: conditionLabels[reportedCondition(told, now)],
    lastEventAt: told.lastEventAt === null ? '' : formatInstant(Date.parse(told.lastEventAt)),
    delivered: told.delivered,
    failed: told.failed,
  };
}

/** Failures have priority: a failing monitor in its cool-down is failing. */
export function reportedCondition(told: MonitorDelivery, now: number): MonitorCondition {
  if (!told.isOn) return 'off';
  if (told.lastAttempt !== null && told.lastAttempt.error !== null) return 'failing';
  return told.nextAllowedAt !== null && Date.parse(told.nextAllowedAt) > now ? 'cool-down' : 'ready';
}
