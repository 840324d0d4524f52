// What the database finds for a query, and what a look at each callback finds, which must agree.
import { expect, test } from 'vitest';
import { parseCallbackQuery } from '#contract/app-rpc/callback-query.ts';
import { type VerdictName, verdictNames } from '#contract/app-rpc/callback-verdicts.ts';
import { fitsQuery, splitQuery } from '#core/callbacks/query-match.ts';
import { receivedResponse } from '#core/receiver/responses/response-outcome.ts';
import { noon, openCallbackStore, receivedCallback } from './callback-store.ts';
import { storedCallback } from './stored-callback.ts';

const rows = [
  receivedCallback(),
  receivedCallback({
    method: 'GET',
    target: '/Hooks/b?x=Y',
    answeredStatus: 503,
    remoteAddress: '10.0.0.9',
    body: 'abc',
    receivedAt: noon + 60_000,
  }),
  receivedCallback({ isImported: true, body: 'abcd', receivedAt: noon + 120_000 }),
  receivedCallback({ refusal: 'timeout', answeredStatus: 408, body: '', receivedAt: noon + 180_000 }),
  receivedCallback({ target: '/Ünï', truncated: true, body: 'abcde', id: 'precipitation_2' }),
  receivedCallback({ id: 'precipitation_2', headers: ['webhook-id', 'test_1'], receivedAt: noon + 4_000_000 }),
];
const store = () => {
  const opened = openCallbackStore(rows, {
    prepare: "UPDATE callbacks SET note = 'A bug' WHERE id = 2",
  });
  opened.writer.appendFeed(
    [receivedCallback({ id: 'precipitation_3', feedEvent: { id: 'evt_f', occurredAt: noon }, answeredStatus: 0 })],
    { connectionId: 'a', source: 'b', cursor: 'c' },
  );
  const recorded = { planned: receivedResponse, startedAfterMs: 1, endedAfterMs: 2, bytesSent: 3, isKeptAlive: true };
  opened.writer.recordOutcomes([
    { ...recorded, callbackId: 1, kind: 'answered' },
    { ...recorded, callbackId: 5, kind: 'aborted' },
    { ...recorded, callbackId: 6, kind: 'closed' },
  ]);
  return opened;
};
const all = [1, 2, 3, 4, 5, 6, 7];

/** What the database finds, and what a query means. */
const queries: [string, number[] | 'all', number[]][] = [
  ['', all, all],
  ['method:get', [2], [2]],
  ['method:g*', [2], [2]],
  ['method:*e*', [2], [2]],
  ['-method:get', [1, 3, 4, 5, 6, 7], [1, 3, 4, 5, 6, 7]],
  ['method:g?t', [], []],
  ['method:g?*', [], []],
  ['method:[g]*', [], []],
  ['method:ge', [], []],
  ['monitor:precipitation_2', [6], [6]],
  ['monitor:precipitation', [], []],
  ['-monitor:precipitation_2', [1, 2, 3, 4, 5, 7], [1, 2, 3, 4, 5, 7]],
  ['path:x=y', [2], [2]],
  ['path:hooks', [1, 2, 3, 4, 6, 7], [1, 2, 3, 4, 6, 7]],
  ['path:ü', 'all', [5]],
  ['path:ünïx', 'all', []],
  ['from:10.0', [2], [2]],
  ['status:503', [2], [2]],
  ['status:4xx', [4], [4]],
  ['status:200', [1, 3], [1, 3]],
  ['status:closed', [5, 6, 7], [5, 6, 7]],
  ['size:3', [2], [2]],
  ['size:3..4', [2, 3], [2, 3]],
  ['size:>4 size:<6', [5], [5]],
  ['size:0', [4], [4]],
  ['after:2026-11-21T12:01 before:2026-11-21T12:03', [2, 3], [2, 3]],
  ['after:2026-11-21T12:03', [4, 6], [4, 6]],
  ['outcome:refused', [4], [4]],
  ['outcome:waiting', [2], [2]],
  ['outcome:answered', [1], [1]],
  ['outcome:aborted', [5], [5]],
  ['outcome:closed', [6], [6]],
  ['outcome:unrecorded', [3, 7], [3, 7]],
  ['is:imported', [3], [3]],
  ['is:feed', [7], [7]],
  ['is:refused', [4], [4]],
  ['is:noted', [2], [2]],
  ['-is:noted', [1, 3, 4, 5, 6, 7], [1, 3, 4, 5, 6, 7]],
  ['is:cut', 'all', [5]],
  ['-is:cut', 'all', [1, 2, 3, 4, 6, 7]],
  ['is:test', 'all', [6]],
  ['is:event', 'all', [1]],
  ['is:warning', 'all', [6, 7]],
  ['note:bug', 'all', [2]],
  ['abcd', 'all', [3, 5]],
  ['body:abcd', 'all', [3, 5]],
  ['header:webhook-id', 'all', [6]],
  ['json:id=precipitation_1', 'all', [1]],
  ['method:post body:abc', [1, 3, 4, 5, 6, 7], [3, 5]],
  ['method:get OR is:imported', [2, 3], [2, 3]],
  ['method:get path:hooks OR is:imported', [2, 3], [2, 3]],
  ['method:get OR body:abcd', 'all', [2, 3, 5]],
  ['-is:test method:post', [1, 3, 4, 5, 6, 7], [1, 3, 4, 5, 7]],
];

test('the database finds at least what a query means, and just that if it decides all of it', async () => {
  const { index, pages, search, validator } = store();
  for (const [query, filtered, meant] of queries) {
    const parsed = parseCallbackQuery(query);
    const looked = [...pages.rows({}, 'oldestFirst')].filter((row) => fitsQuery(parsed, row, validator.validate));
    expect([query, looked.map(({ id }) => id)]).toEqual([query, meant]);
    const { filter, isWhole } = splitQuery(parsed, index);
    const found = pages.ids({}, filter, 'id');
    expect([query, found]).toEqual([query, filtered === 'all' ? all : filtered]);
    const ids = search.search({ query, limit: 100 }).items.map(({ id }) => id);
    expect([query, ids.toReversed()]).toEqual([query, meant]);
    expect([query, await search.count({ query }, all.length)]).toEqual([query, meant.length]);
    expect([query, isWhole]).toEqual([query, String(filtered) === String(meant)]);
  }
});

test.each([
  ['verdict:verified', ['verified']],
  ['-verdict:verified', verdictNames.filter((name) => name !== 'verified')],
])('the query %j is decided by verdicts that the database knows, if it knows all', (query, names) => {
  const asked: (readonly VerdictName[])[] = [];
  const split = (isWhole: boolean) =>
    splitQuery(parseCallbackQuery(query), {
      filter(wanted) {
        asked.push(wanted);
        return { sql: 'id = ?', values: [7] };
      },
      isWhole: () => isWhole,
    });
  expect(split(true)).toEqual({ filter: { sql: 'id = ?', values: [7] }, isWhole: true });
  expect(split(false)).toEqual({ filter: { sql: 'id = ?', values: [7] }, isWhole: false });
  expect(asked).toEqual([names, names]);
});

test('a query asks for no verdict and no decoded body that it does not need', () => {
  const fail = () => {
    throw new Error('not needed');
  };
  const row = storedCallback({ answeredStatus: 204 });
  expect(fitsQuery(parseCallbackQuery('status:500 is:error body:x'), row, fail, fail)).toBe(false);
  const verdicts = { filter: () => ({ sql: 'FALSE', values: [] }), isWhole: () => false };
  expect(splitQuery(parseCallbackQuery('method:get'), verdicts).isWhole).toBe(true);
});
