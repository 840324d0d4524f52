// When the service's delivery log is read for stored callbacks, what of it is stored, and what a user who opens a callback sees of it. The
// store is real; the service's log and the clock are the test's.
import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AppDelivery } from '#contract/app-rpc/monitors.ts';
import { createDeliveryRecords } from '#core/callbacks/delivery-records.ts';
import { AppFailure } from '#core/errors/app-failure.ts';
import type { ReceivedCallback } from '#core/receiver/requests/received-callback.ts';
import { createManualClock } from '../manual-clock.ts';
import { deliveryOf } from '../monitors/monitor-delivery.ts';
import { openCallbackStore, receivedCallback } from './callback-store.ts';

const startMs = Date.parse('2026-11-21T12:00:00Z');

const attemptOf = (eventId: string, changes: Partial<AppDelivery> = {}): AppDelivery => ({
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

function startDeliveryRecords({ hasLog = true, monitors = ['precipitation_1', 'precipitation_2'] } = {}) {
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

test('the log of each monitor is read once, a second after the first callbacks arrived', async () => {
  const { logs, service, receive, advance, stored } = startDeliveryRecords();
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

test('an attempt that enters the log later is stored, which no other monitor waits for, and ends the reading', async () => {
  const { logs, service, receive, advance, stored } = startDeliveryRecords();
  receive('evt_1');
  await advance(1_000);
  logs.set('precipitation_1', [attemptOf('evt_1')]);
  logs.set('precipitation_2', [attemptOf('evt_2')]);
  receive('evt_2', 'precipitation_2');
  await advance(1_000);
  expect(stored()).toEqual([[2, 'of evt_2']]);
  await advance(2_999);
  expect(stored()).toHaveLength(1);
  await advance(1);
  expect(stored()).toEqual([
    [1, 'of evt_1'],
    [2, 'of evt_2'],
  ]);
  await advance(60_000);
  expect(service.logsRead).toHaveLength(3);
});

test('a log that cannot be read does not keep the next one from being read, and is not read again', async () => {
  const { logs, service, receive, advance, stored } = startDeliveryRecords();
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
  const { service, receive, advance } = startDeliveryRecords({ monitors: ['precipitation_2'] });
  receive('evt_1');
  receive(undefined, 'precipitation_2');
  await advance(60_000);
  expect([service.statesRead, service.logsRead]).toEqual([1, []]);
});

test('nothing is requested while the service cannot be reached without the user', async () => {
  const { service, receive, advance } = startDeliveryRecords();
  service.isReachable = false;
  receive('evt_1');
  await advance(60_000);
  expect([service.statesRead, service.logsRead]).toEqual([0, []]);
});

test('a log that arrives after the end is not stored, and none is read', async () => {
  const { logs, records, receive, clock, stored } = startDeliveryRecords();
  logs.set('precipitation_1', [attemptOf('evt_1')]);
  receive('evt_1');
  clock.advance(1_000);
  records.close();
  await setImmediate();
  expect(stored()).toEqual([]);
  const ended = startDeliveryRecords();
  ended.receive('evt_1');
  ended.records.close();
  await ended.advance(1_000);
  expect(ended.service.statesRead).toBe(0);
});

const monitorIds = (count: number) => Array.from({ length: count }, (_, index) => `precipitation_${index + 1}`);

test('reads five logs at a time, a second apart, and each of them again when it is due', async () => {
  const monitors = monitorIds(6);
  const { service, receive, advance } = startDeliveryRecords({ monitors });
  for (const monitor of monitors) receive('evt_1', monitor);
  const reads: [number, number][] = [];
  for (let second = 1; second <= 60; second += 1) {
    const before = service.logsRead.length;
    await advance(1_000);
    if (service.logsRead.length > before) reads.push([second, service.logsRead.length - before]);
  }
  // Each 1 s or 2 s after the arrival, then 4 s, then 15 s after the last.
  expect(reads).toEqual([
    [1, 5],
    [2, 1],
    [5, 5],
    [6, 1],
    [20, 5],
    [21, 1],
  ]);
});

test.each([
  ['imported', { isImported: true }],
  ['read from the feed', { feedEvent: { id: 'evt_1', occurredAt: startMs } }],
  ['without a monitor', { body: Buffer.from('{}') }],
])('reads no log for a callback that is %s', async (_, changes) => {
  const { service, receive, advance } = startDeliveryRecords();
  receive('evt_1', 'precipitation_1', changes);
  await advance(60_000);
  expect([service.statesRead, service.logsRead]).toEqual([0, []]);
});

// An attempt takes at most 15 s, and is in the log when it has ended.
test.each([
  ['is read again for a callback that is just under 20 s old', 18_999, 2],
  ['is not read again for a callback that is 20 s old', 19_000, 1],
])('a log without the attempt %s', async (_, ageMs, reads) => {
  const { clock, service, receive, advance } = startDeliveryRecords();
  receive('evt_1', 'precipitation_1', { receivedAt: clock.now() - ageMs });
  await advance(1_000);
  await advance(4_000);
  expect(service.logsRead).toHaveLength(reads);
});

test.each([
  ['are reused for less than 30 s', true, 29_999, 1],
  ['are read again after 30 s', true, 30_000, 2],
  ['of a service without a log are reused for less than 5 min', false, 299_999, 1],
  ['of a service without a log are read again after 5 min', false, 300_000, 2],
])('the states of the monitors %s', async (_, hasLog, ageMs, reads) => {
  const { logs, service, receive, advance } = startDeliveryRecords({ hasLog, monitors: ['precipitation_1'] });
  logs.set('precipitation_1', [attemptOf('evt_1'), attemptOf('evt_2')]);
  receive('evt_1');
  await advance(1_000);
  await advance(ageMs - 1_000);
  receive('evt_2');
  await advance(1_000);
  expect(service.statesRead).toBe(reads);
});

test('the states are read again at once for a monitor that they lack', async () => {
  const { logs, service, receive, advance } = startDeliveryRecords({ monitors: ['precipitation_1'] });
  logs.set('precipitation_1', [attemptOf('evt_1')]);
  for (const monitor of ['precipitation_1', 'precipitation_2', 'precipitation_2']) {
    receive('evt_1', monitor);
    await advance(1_000);
  }
  expect(service.statesRead).toBe(3);
});

/** What a user who opens a callback sees. */
describe('the timeline', () => {
  const secondsLater = (seconds: number) => new Date(startMs + seconds * 1000).toISOString();

  test('lists the attempts of the event, oldest first, with the callback that one of them sent', async () => {
    const { logs, service, receive, timelineOf, stored } = startDeliveryRecords();
    const failed = attemptOf('evt_1', { id: 'first', startedAt: secondsLater(-30), httpStatus: 500 });
    const retried = attemptOf('evt_1', { id: 'second', attempt: 2, kind: 'retry' });
    logs.set('precipitation_1', [retried, attemptOf('evt_2'), failed]);
    receive('evt_1');
    expect(await timelineOf(1)).toEqual({
      isAvailable: true,
      attempt: retried,
      arrivedAfterMs: 0,
      isCopy: false,
      attempts: [
        { ...failed, callbackId: null },
        { ...retried, callbackId: 1 },
      ],
    });
    expect(stored()).toEqual([[1, 'second']]);
    expect([service.logsRead, service.stored]).toEqual([['precipitation_1'], 1]);
    await timelineOf(1);
    expect(service.stored).toBe(1);
  });

  test('calls the second callback with a signature a copy of the first, and lists the attempt with the first', async () => {
    const { logs, receive, timelineOf } = startDeliveryRecords();
    const attempt = attemptOf('evt_1');
    logs.set('precipitation_1', [attempt]);
    receive('evt_1');
    receive('evt_1');
    const attempts = [{ ...attempt, callbackId: 1 }];
    expect(await timelineOf(2)).toMatchObject({ isCopy: true, arrivedAfterMs: null, attempts });
    expect(await timelineOf(1)).toMatchObject({ isCopy: false, arrivedAfterMs: 0, attempts });
    // The second time, both records come from the store.
    expect(await timelineOf(2)).toMatchObject({ isCopy: true, arrivedAfterMs: null, attempts });
  });

  test.each([
    ['one from the feed', 'evt_1', { feedEvent: { id: 'evt_1', occurredAt: startMs } }, 'feed'],
    ['one without an event ID', undefined, {}, 'no event ID'],
    ['one without a monitor', 'evt_1', { body: Buffer.from('{}') }, 'no monitor ID'],
  ])('requests nothing for %s', async (_, eventId, changes, reason) => {
    const { logs, service, receive, timelineOf } = startDeliveryRecords();
    logs.set('precipitation_1', [attemptOf('evt_1')]);
    receive(eventId, 'precipitation_1', changes);
    expect(await timelineOf(1)).toEqual({ isAvailable: false, reason: expect.stringContaining(reason) });
    expect([service.statesRead, service.logsRead]).toEqual([0, []]);
  });

  test('reports that the service has no log, unless the attempt was stored before', async () => {
    const { clock, logs, service, receive, timelineOf } = startDeliveryRecords();
    logs.set('precipitation_1', [attemptOf('evt_1')]);
    receive('evt_1');
    await timelineOf(1);
    service.hasLog = false;
    clock.advance(30_000);
    receive('evt_2');
    const attempt = attemptOf('evt_1');
    expect(await timelineOf(1)).toMatchObject({ attempt, attempts: [{ ...attempt, callbackId: 1 }] });
    expect(await timelineOf(2)).toEqual({ isAvailable: false, reason: expect.stringContaining('no delivery log') });
  });

  test('reports an event that the log lacks, even if the service no longer has the monitor', async () => {
    const { logs, receive, timelineOf } = startDeliveryRecords();
    receive('evt_1');
    const missing = { isAvailable: false, reason: expect.stringContaining('This event') };
    expect(await timelineOf(1)).toEqual(missing);
    logs.set('precipitation_1', new AppFailure('PROTOCOL', 'gone', { httpStatus: 404 }));
    expect(await timelineOf(1)).toEqual(missing);
  });

  test('fails if the log cannot be read, unless the attempt was stored before', async () => {
    const { logs, receive, timelineOf } = startDeliveryRecords();
    logs.set('precipitation_1', [attemptOf('evt_1')]);
    receive('evt_1');
    await timelineOf(1);
    receive('evt_2');
    logs.set('precipitation_1', new AppFailure('PROTOCOL', 'broken', { httpStatus: 500 }));
    const attempt = attemptOf('evt_1');
    expect(await timelineOf(1)).toMatchObject({ attempt, attempts: [{ ...attempt, callbackId: 1 }] });
    await expect(timelineOf(2)).rejects.toThrow('broken');
    logs.set('precipitation_1', new Error('no status'));
    await expect(timelineOf(2)).rejects.toThrow('no status');
  });

  test('stores nothing if the connection changes in the meantime, and each connection has its own records', async () => {
    const { logs, service, receive, timelineOf, stored } = startDeliveryRecords();
    logs.set('precipitation_1', [attemptOf('evt_1')]);
    receive('evt_1');
    const reading = timelineOf(1);
    service.connectionId = 'other';
    expect(await reading).toMatchObject({ isAvailable: true, attempt: { eventId: 'evt_1' } });
    expect(stored()).toEqual([]);
    service.connectionId = 'sandbox';
    await timelineOf(1);
    expect(stored()).toEqual([[1, 'of evt_1']]);
    service.connectionId = 'other';
    logs.set('precipitation_1', []);
    expect(await timelineOf(1)).toMatchObject({ isAvailable: false });
  });
});
