// When verdicts of stored callbacks are made again, how many are remembered, and how far back the validator searches.
import { expect, test } from 'vitest';
import { createCallbackValidator } from '#core/callbacks/callback-validator.ts';
import type { CallbackPages } from '#core/receiver/records/callback-pages.ts';
import { noon, openCallbackStore, ownUri, receivedCallback } from './callback-store.ts';

function validatorOf(pages: Partial<Pick<CallbackPages, 'get' | 'earlierOf' | 'hasLostBetween'>>) {
  const monitors = new Map([['precipitation_1', ownUri]]);
  return createCallbackValidator({
    pages: { get: () => undefined, earlierOf: () => [], hasLostBetween: () => false, ...pages },
    monitors: () => monitors,
    signing: () => ({ secrets: [], isClockMovable: false }),
  });
}

test('remembers 20,000 verdicts', () => {
  const read: number[] = [];
  const { validateById, clear } = validatorOf({ get: (id) => void read.push(id) });
  for (let id = 1; id <= 20_000; id += 1) validateById(id);
  validateById(1);
  expect(read).toHaveLength(20_000);
  validateById(20_001);
  validateById(1);
  expect(read.slice(-2)).toEqual([20_001, 1]);
  clear();
  validateById(1);
  expect(read).toHaveLength(20_003);
});

test('remembers the evidence of 20,000 callbacks', () => {
  const read: number[] = [];
  const { newestOf } = validatorOf({
    get: (id) => void read.push(id),
    earlierOf: ({ monitorId }) => Array.from({ length: 10 }, (_, index) => Number(monitorId) * 10 + index),
  });
  for (let monitor = 0; monitor < 2000; monitor += 1) newestOf(String(monitor));
  newestOf('0');
  expect(read).toHaveLength(20_000);
  newestOf('2000');
  newestOf('0');
  expect(read).toHaveLength(20_020);
});

type Monitors = ReadonlyMap<string, string | null>;

/** A store with one callback of precipitation_1, validated with a list of monitors. */
function openListed() {
  let listedAt = Infinity;
  let monitors: Monitors | undefined;
  const { validator, reads } = openCallbackStore([receivedCallback()], {
    monitors: () => monitors,
    monitorsListedAt: () => listedAt,
  });
  /** The verdict with this list, and whether the callback was read for it. */
  return (list: Monitors | undefined, at = Infinity) => {
    const before = reads();
    monitors = list;
    listedAt = at;
    const { verdict } = validator.validateById(1);
    return { verdict, isRead: reads() > before };
  };
}

const own = ['precipitation_1', ownUri] as const;
const second = ['precipitation_2', ownUri] as const;

test('a newer list decides of a monitor that the one before did not have, although nothing in it changed', () => {
  const validateWith = openListed();
  const list = new Map([second]);
  const reads = [-1, -1, 1, 2].map((ms) => validateWith(list, noon + ms).isRead);
  expect(reads).toEqual([true, false, true, false]);
});

test.each<[string, Monitors | undefined, Monitors | undefined]>([
  ['one monitor more', new Map([own]), new Map([own, second])],
  ['one monitor less', new Map([own, second]), new Map([own])],
  ['another monitor instead', new Map([own]), new Map([second])],
  ['another callback URL', new Map([own]), new Map([['precipitation_1', `${ownUri}/b`]])],
  ['no callback URL anymore', new Map([own]), new Map([['precipitation_1', null]])],
  ['the first monitors', undefined, new Map([own])],
  ['monitors that are unknown now', new Map([own]), undefined],
])('a list with %s makes verdicts again, and the same list does not', (_, before, after) => {
  const validateWith = openListed();
  validateWith(before);
  expect(validateWith(before).isRead).toBe(false);
  const expected = openListed()(after);
  expect(validateWith(after)).toEqual(expected);
  expect(expected.isRead).toBe(true);
});

const elsewhere = () => receivedCallback({ target: '/hooks/other' });

test('doubts the comparison if callbacks since the one before were lost', () => {
  const asked: [number, number][] = [];
  const event = receivedCallback();
  const { pages } = openCallbackStore([event, ...Array.from({ length: 25 }, elsewhere), event]);
  const { validateById } = validatorOf({
    ...pages,
    hasLostBetween: (earlierId, laterId) => asked.push([earlierId, laterId]) < 0,
  });
  validateById(27);
  expect(asked).toEqual([[0, 27]]);
});

test('stops the comparison at a page of callbacks with an event', () => {
  const asked: [number, number][] = [];
  const rows = Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? elsewhere() : receivedCallback()));
  const { pages } = openCallbackStore(rows);
  const { validateById } = validatorOf({
    ...pages,
    hasLostBetween: (earlierId, laterId) => asked.push([earlierId, laterId]) < 0,
  });
  // The 20 callbacks before it are 49 to 30.
  validateById(50);
  expect(asked).toEqual([[30, 50]]);
});

test('does not ask about lost callbacks for one without a monitor', () => {
  const { pages } = openCallbackStore([receivedCallback({ body: '{}' })]);
  const { validateById } = validatorOf({
    ...pages,
    hasLostBetween: () => {
      throw new Error('asked');
    },
  });
  expect(validateById(1).verdictName).toBe('request');
});

test('summarizes a refused request without reading it', () => {
  const { pages, validator, reads } = openCallbackStore([receivedCallback({ refusal: 'timeout' })]);
  const [row] = pages.page({ beforeId: undefined, limit: 1 });
  if (!row) throw new Error('no row');
  const { refusal } = row;
  const kind = 'refused';
  expect(validator.summaryOf(row)).toMatchObject({
    refusal,
    verdict: 'error',
    verdictName: kind,
    kind,
    isMonitorOwn: false,
  });
  expect(reads()).toBe(0);
  expect(validator.validateById(1)).toMatchObject({ verdictName: 'refused', hour: 'unknown' });
});
