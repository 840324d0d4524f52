// Events grouped into fronts, and their notifications.
import { describe, expect, test } from 'vitest';
import type { Silence } from '#contract/app-rpc/monitor-fronts.ts';
import { formatInstant } from '#shared/time/timestamp.ts';
import { createDeliveryWatch } from '#core/monitors/delivery-watch.ts';
import { type AcknowledgedFront, createFrontTracker } from '#core/fronts/front-tracker.ts';
import { type FrontEvent, groupFronts } from '#core/monitors/fronts.ts';
import { createManualClock } from '../manual-clock.ts';
import { deliveryOf } from './monitor-delivery.ts';

const minute = 60_000;
const start = Date.parse('2026-11-22T06:10:00Z');
const event = (id: string, minutes: number, lat: number, lng: number, isFailed = false): FrontEvent => ({
  monitorId: id,
  at: start + minutes * minute,
  geo: { lat, lng },
  isFailed,
});
const groups = (events: readonly FrontEvent[]) =>
  groupFronts(events).map(({ events: members }) => members.map(({ monitorId }) => monitorId).toSorted());

/** Moves over Piedmont from west to east in 90 minutes. */
const piedmont = Array.from({ length: 412 }, (_, index) =>
  event(`p${index}`, (index * 90) / 411, 44.4 + ((index * 7) % 20) / 10, 7 + (index * 1.8) / 411, index % 46 === 3),
);

describe('events', () => {
  test('of 412 monitors that a front passes are one line with every failure', () => {
    const fronts = groupFronts(piedmont.toReversed());
    expect(fronts).toHaveLength(1);
    const [front] = fronts;
    expect(front?.events).toHaveLength(412);
    expect(front?.events.filter(({ isFailed }) => isFailed)).toHaveLength(9);
    expect([front?.from, front?.until]).toEqual([start, start + 90 * minute]);
  });

  test.each([
    ['close in time and place', [event('a', 0, 45, 7), event('b', 30, 45.2, 7.1)], [['a', 'b']]],
    ['far apart', [event('a', 0, 45, 7), event('b', 0, 48, 7)], [['a'], ['b']]],
    ['long after each other', [event('a', 0, 45, 7), event('b', 90, 45, 7)], [['b'], ['a']]],
    [
      'joined by one between them',
      [event('a', 0, 45, 7), event('b', 40, 45.3, 7), event('c', 80, 45.6, 7)],
      [['a', 'b', 'c']],
    ],
    ['on both sides of the date line', [event('a', 0, -17, 179.95), event('b', 5, -17, -179.95)], [['a', 'b']]],
    ['near a pole', [event('a', 0, 89.9, 0), event('b', 5, 89.9, 30)], [['a', 'b']]],
  ] as const)('%s are grouped so', (_how, events, expected) => {
    expect(groups(events)).toEqual(expected);
  });

  test('keep the ID of their front while it grows', () => {
    const [early] = groupFronts(piedmont.slice(0, 100));
    expect(groupFronts(piedmont)[0]?.id).toBe(early?.id);
  });

  test('of 20,000 monitors in one place take less than a second of CPU time', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => event(`m${index}`, index / 400, 45, 7));
    const before = process.cpuUsage();
    expect(groupFronts(many)).toHaveLength(1);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1_000);
  });
});

