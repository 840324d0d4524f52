// When the service's delivery log is read for stored callbacks, and what of it is stored. The store is real; the log and the clock
// are the test's.
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { AppDelivery, MonitorDelivery } from '#contract/app-rpc/monitors.ts';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { createDeliveryRecords } from '#core/callbacks/delivery-records.ts';
import { createCallbackPages } from '#core/receiver/records/callback-pages.ts';
import { createCallbackWriter } from '#core/receiver/records/callback-writer.ts';
import { createManualClock } from '../manual-clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { monitorBody } from './callback-harness.ts';

const startMs = Date.parse('2026-11-21T12:00:00Z');

const attemptOf = (eventId: string): AppDelivery => ({
  id: `of ${eventId}`,
  eventId,
  attempt: 1,
  kind: 'first',
  startedAt: new Date(startMs).toISOString(),
  latencyMs: 40,
  httpStatus: 200,
  error: null,
  answer: '',
});

const stateOf = (monitorId: string): MonitorDelivery => ({
  monitorId,
  lastEventAt: null,
  nextAllowedAt: null,
  delivered: 0,
  failed: 0,
  failedInARow: 0,
  isOn: true,
  offSince: null,
  offReason: null,
  createdAt: null,
  recentEvents: '',
  lastAttempt: null,
});

function start({ hasLog = true, monitors = ['precipitation_1', 'precipitation_2'] } = {}) {
  const clock = createManualClock(startMs);
  const database = openAppDatabase({ file: join(temporaryFolder(), 'app.sqlite'), clock });
  const { db } = database;
  const pages = createCallbackPages(db);
  const writer = createCallbackWriter(db);
  const logs = new Map<string, AppDelivery[] | Error>();
  const service = { isReachable: true, statesRead: 0, logsRead: [] as string[] };
  const records = createDeliveryRecords({
    db,
    pages,
    clock,
    deliveries: {
      async states() {
        service.statesRead += 1;
        if (!hasLog) return { isAvailable: false };
        const rest = { aheadMs: 0, plan: null, hasRadarMinutes: false, hasBacktest: false };
        return { isAvailable: true, states: monitors.map(stateOf), ...rest };
      },
      async of(monitorId, options) {
        service.logsRead.push(`${monitorId}${options?.isBackground === true ? ' in the background' : ''}`);
        const log = logs.get(monitorId) ?? [];
        if (log instanceof Error) throw log;
        return log;
      },
    },
    canRead: () => service.isReachable,
    connectionId: () => 'sandbox',
    onStored: () => {},
  });
  onTestFinished(() => {
    records.close();
    database.close();
  });
  return {
    clock,
    logs,
    records,
    service,
    /** Stores a callback of the event, and gives notice of it. */
    receive(eventId: string | undefined, monitorId = 'precipitation_1') {
      const event = eventId === undefined ? [] : ['webhook-id', eventId, 'webhook-timestamp', String(startMs / 1000)];
      writer.append([
        {
          receivedAt: clock.now(),
          method: 'POST',
          target: '/hooks/a',
          httpVersion: '1.1',
          remoteAddress: '127.0.0.1',
          rawHeaders: ['content-type', 'application/json', ...event],
          truncated: false,
          answeredStatus: 200,
          body: Buffer.from(JSON.stringify(monitorBody(monitorId))),
        },
      ]);
      records.arrived(pages.counts().newestId);
    },
    /** Lets time pass, and everything that does not wait for time. */
    async advance(ms: number) {
      clock.advance(ms);
      await setImmediate();
    },
    stored: () =>
      db
        .prepare('SELECT callback_id, attempt_id FROM callback_deliveries ORDER BY callback_id')
        .all()
        .map((row) => [row['callback_id'], row['attempt_id']]),
  };
}

test('the log of each monitor is read once, a second after the first callbacks arrived', async () => {
  const { logs, service, receive, advance, stored } = start();
  logs.set('precipitation_1', [attemptOf('evt_1'), attemptOf('evt_2')]);
  logs.set('precipitation_2', [attemptOf('evt_3')]);
  receive('evt_1');
  await advance(999);
  expect(service.logsRead).toEqual([]);
  receive('evt_2');
  receive('evt_3', 'precipitation_2');
  await advance(1);
  expect(service.logsRead.toSorted()).toEqual([
    'precipitation_1 in the background',
    'precipitation_2 in the background',
  ]);
  expect(service.statesRead).toBe(1);
  expect(stored()).toEqual([
    [1, 'of evt_1'],
    [2, 'of evt_2'],
    [3, 'of evt_3'],
  ]);
  await advance(60_000);
  expect(service.logsRead).toHaveLength(2);
});

test('a log that lacks the attempt is read again after 4 s and after 15 s more, and then no more', async () => {
  const { service, receive, advance, stored } = start();
  receive('evt_1');
  const readAt: number[] = [];
  for (let second = 1; second <= 60; second += 1) {
    const before = service.logsRead.length;
    await advance(1_000);
    if (service.logsRead.length > before) readAt.push(second);
  }
  expect(readAt).toEqual([1, 5, 20]);
  expect(stored()).toEqual([]);
});

test('an attempt that enters the log later is stored, and ends the reading', async () => {
  const { logs, service, receive, advance, stored } = start();
  receive('evt_1');
  await advance(1_000);
  logs.set('precipitation_1', [attemptOf('evt_1')]);
  await advance(3_999);
  expect(stored()).toEqual([]);
  await advance(1);
  expect(stored()).toEqual([[1, 'of evt_1']]);
  await advance(60_000);
  expect(service.logsRead).toHaveLength(2);
});

test('a log that cannot be read does not keep the next one from being read, and is not read again', async () => {
  const { logs, service, receive, advance, stored } = start();
  logs.set('precipitation_1', new Error('The service failed.'));
  logs.set('precipitation_2', [attemptOf('evt_2')]);
  receive('evt_1');
  receive('evt_2', 'precipitation_2');
  await advance(60_000);
  expect(service.logsRead.toSorted()).toEqual([
    'precipitation_1 in the background',
    'precipitation_2 in the background',
  ]);
  expect(stored()).toEqual([[2, 'of evt_2']]);
});

test('no log is read of a monitor that the service does not have, or for a callback without an event', async () => {
  const { service, receive, advance } = start({ monitors: ['precipitation_2'] });
  receive('evt_1');
  receive(undefined, 'precipitation_2');
  await advance(60_000);
  expect([service.statesRead, service.logsRead]).toEqual([1, []]);
});

test('a service without a delivery log is checked for one again after five minutes', async () => {
  const { service, receive, advance } = start({ hasLog: false });
  receive('evt_1');
  await advance(1_000);
  receive('evt_2');
  await advance(299_999);
  expect(service.statesRead).toBe(1);
  receive('evt_3');
  await advance(1_000);
  expect([service.statesRead, service.logsRead]).toEqual([2, []]);
});

test('nothing is requested while the service cannot be reached without the user', async () => {
  const { service, receive, advance } = start();
  service.isReachable = false;
  receive('evt_1');
  await advance(60_000);
  expect([service.statesRead, service.logsRead]).toEqual([0, []]);
});

test('a log that arrives after the end is not stored', async () => {
  const { logs, records, receive, clock, stored } = start();
  logs.set('precipitation_1', [attemptOf('evt_1')]);
  receive('evt_1');
  clock.advance(1_000);
  records.close();
  await setImmediate();
  expect(stored()).toEqual([]);
});
