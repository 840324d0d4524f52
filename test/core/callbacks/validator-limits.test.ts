// How many verdicts are remembered, and how far back the validator searches.
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

test('reports a callback that is gone as unknown', () => {
  expect(validatorOf({}).validateById(1)).toEqual({
    verdict: 'unknown',
    verdictName: 'unknown',
    kind: 'other',
    isMonitorOwn: false,
    hour: 'unknown',
  });
});

const elsewhere = () => receivedCallback({ target: '/hooks/other' });
const many = (count: number) => Array.from({ length: count }, elsewhere);

test.each([
  ['the newest is an event', [...many(1), receivedCallback()], 2],
  ['39 others are newer', [receivedCallback(), ...many(39)], 1],
  ['40 others are newer', [receivedCallback(), ...many(40)], undefined],
  ['there are only others', many(3), undefined],
])('finds the newest event of a monitor if %s', (_, rows, id) => {
  const { validator } = openCallbackStore(rows);
  expect(validator.newestOf('precipitation_1')).toEqual(
    id === undefined ? null : { id, receivedAt: new Date(noon).toISOString() },
  );
  expect(validator.newestOf('precipitation_2')).toBeNull();
});

test('does not count what the feed delivered as the newest event of a monitor', () => {
  const { validator, writer } = openCallbackStore([receivedCallback()]);
  writer.appendFeed([receivedCallback({ feedEvent: { id: 'evt_f', occurredAt: noon } })], {
    connectionId: 'a',
    source: 'b',
    cursor: 'c',
  });
  expect(validator.newestOf('precipitation_1')).toMatchObject({ id: 1 });
});

test('finds the newest proven test of a monitor', () => {
  const { validator } = openCallbackStore([
    receivedCallback(),
    receivedCallback({ headers: ['webhook-id', 'test_1'] }),
  ]);
  expect(validator.newestOf('precipitation_1')).toMatchObject({ id: 2 });
});

/** A store with an event, `others` that are none, and another event 10 minutes later. */
function openWithOthers(others: number) {
  const rows = [
    receivedCallback({ receivedAt: noon - 600_000 }),
    ...many(others),
    receivedCallback({ receivedAt: noon }),
  ];
  return openCallbackStore(rows);
}

// Events of one monitor are at least an hour apart (interface, section 8).
test.each([
  [199, 'too-soon'],
  [200, 'unsigned'],
])('compares an event with that before %i other callbacks', (others, verdictName) => {
  const { validator } = openWithOthers(others);
  expect(validator.validateById(others + 2).verdictName).toBe(verdictName);
});

test('doubts the comparison if callbacks since the one before were lost', () => {
  const asked: [number, number][] = [];
  const { pages } = openWithOthers(25);
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
  const { method, target, outcome, refusal } = row;
  expect(validator.summaryOf(row)).toMatchObject({
    id: 1,
    method,
    target,
    outcome,
    refusal,
    verdict: 'error',
    verdictName: 'refused',
    kind: 'refused',
    isMonitorOwn: false,
  });
  expect(reads()).toBe(0);
  expect(validator.validateById(1)).toMatchObject({ verdictName: 'refused', hour: 'unknown' });
});

test('summarizes a whole callback as its row of a list', () => {
  const { pages, validator } = openCallbackStore([receivedCallback()]);
  const [row, whole] = [pages.page({ beforeId: undefined, limit: 1 })[0], pages.get(1)];
  if (!row || !whole) throw new Error('no row');
  expect(validator.summaryOf(whole)).toEqual(validator.summaryOf(row));
});
