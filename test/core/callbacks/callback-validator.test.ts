// When verdicts of stored callbacks are made again, and how many are remembered.
import { expect, test } from 'vitest';
import { noon, openCallbackStore, ownUri, receivedCallback } from './callback-store.ts';

test('another list of monitors makes verdicts again, and so does a newer one that lacks the monitor', () => {
  const other = new Map([['precipitation_2', ownUri]]);
  let [monitors, listedAt]: [ReadonlyMap<string, string> | undefined, number] = [undefined, Infinity];
  const { validator, reads } = openCallbackStore([receivedCallback()], {
    monitors: () => monitors,
    monitorsListedAt: () => listedAt,
  });
  /** The verdict with this list, and whether the callback was read for it. */
  const validateWith = (list: typeof monitors, at = Infinity) => {
    const before = reads();
    [monitors, listedAt] = [list, at];
    return [validator.validateById(1).verdictName, reads() > before];
  };
  expect([validateWith(undefined), validateWith(undefined)]).toEqual([
    ['unknown', true],
    ['unknown', false],
  ]);
  const own = new Map([['precipitation_1', ownUri]]);
  expect([validateWith(own), validateWith(own)]).toEqual([
    ['unsigned', true],
    ['unsigned', false],
  ]);
  const isRead = [-1, -1, 1, 2].map((ms) => validateWith(other, noon + ms)[1]);
  expect(isRead).toEqual([true, false, true, false]);
  expect(validateWith(undefined)).toEqual(['unknown', true]);
});
