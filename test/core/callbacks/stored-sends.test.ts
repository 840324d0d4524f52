// Sends over the real database: what is stored of them, and how many are kept.
import { describe, expect, test } from 'vitest';
import { createCallbackSends, type NewSend } from '#core/callbacks/callback-sends.ts';
import { answeredSend } from './answered-send.ts';
import { openCallbackStore, receivedCallback } from './callback-store.ts';

const sendOf = (callbackId: number, changes: Partial<NewSend> = {}): NewSend => ({
  ...answeredSend,
  kind: 'replay',
  callbackId,
  method: 'PUT',
  url: 'http://a.example/',
  ...changes,
});

describe('sends', () => {
  test('are stored as they were, newest first', () => {
    const { db } = openCallbackStore([receivedCallback(), receivedCallback()]);
    const sends = createCallbackSends(db);
    const stored = {
      id: 1,
      kind: 'replay',
      callbackId: 1,
      startedAt: '2026-11-21T12:00:00.000Z',
      tookMs: 12.4,
      method: 'PUT',
      url: 'http://a.example/',
      headers: [['A', 'b']],
      outcome: answeredSend.outcome,
    };
    expect([sendOf(1), sendOf(2), sendOf(1, { kind: 'edit' })].map(sends.add)).toEqual([
      stored,
      { ...stored, id: 2, callbackId: 2 },
      { ...stored, id: 3, kind: 'edit' },
    ]);
    expect(sends.of(1)).toEqual([{ ...stored, id: 3, kind: 'edit' }, stored]);
    expect(sends.of(9)).toEqual([]);
    for (let count = 0; count < 101; count += 1) sends.add(sendOf(1));
    expect(sends.of(1)).toHaveLength(100);
    expect(sends.of(1)[0]?.id).toBe(104);
  });

  test('are kept up to 10,000, and none that fails', () => {
    const { db } = openCallbackStore([receivedCallback()]);
    const sends = createCallbackSends(db);
    db.exec(
      "INSERT INTO callback_sends (id, callback_id, kind, started_at, took_ms, method, url, headers, outcome) VALUES (10000, 1, 'edit', 0, 0, '', '', '[]', '{}'), (1, 1, 'edit', 0, 0, '', '', '[]', '{}'), (2, 1, 'edit', 0, 0, '', '', '[]', '{}')",
    );
    sends.add(sendOf(1));
    const ids = () =>
      db
        .prepare('SELECT id FROM callback_sends ORDER BY id')
        .all()
        .map(({ id }) => id);
    expect(ids()).toEqual([2, 10_000, 10_001]);
    const outcome = { ...answeredSend.outcome, toJSON: () => JSON.parse('no JSON') };
    expect(() => sends.add(sendOf(1, { outcome }))).toThrow(SyntaxError);
    expect([ids(), db.isTransaction]).toEqual([[2, 10_000, 10_001], false]);
  });
});
