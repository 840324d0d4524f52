// The delivery state of a monitor as core reads it from a service.
import type { MonitorDelivery } from '#contract/app-rpc/monitors.ts';

/** On, and without events unless `changes` has some. */
export const deliveryOf = (monitorId: string, changes: Partial<MonitorDelivery> = {}): MonitorDelivery => ({
  monitorId,
  lastEventAt: null,
  nextAllowedAt: null,
  failedInARow: 0,
  isOn: true,
  offSince: null,
  offReason: null,
  createdAt: null,
  lastAttempt: null,
  ...changes,
});
