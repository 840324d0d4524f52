// The delivery state of a monitor as core reads it from a service.
import type { MonitorDelivery } from '#contract/app-rpc/monitors.ts';

/** On, and without events unless `changes` has some. */
export const deliveryOf = (monitorId: string, changes: Partial<MonitorDelivery> = {}): MonitorDelivery => ({
  monitor_id: monitorId,
  last_event_at: null,
  next_event_allowed_at: null,
  failed_in_a_row: 0,
  is_on: true,
  off_since: null,
  off_reason: null,
  created_at: null,
  last_attempt: null,
  ...changes,
});
