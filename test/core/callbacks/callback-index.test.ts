// How the index of verdicts is filled: in slices, newest first. The database is real; verdicts and the clock are the test's.
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type VerdictName, verdictNames } from '#contract/app-rpc/callback-verdicts.ts';
import type { CallbackIndex, IndexAxis } from '#core/callbacks/callback-index.ts';
import { everyRow } from '#core/receiver/records/callback-pages.ts';
import { createCallbackWriter } from '#core/receiver/records/callback-writer.ts';
import { noon, openCallbackStore, receivedCallback } from './callback-store.ts';

/** A store with `count` callbacks, a second apart. Each look at the clock takes `stepMs`. */
function openIndex(count: number, stepMs = 0) {
  const [validated, verdicts]: [number[], Map<number, VerdictName>] = [[], new Map()];
  const judged: number[] = [];
  let now = 0;
  const { db, index } = openCallbackStore([], {
    prepare: `
      WITH RECURSIVE ids (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM ids WHERE id < ${count})
      INSERT INTO callbacks (id, received_at, method, target, http_version, remote_address, answered_status, flags,
        size_bytes, headers, body)
      SELECT id, ${noon} + id * 1000, 'POST', '/', '1.1', '', 200, 0, 0, '[]', x'' FROM ids WHERE id <= ${count};
      UPDATE callback_counters SET newest_id = ${count}, total = ${count};`,
    verdictOf(id) {
      validated.push(id);
      return verdicts.get(id) ?? 'verified';
    },
    now: () => (now += stepMs),
    onJudged: (id) => void judged.push(id),
  });
  const ids = (names: readonly VerdictName[]) =>
    db
      .prepare(`SELECT id FROM callbacks WHERE ${index.filter(names).sql} ORDER BY id`)
      .all()
      .map(({ id }) => id);
  const receive = () => void createCallbackWriter(db).append([receivedCallback()]);
  return { db, index, ids, judged, receive, validated, verdicts };
}

/** What the index counts, by bar and verdict. */
const counted = (index: CallbackIndex, axis: IndexAxis) =>
  index
    .count({ range: {}, filter: everyRow }, axis)
    .map(({ bar, verdict, count }) => ({ bar, verdict: verdictNames[verdict], count }));

test('copies first, then validates newest first, and reports how many are left', async () => {
  const { index, validated } = openIndex(3);
  expect([index.isWhole(), index.oldestAt()]).toEqual([false, null]);
  expect(await index.advance(0)).toBe(3);
  expect([index.isWhole(), index.oldestAt(), validated]).toEqual([false, noon + 1000, []]);
  expect(await index.advance(0)).toBe(0);
  expect([index.isWhole(), validated]).toEqual([true, [3, 2, 1]]);
  expect(await index.advance(0)).toBe(0);
  expect(validated).toHaveLength(3);
});

test('validates for 8 ms before other work has its turn', async () => {
  const { index, validated } = openIndex(5, 4);
  await index.advance(0);
  // Looks at 4 ms after the start of the slice and at 8 ms.
  await index.advance(0);
  expect(validated).toEqual([5, 4]);
  await index.advance(0);
  expect(validated).toEqual([5, 4, 3, 2]);
});

test('finds every callback without a certain verdict', async () => {
  const { index, ids, receive, verdicts } = openIndex(3);
  verdicts.set(2, 'too-soon').set(3, 'request');
  expect(ids(['too-soon'])).toEqual([1, 2, 3]);
  await index.finish();
  expect(ids(['too-soon'])).toEqual([2]);
  expect(ids(['verified', 'request'])).toEqual([1, 3]);
  expect(ids([])).toEqual([]);
  receive();
  expect([index.isWhole(), ids([])]).toEqual([false, [4]]);
  await index.finish();
  expect([index.isWhole(), ids([]), ids(['verified'])]).toEqual([true, [], [1, 4]]);
});

test('validates all again after a change', async () => {
  const { index, ids, receive, validated, verdicts } = openIndex(2);
  await index.finish();
  index.clear();
  expect([index.isWhole(), ids([])]).toEqual([false, [1, 2]]);
  verdicts.set(1, 'invalid');
  receive();
  await index.finish();
  expect([index.isWhole(), ids(['invalid'])]).toEqual([true, [1]]);
  expect(validated.slice(0, 2)).toEqual([2, 1]);
  expect(validated.slice(2).toSorted((one, other) => one - other)).toEqual([1, 2, 3]);
});

const axis = (from: number, to: number, barMs = 1000) => ({ from: noon + from, to: noon + to, barMs });

test('copies and counts 10,000 callbacks in a step', async () => {
  const { index } = openIndex(20_001);
  // Two older steps are to come, so their callbacks are left too.
  expect([await index.advance(0), index.oldestAt()]).toEqual([20_001, noon + 10_002_000]);
  expect([await index.advance(0), index.oldestAt()]).toEqual([20_001, noon + 2000]);
  expect([await index.advance(0), index.oldestAt()]).toEqual([20_001, noon + 1000]);
  expect(counted(index, axis(0, 30_000_000, 10_000_000))).toEqual([
    { bar: 0, verdict: 'unknown', count: 9999 },
    { bar: 1, verdict: 'unknown', count: 10_000 },
    { bar: 2, verdict: 'unknown', count: 2 },
  ]);
});

test('copies a large store in the background after the first question for the same event', async () => {
  const { index } = openIndex(50_001);
  expect(index.sameEvent('evt_1', 50_001)).toEqual([]);
  expect(index.oldestAt()).toBeGreaterThan(noon + 1000);
  await expect.poll(() => index.oldestAt()).toBe(noon + 1000);
});

test('judges what arrives, and leaves what was stored before to those who ask', async () => {
  const { index, ids, receive } = openIndex(3);
  receive();
  receive();
  index.keepUp();
  await expect.poll(() => ids([])).toEqual([1, 2, 3]);
});

test('reports each callback that arrives once, also if a screen requests its verdict first', async () => {
  const { index, ids, judged, receive } = openIndex(2);
  receive();
  receive();
  await index.finish();
  expect(judged).toEqual([4, 3]);
  index.clear();
  index.clear('precipitation_1');
  receive();
  index.keepUp();
  await expect.poll(() => ids([])).toEqual([1, 2]);
  expect(judged).toEqual([4, 3, 5]);
});

test('judges what arrives when there was nothing left to judge', async () => {
  const { index, judged, receive } = openIndex(0);
  receive();
  index.keepUp();
  await setTimeout(12);
  receive();
  index.keepUp();
  await expect.poll(() => judged).toEqual([1, 2]);
});

test('judges the newest callbacks of one monitor again', async () => {
  const { index, ids, receive } = openIndex(2);
  receive();
  await index.finish();
  index.clear('precipitation_1');
  expect(ids([])).toEqual([3]);
});
