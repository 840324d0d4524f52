// When the service's delivery log is read for stored callbacks in the background, how often, and what of it is stored.
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { attemptOf, startDeliveryRecords, startMs } from './delivery-log.ts';

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

test('an attempt that enters the log later is stored, and ends the reading', async () => {
  const { logs, service, receive, advance, stored } = startDeliveryRecords();
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

test('a callback of another monitor does not wait until a log is read again', async () => {
  const { logs, service, receive, advance, stored } = startDeliveryRecords();
  receive('evt_1');
  await advance(1_000);
  await advance(4_000);
  expect(service.logsRead).toHaveLength(2);
  logs.set('precipitation_2', [attemptOf('evt_2')]);
  receive('evt_2', 'precipitation_2');
  await advance(1_000);
  expect(stored()).toEqual([[2, 'of evt_2']]);
  await advance(13_999);
  expect(service.logsRead).toHaveLength(3);
  await advance(1);
  expect(service.logsRead).toHaveLength(4);
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

test('a log that arrives after the end is not stored', async () => {
  const { logs, records, receive, clock, stored } = startDeliveryRecords();
  logs.set('precipitation_1', [attemptOf('evt_1')]);
  receive('evt_1');
  clock.advance(1_000);
  records.close();
  await setImmediate();
  expect(stored()).toEqual([]);
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

test('reads the logs of the 200 monitors with the newest callbacks', async () => {
  const monitors = monitorIds(201);
  const { logs, service, receive, advance } = startDeliveryRecords({ monitors });
  for (const monitor of monitors) {
    logs.set(monitor, [attemptOf(monitor)]);
    receive(monitor, monitor);
  }
  for (let second = 0; second < 45; second += 1) await advance(1_000);
  expect(service.logsRead).toHaveLength(200);
  expect(service.logsRead).not.toContain('precipitation_1 in the background');
});

test('looks at the newest 500 callbacks', async () => {
  const { logs, service, receive, advance } = startDeliveryRecords();
  logs.set('precipitation_2', [attemptOf('evt_2')]);
  receive('evt_1', 'precipitation_1');
  for (let count = 0; count < 500; count += 1) receive('evt_2', 'precipitation_2');
  await advance(1_000);
  expect(service.logsRead).toEqual(['precipitation_2 in the background']);
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

test('stores no record for a callback from the feed of a monitor whose log is read', async () => {
  const { logs, receive, advance, stored } = startDeliveryRecords();
  logs.set('precipitation_1', [attemptOf('evt_1')]);
  receive('evt_1', 'precipitation_1', { feedEvent: { id: 'evt_1', occurredAt: startMs } });
  receive('evt_1');
  await advance(1_000);
  expect(stored()).toEqual([[2, 'of evt_1']]);
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

test('a log is not read again after the service can no longer be reached', async () => {
  const { service, receive, advance } = startDeliveryRecords();
  receive('evt_1');
  await advance(1_000);
  service.isReachable = false;
  await advance(4_000);
  service.isReachable = true;
  await advance(60_000);
  expect([service.statesRead, service.logsRead.length]).toEqual([1, 1]);
});

test('reads nothing after the end', async () => {
  const { records, service, receive, advance } = startDeliveryRecords();
  receive('evt_1');
  records.close();
  await advance(1_000);
  receive('evt_2');
  await advance(1_000);
  expect(service.statesRead).toBe(0);
});
