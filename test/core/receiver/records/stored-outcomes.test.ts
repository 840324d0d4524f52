// What is stored of responses, and how a callback shows it.
import { describe, expect, test, vi } from 'vitest';
import { closeOutcomes } from '#core/receiver/records/stored-callback.ts';
import {
  receivedResponse,
  type RecordedOutcome,
  type ResponsePlanned,
} from '#core/receiver/responses/response-outcome.ts';
import { noon, openCallbackStore, receivedCallback } from '#test/core/callbacks/callback-store.ts';

const outcome = (callbackId: number, changes: Partial<RecordedOutcome> = {}): RecordedOutcome => ({
  callbackId,
  kind: 'answered',
  planned: receivedResponse,
  startedAfterMs: 1000,
  endedAfterMs: 2500,
  bytesSent: 77,
  isKeptAlive: true,
  ...changes,
});
const planned: ResponsePlanned = {
  action: 'answer',
  status: 404,
  headers: [['X-A', 'b']],
  body: 'gone',
  delayMs: 0,
  rule: 'a rule',
  step: 2,
};
const date = ['Date', 'Sat, 21 Nov 2026 12:00:01 GMT'];
const keptAlive = [
  ['Connection', 'keep-alive'],
  ['Keep-Alive', 'timeout=5'],
];

function start(count: number, outcomes: readonly RecordedOutcome[] = []) {
  const store = openCallbackStore(Array.from({ length: count }, () => receivedCallback()));
  store.writer.recordOutcomes(outcomes);
  const shown = (id: number) => {
    const { outcome: ended, answeredStatus } = store.pages.get(id) ?? {};
    return [ended?.kind, ended?.afterMs, ended?.bytesSent, answeredStatus];
  };
  return { ...store, shown };
}

test.each(['closed', 'reset', 'aborted', 'dropped'] as const)('has no status if the response was %s', (kind) => {
  const { pages, shown } = start(1, [outcome(1, { kind })]);
  expect(shown(1)).toEqual([kind, 2500, 77, 0]);
  expect(pages.get(1)?.outcome.at).toBe(new Date(noon + 2500).toISOString());
  expect(pages.page({ beforeId: undefined, limit: 1 })[0]).toMatchObject({ answeredStatus: 0, outcome: { kind } });
});

describe('the response of a rule', () => {
  const headersOf = (changes: Partial<RecordedOutcome>) =>
    start(1, [outcome(1, { planned, ...changes })])
      .pages.get(1)
      ?.answer()?.headers;

  test('has the headers that were sent', () => {
    expect(headersOf({})).toEqual([['X-A', 'b'], ['content-length', '4'], date, ...keptAlive]);
    expect(headersOf({ isKeptAlive: false })?.at(-1)).toEqual(['Connection', 'close']);
    // Of one that was never started, those that were planned.
    expect(headersOf({ kind: 'closed', startedAfterMs: null })).toEqual([['X-A', 'b']]);
    expect(headersOf({ planned: { ...planned, action: 'close', status: null } })).toEqual([]);
  });

  test.each([
    ['a delayed one', { delayMs: 5 }],
    ['an unplanned one', { isUnplanned: true as const }],
  ])('is not stored for a callback that was removed: %s', (_, changes) => {
    const { db, writer } = start(1);
    writer.remove([1]);
    writer.recordOutcomes([outcome(1), outcome(1, { planned: { ...planned, ...changes } })]);
    expect(db.prepare('SELECT 1 FROM callback_outcomes').all()).toEqual([]);
    const { shown } = start(1, [outcome(1, { planned: { ...planned, ...changes } })]);
    expect(shown(1)[0]).toBe('answered');
  });
});

test('keeps no receiver from its start if the disk is full', () => {
  const { db } = openCallbackStore([]);
  const close = (error: Error) => {
    vi.spyOn(db, 'exec').mockImplementationOnce(() => {
      throw error;
    });
    closeOutcomes(db);
  };
  // SQLITE_FULL, https://www.sqlite.org/rescode.html.
  expect(() => close(Object.assign(new Error('full'), { errcode: 13 }))).not.toThrow();
  expect(() => close(new Error('a bug'))).toThrow('a bug');
});