/** A tracker and a watch over the monitors of Piedmont, beside a store in memory. */
function startWatch(silences: Silence[] = []) {
  const clock = createManualClock(start);
  const connection = { id: 'one' };
  const notices: string[] = [];
  const list = <Entry>(entries: readonly Entry[]) => ({
    get: () => entries,
    replace(next: readonly Entry[]) {
      entries = next;
    },
  });
  const tracker = createFrontTracker({
    clock,
    connectionId: () => connection.id,
    locationOf: (id) => piedmont.find(({ monitorId }) => monitorId === id)?.geo,
    tagsOf: () => ['alps'],
    nearest: async (locations) =>
      locations.map((geo) => ({ ...geo, name: 'Torino', region: 'Piedmont', countryCode: 'IT', population: 1 })),
    silences: list(silences),
    acknowledged: list<AcknowledgedFront>([]),
  });
  const watch = createDeliveryWatch({
    readStates: () => Promise.reject(new Error('The test reports all states.')),
    canLook: () => false,
    connectionId: () => connection.id,
    mayNotify: () => true,
    tell: tracker.filter,
    notify: ({ title }) => void notices.push(title),
    clock,
  });
  /** What the service reports at an instant. */
  const report = (now: number) => {
    clock.advance(Math.max(0, now - clock.now()));
    const states = piedmont.map((one) => {
      const hasFired = one.at <= now;
      const failure = { startedAt: formatInstant(one.at), attempt: 3, httpStatus: 503, error: 'http 503' };
      return deliveryOf(one.monitorId, {
        lastEventAt: hasFired ? formatInstant(one.at) : null,
        failedInARow: hasFired && one.isFailed ? 2 : 0,
        lastAttempt: hasFired && one.isFailed ? failure : null,
      });
    });
    const answer = {
      isAvailable: true as const,
      aheadMs: 0,
      states,
      plan: null,
      hasRadarMinutes: false,
      hasBacktest: false,
    };
    tracker.note(answer);
    watch.look(answer);
  };
  return { tracker, notices, report, connection };
}

describe('a front of 412 monitors that passes in 90 minutes', () => {
  test('is one line, one notification, and all failures', async () => {
    const { tracker, notices, report } = startWatch();
    for (let minutes = -1; minutes <= 91; minutes += 1) report(start + minutes * minute);
    expect(notices).toHaveLength(1);
    const { fronts } = await tracker.list();
    expect(fronts).toHaveLength(1);
    expect(fronts[0]).toMatchObject({ region: 'Piedmont', acknowledged: null, isSilenced: false });
    expect(fronts[0]?.monitorIds).toHaveLength(412);
    expect(fronts[0]?.failedIds.toSorted()).toEqual(
      piedmont
        .filter(({ isFailed }) => isFailed)
        .map(({ monitorId }) => monitorId)
        .toSorted(),
    );
  });

  test('that is acknowledged before it fails is not notified, and its failures stay', async () => {
    const { tracker, notices, report } = startWatch();
    report(start - minute);
    report(start);
    // Its first failure comes with the fourth monitor.
    const [front] = groupFronts(piedmont);
    tracker.acknowledge(front?.id ?? '', 'Known outage');
    for (let minutes = 1; minutes <= 91; minutes += 1) report(start + minutes * minute);
    expect(notices).toEqual([]);
    const { fronts } = await tracker.list();
    expect(fronts[0]).toMatchObject({ acknowledged: { note: 'Known outage' } });
    expect(fronts[0]?.failedIds).toHaveLength(9);
  });

  test.each([
    ['by tag', { kind: 'tag', tag: 'alps' }],
    ['by area', { kind: 'area', center: { lat: 45.4, lng: 7.9 }, radiusKm: 200 }],
  ] as const)('is silenced %s until a time, and notified after it', async (_how, what) => {
    const silence = { ...what, id: 's', until: formatInstant(start + 40 * minute), note: '' };
    const { tracker, notices, report } = startWatch([silence]);
    for (let minutes = -1; minutes <= 39; minutes += 1) report(start + minutes * minute);
    expect(notices).toEqual([]);
    expect((await tracker.list()).fronts[0]).toMatchObject({ isSilenced: true });
    for (let minutes = 40; minutes <= 91; minutes += 1) report(start + minutes * minute);
    expect(notices).toHaveLength(1);
    expect((await tracker.list()).silences).toEqual([]);
  });

  test('has no effect on monitors of another connection that have the same IDs', () => {
    const { tracker, report, connection } = startWatch();
    for (let minutes = -1; minutes <= 91; minutes += 1) report(start + minutes * minute);
    const failing = piedmont
      .filter(({ isFailed }) => isFailed)
      .map(({ monitorId }) => deliveryOf(monitorId, { failedInARow: 2 }));
    expect(tracker.filter(failing).states).toEqual([]);
    connection.id = 'two';
    expect(tracker.filter(failing)).toEqual({ states: failing, frontSize: null });
  });
});
