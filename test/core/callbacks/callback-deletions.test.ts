// Deletions over the real database: hidden at once, removed later, or undone.
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createCallbackDeletions } from '#core/callbacks/callback-deletions.ts';
import { quietLog } from '../core-harness.ts';
import { createManualClock } from '../manual-clock.ts';
import { noon, openCallbackStore, receivedCallback } from './callback-store.ts';

describe('a deletion', () => {
  function start(count: number) {
    const store = openCallbackStore(
      Array.from({ length: count }, (_, index) => receivedCallback({ target: index % 2 === 0 ? '/even' : '/odd' })),
    );
    const clock = createManualClock(noon);
    const removed: (readonly number[])[] = [];
    const state = { changed: 0, failure: undefined as Error | undefined };
    const create = () =>
      createCallbackDeletions({
        ...store,
        remove: async (ids) => {
          if (state.failure) throw state.failure;
          removed.push(ids);
          store.writer.remove(ids);
        },
        clock,
        log: quietLog,
        onChanged: () => (state.changed += 1),
      });
    const hidden = () => store.db.prepare('SELECT count(*) AS n FROM callback_deletions').get()?.['n'];
    return { ...store, clock, removed, state, create, hidden };
  }

  test('hides at once, and removes after 8 s, 500 at a time', async () => {
    const { create, clock, removed, state, hidden, pages } = start(1203);
    const deletions = create();
    const result = await deletions.delete({ kind: 'query', query: '', throughId: 1201 });
    expect(result).toEqual({ deletionId: expect.any(String), count: 1201, undoUntil: '2026-11-21T12:00:08.000Z' });
    expect([hidden(), pages.counts().total, state.changed, removed.length]).toEqual([1201, 2, 1, 0]);
    clock.advance(7999);
    await setImmediate();
    expect(removed).toEqual([]);
    clock.advance(1);
    await setImmediate();
    expect(removed.map(({ length }) => length)).toEqual([500, 500, 201]);
    expect([hidden(), state.changed]).toEqual([0, 2]);
    expect(() => deletions.undo(result.deletionId)).toThrow(
      expect.objectContaining({ code: 'NOT_FOUND', details: { field: 'deletionId' } }),
    );
  });

  test('ends at the newest callback, whatever ID it may go to', async () => {
    const all = { kind: 'query', query: '', throughId: Number.MAX_SAFE_INTEGER } as const;
    expect(await start(2).create().delete(all)).toMatchObject({ count: 2 });
  });

  test('hides no more callbacks once the app ends', async () => {
    const deletions = start(2).create();
    const deleted = deletions.delete({ kind: 'query', query: '', throughId: 2 });
    await deletions.close();
    expect(await deleted).toMatchObject({ count: 0 });
  });

  test('that fails leaves the callbacks hidden', async () => {
    const { create, removed, state, hidden } = start(3);
    const deletions = create();
    await deletions.delete({ kind: 'ids', ids: [1] });
    state.failure = new Error('locked');
    await deletions.close();
    expect([removed, hidden()]).toEqual([[], 1]);
  });
});
