// When the service's delivery log is read for stored callbacks, and what a user who opens a callback sees of it. The store is real; the
// service's log and the clock are the test's.
import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AppDelivery } from '#contract/app-rpc/monitors.ts';
import { createCallbackAttempts } from '#core/callbacks/callback-attempts.ts';
import { AppFailure } from '#core/errors/app-failure.ts';
import type { ReceivedCallback } from '#core/receiver/requests/received-callback.ts';
import { createManualClock } from '../manual-clock.ts';
import { openCallbackStore, receivedCallback } from './callback-store.ts';

const startMs = Date.parse('2026-11-21T12:00:00Z');
const secondsLater = (seconds: number) => new Date(startMs + seconds * 1000).toISOString();

const attemptOf = (eventId: string, changes: Partial<AppDelivery> = {}): AppDelivery => ({
  id: `of ${eventId}`,
  eventId,
  attempt: 1,
  kind: 'first',
  startedAt: secondsLater(0),
  latencyMs: 40,
  httpStatus: 200,
  error: null,
  answer: '',
  ...changes,
});

function start({ hasLog = true, monitors = ['precipitation_1', 'precipitation_2'] } = {}) {
  const clock = createManualClock(startMs);
  const { index, pages, writer } = openCallbackStore([]);
  const log: { attempts: AppDelivery[]; error?: Error } = { attempts: [] };
  const service = { isReachable: true, statesRead: 0, hasAnswered: false, logsRead: [] as string[] };
  const attempts = createCallbackAttempts({
    pages,
    index,
    clock,
    deliveries: {
      async states() {
        service.statesRead += 1;
        if (service.statesRead === 1 && log.error) throw log.error;
        service.hasAnswered = hasLog;
        return { isAvailable: false };
      },
      hasDeliveryLog: () => service.hasAnswered,
      async of(monitorId, options) {
        service.logsRead.push(`${monitorId}${options?.isBackground === true ? ' in the background' : ''}`);
        if (log.error) throw log.error;
        return log.attempts;
      },
    },
    knownMonitors: { urls: () => new Map(monitors.map((id) => [id, null])) },
    canRead: () => service.isReachable,
  });
  onTestFinished(attempts.close);
  return {
    attempts,
    clock,
    log,
    service,
    /** Stores a callback of the event, and gives notice of it. */
    receive(eventId: string | undefined, monitorId = 'precipitation_1', changes: Partial<ReceivedCallback> = {}) {
      const event = eventId === undefined ? [] : ['webhook-id', eventId, 'webhook-timestamp', String(startMs / 1000)];
      const rawHeaders = ['content-type', 'application/json', ...event];
      writer.append([{ ...receivedCallback({ id: monitorId, receivedAt: clock.now(), rawHeaders }), ...changes }]);
      const stored = pages.get(writer.counters.newestId);
      if (stored) attempts.judged(stored);
    },
    /** Lets time pass, and everything that does not wait for time. */
    async advance(seconds: number) {
      for (let passed = 0; passed < seconds; passed += 1) {
        clock.advance(1000);
        await setImmediate();
      }
    },
    shown(id: number) {
      const callback = pages.get(id);
      if (!callback) throw new Error(`no callback ${id}`);
      return attempts.of(callback);
    },
  };
}

