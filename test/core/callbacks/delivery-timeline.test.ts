// What a user who opens a callback sees of the service's delivery log.
import { expect, test } from 'vitest';
import { AppFailure } from '#core/errors/app-failure.ts';
import { attemptOf, startDeliveryRecords, startMs } from './delivery-log.ts';

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

test('lists only the last 50 attempts', async () => {
  const { logs, receive, timelineOf } = startDeliveryRecords();
  const attempts = Array.from({ length: 52 }, (_, index) =>
    attemptOf('evt_1', { id: `attempt ${index}`, startedAt: secondsLater(index * 60) }),
  );
  logs.set('precipitation_1', attempts);
  receive('evt_1');
  const timeline = await timelineOf(1);
  const ids = timeline.isAvailable ? timeline.attempts.map(({ id }) => id) : [];
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([50, 'attempt 2', 'attempt 51']);
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
