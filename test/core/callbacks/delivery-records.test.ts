// When the service's delivery log is read for stored callbacks, and what of it is stored.
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { attemptOf, startDeliveryRecords as start } from './delivery-log.ts';

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

test('a callback of another monitor does not wait until a log is read again', async () => {
  const { logs, service, receive, advance, stored } = start();
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