describe('the log', () => {
  test('of each monitor is read a second after its callbacks arrived, and once more', async () => {
    const { service, receive, advance } = start();
    receive('evt_1');
    receive('evt_2');
    receive('evt_3', 'precipitation_2');
    expect(service.logsRead).toEqual([]);
    await advance(1);
    const both = ['precipitation_1 in the background', 'precipitation_2 in the background'];
    expect(service.logsRead).toEqual(both);
    await advance(19);
    expect(service.logsRead).toHaveLength(2);
    await advance(60);
    expect(service.logsRead).toEqual([...both, ...both]);
    expect(service.statesRead).toBe(1);
  });

  test('is read of a monitor that becomes known within the second, although forged callbacks came before', async () => {
    const monitors = ['precipitation_1'];
    const { service, receive, advance } = start({ monitors });
    for (let forged = 0; forged < 200; forged += 1) receive('evt_1', `precipitation_1${forged}`);
    receive('evt_1', 'precipitation_1');
    monitors.push('precipitation_10');
    await advance(1);
    expect(service.logsRead).toEqual(['precipitation_10 in the background', 'precipitation_1 in the background']);
  });

  test('is read of five monitors a second', async () => {
    const monitors = Array.from({ length: 6 }, (_, index) => `precipitation_${index + 1}`);
    const { service, receive, advance } = start({ monitors });
    for (const monitor of monitors) receive('evt_1', monitor);
    await advance(1);
    expect(service.logsRead).toHaveLength(5);
    await advance(1);
    expect(service.logsRead).toHaveLength(6);
  });

  test('is read after a service that failed, and although it no longer knows another monitor', async () => {
    const { log, service, receive, advance } = start();
    log.error = new AppFailure('PROTOCOL', 'gone', { httpStatus: 404 });
    receive('evt_1');
    await advance(1);
    receive('evt_2', 'precipitation_2');
    await advance(20);
    expect([service.statesRead, service.logsRead.length]).toEqual([2, 2]);
  });

  test.each([
    ['imported', 'evt_1', { isImported: true }],
    ['read from the feed', 'evt_1', { feedEvent: { id: 'evt_1', occurredAt: startMs } }],
    ['without a monitor', 'evt_1', { body: Buffer.from('{}') }],
    ['of an unknown monitor', 'evt_1', { body: Buffer.from('{"id":"precipitation_9"}') }],
    ['without an event', undefined, {}],
  ])('is not read for a callback that is %s', async (_, eventId, changes) => {
    const { service, receive, advance } = start();
    receive(eventId, 'precipitation_1', changes);
    await advance(60);
    expect([service.statesRead, service.logsRead]).toEqual([0, []]);
  });

  test('is not read while the service cannot be reached without the user, nor after the end', async () => {
    const { attempts, service, receive, advance } = start();
    service.isReachable = false;
    receive('evt_1');
    await advance(2);
    service.isReachable = true;
    receive('evt_2');
    attempts.close();
    await advance(60);
    expect([service.statesRead, service.logsRead]).toEqual([0, []]);
  });

  test('is read to the end, and not again, if the app ends meanwhile', async () => {
    const { attempts, clock, service, receive, advance } = start();
    receive('evt_1');
    clock.advance(1000);
    attempts.close();
    await advance(60);
    expect(service.logsRead).toHaveLength(1);
  });

  test('that a service does not have is requested again every five minutes', async () => {
    const { service, receive, advance } = start({ hasLog: false });
    for (const seconds of [299, 2]) {
      receive('evt_1');
      await advance(seconds);
      expect(service.statesRead).toBe(1);
    }
    receive('evt_1');
    await advance(1);
    expect([service.statesRead, service.logsRead]).toEqual([2, []]);
  });
});

/** What a user who opens a callback sees. */
describe('the timeline', () => {
  test('lists the attempts of the event, oldest first, with the callback that one of them sent', async () => {
    const { log, service, receive, shown } = start();
    const failed = attemptOf('evt_1', { id: 'first', startedAt: secondsLater(-30), httpStatus: 500 });
    const retried = attemptOf('evt_1', { id: 'second', attempt: 2, kind: 'retry', startedAt: secondsLater(1) });
    log.attempts = [retried, attemptOf('evt_2'), failed];
    receive('evt_1');
    expect(await shown(1)).toEqual({
      attempt: retried,
      isCopy: false,
      attempts: [
        { ...failed, callbackId: null },
        { ...retried, callbackId: 1 },
      ],
    });
    expect(service.logsRead).toEqual(['precipitation_1']);
  });

  test('calls the second callback with a signature, a replay, and an import copies of the first', async () => {
    const { log, receive, shown } = start();
    const attempt = attemptOf('evt_1');
    log.attempts = [attempt];
    receive('evt_1');
    receive('evt_1');
    receive('evt_1', 'precipitation_1', { isImported: true });
    receive('evt_1', 'precipitation_1', { rawHeaders: ['webhook-id', 'evt_1', 'x-rainbell-replay', '1'] });
    const attempts = [{ ...attempt, callbackId: 1 }];
    expect(await shown(1)).toEqual({ attempt, isCopy: false, attempts });
    for (const id of [2, 3, 4]) expect(await shown(id)).toEqual({ attempt, isCopy: true, attempts });
  });

  test.each([
    ['of another event', attemptOf('evt_2')],
    ['that began 2.5 s before the signature', attemptOf('evt_1', { startedAt: secondsLater(-2.501) })],
    ['that began 2.5 s after it', attemptOf('evt_1', { startedAt: secondsLater(2.501) })],
  ])('does not have an attempt %s', async (_, attempt) => {
    const { log, receive, shown } = start();
    log.attempts = [attempt];
    receive('evt_1');
    expect(await shown(1)).toBeNull();
  });

  test.each([
    ['one from the feed', 'evt_1', { feedEvent: { id: 'evt_1', occurredAt: startMs } }],
    ['one without an event ID', undefined, {}],
    ['one without a monitor', 'evt_1', { body: Buffer.from('{}') }],
  ])('requests nothing for %s', async (_, eventId, changes) => {
    const { service, receive, shown } = start();
    receive(eventId, 'precipitation_1', changes);
    expect(await shown(1)).toBeNull();
    expect(service.logsRead).toEqual([]);
  });

  test('is empty if the service has no log, and fails if it cannot be read', async () => {
    const { log, receive, shown } = start();
    receive('evt_1');
    log.error = new AppFailure('PROTOCOL', 'gone', { httpStatus: 404 });
    expect(await shown(1)).toBeNull();
    log.error = new AppFailure('PROTOCOL', 'broken', { httpStatus: 500 });
    await expect(shown(1)).rejects.toThrow('broken');
  });
});
