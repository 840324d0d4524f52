// IDs of events: their time, their order, and their length.
import { describe, expect, it } from 'vitest';
import { firstIdAt, orderedIds, timeOfEventId } from '#service/monitors/delivery/tables.ts';

describe('the ID of an event', () => {
  it.each([
    [-5, 'evt_000000000000'],
    [1_000.9, 'evt_0000000003e8'],
    [2 ** 48 - 1, 'evt_ffffffffffff'],
  ])('at %s starts with %s', (instant, text) => {
    expect(firstIdAt('evt_', instant)).toBe(text);
  });

  it.each([
    ['evt_0000000003e8', 1_000],
    ['test_0000000003e8ff', 1_000],
    ['op_0000000003e8', 0],
    ['xevt_0000000003e8', 0],
    ['evt_0000000003E8', 0],
  ])('%s is from %s', (id, instant) => {
    expect(timeOfEventId(id)).toBe(instant);
  });

  it('is after those before it, and like no other', () => {
    const ids = orderedIds('evt_', 1_000, 300);
    expect(ids.toSorted()).toEqual(ids);
    expect(ids[255]).toMatch(/^evt_0000000003e8[0-9a-f]{14}0000ff$/);
    expect(new Set([...ids, ...orderedIds('evt_', 1_000, 300)]).size).toBe(600);
  });
});
