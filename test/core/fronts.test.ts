// Events grouped into fronts, and what is told of them.
import { describe, expect, test } from 'vitest';
import { type FrontEvent, groupFronts } from '#core/monitors/fronts.ts';

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
