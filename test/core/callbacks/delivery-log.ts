// The records of deliveries on a real store. The service's log and the clock are the test's.
import { setImmediate } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { AppDelivery } from '#contract/app-rpc/monitors.ts';
import { createDeliveryRecords } from '#core/callbacks/delivery-records.ts';
import type { ReceivedCallback } from '#core/receiver/requests/received-callback.ts';
import { createManualClock } from '../manual-clock.ts';
import { deliveryOf } from '../monitors/monitor-delivery.ts';
import { openCallbackStore, receivedCallback } from './callback-store.ts';

export const startMs = Date.parse('2026-11-21T12:00:00Z');

export const attemptOf = (eventId: string, changes: Partial<AppDelivery> = {}): AppDelivery => ({
  id: `of ${eventId}`,
  eventId,
  attempt: 1,
  kind: 'first',
  startedAt: new Date(startMs).toISOString(),
  latencyMs: 40,
  httpStatus: 200,
  error: null,
  answer: '',
  ...changes,
});

export function startDeliveryRecords({ hasLog = true, monitors = ['precipitation_1', 'precipitation_2'] } = {}) {
  const clock = createManualClock(startMs);
  const { db, pages, writer } = openCallbackStore([]);
  const logs = new Map<string, AppDelivery[] | Error>();
  const service = {
    isReachable: true,
    statesRead: 0,
    logsRead: [] as string[],
    connectionId: 'sandbox',
    stored: 0,
    hasLog,
  };
  const records = createDeliveryRecords({
    db,
    pages,
    clock,
    deliveries: {
      async states() {
        service.statesRead += 1;
        if (!service.hasLog) return { isAvailable: false };
        const rest = { aheadMs: 0, plan: null, hasRadarMinutes: false, hasBacktest: false };
        return { isAvailable: true, states: monitors.map((id) => deliveryOf(id)), ...rest };
      },
      async of(monitorId, options) {
        service.logsRead.push(`${monitorId}${options?.isBackground === true ? ' in the background' : ''}`);
        const log = logs.get(monitorId) ?? [];
        if (log instanceof Error) throw log;
        return log;
      },
    },
    canRead: () => service.isReachable,
    connectionId: () => service.connectionId,
    onStored: () => void (service.stored += 1),
  });
  onTestFinished(records.close);
  return {
    clock,
    logs,
    records,
    service,
    /** Stores a callback of the event, and gives notice of it. */
    receive(eventId: string | undefined, monitorId = 'precipitation_1', changes: Partial<ReceivedCallback> = {}) {
      const event = eventId === undefined ? [] : ['webhook-id', eventId, 'webhook-timestamp', String(startMs / 1000)];
      const headers = ['content-type', 'application/json', ...event];
      const callback = receivedCallback({ id: monitorId, receivedAt: clock.now(), rawHeaders: headers });
      writer.append([{ ...callback, ...changes }]);
      records.arrived(pages.counts().newestId);
    },
    /** Lets time pass, and everything that does not wait for time. */
    async advance(ms: number) {
      clock.advance(ms);
      await setImmediate();
    },
    pages,
    timelineOf(id: number) {
      const callback = pages.get(id);
      if (!callback) throw new Error(`no callback ${id}`);
      return records.of(callback);
    },
    stored: () =>
      db
        .prepare('SELECT callback_id, attempt_id FROM callback_deliveries ORDER BY callback_id')
        .all()
        .map((row) => [row['callback_id'], row['attempt_id']]),
  };
}
