// Which callbacks the hours of monitors show, and when they report that there are more.
import { expect, test } from 'vitest';
import { createCallbackTimes } from '#core/callbacks/callback-times.ts';
import { noon, openCallbackStore, receivedCallback } from './callback-store.ts';

const at = (seconds: number) => new Date(noon + seconds * 1000).toISOString();

test('shows the callbacks of each monitor from the start on, before the end, with their verdicts', () => {
  const received = (seconds: number, changes: Parameters<typeof receivedCallback>[0] = {}) =>
    receivedCallback({ receivedAt: noon + seconds * 1000, ...changes });
  const { db, pages, validator } = openCallbackStore(
    [
      received(0),
      received(1, { id: 'precipitation_2' }),
      received(2),
      received(3),
      received(1, { body: 'without a monitor' }),
      // At another path than its monitor's, so it is of another app.
      received(1, { target: '/hooks/b' }),
      received(1),
    ],
    { prepare: "INSERT INTO callback_deletions (callback_id, deletion) VALUES (7, 'one')" },
  );
  const { hours } = createCallbackTimes(db, pages, validator);
  const mark = (id: number, seconds: number, kind: string, verdict: string) => ({
    id,
    receivedAt: at(seconds),
    kind,
    verdict,
  });
  const ofFirst = {
    monitorId: 'precipitation_1',
    callbacks: [mark(1, 0, 'event', 'ok'), mark(3, 2, 'event', 'error')],
  };
  const ofSecond = { monitorId: 'precipitation_2', callbacks: [mark(2, 1, 'other', 'unknown')] };
  expect(hours({ from: at(0), to: at(3) })).toEqual({ monitors: [ofFirst, ofSecond], isCut: false });
  expect(hours({ from: at(1), to: at(4), monitorId: 'precipitation_2' })).toEqual({
    monitors: [ofSecond],
    isCut: false,
  });
});

test('shows the newest 2,000', () => {
  const { db, pages, validator } = openCallbackStore([], {
    // A second apart from 1 s on.
    prepare: `
      WITH RECURSIVE ids (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM ids WHERE id < 2001)
      INSERT INTO callbacks (id, received_at, method, target, http_version, remote_address, answered_status, flags,
        size_bytes, monitor_id, headers, body)
      SELECT id, ${noon} + id * 1000, 'POST', '/', '1.1', '', 200, 0, 0, 'm_1', '["Rainbell-Event","1"]', x'' FROM ids`,
  });
  const { hours } = createCallbackTimes(db, pages, validator);
  const { monitors, isCut } = hours({ from: at(0), to: at(2002) });
  const ids = monitors.flatMap(({ callbacks }) => callbacks.map(({ id }) => id));
  expect([ids, isCut]).toEqual([Array.from({ length: 2000 }, (_, index) => index + 2), true]);
  expect(hours({ from: at(2), to: at(2002) }).isCut).toBe(false);
});

test.each([
  ['x', at(1)],
  [at(0), 'x'],
  [at(1), at(1)],
])('refuses a span from %s to %s', (from, to) => {
  const { db, pages, validator } = openCallbackStore([]);
  const { hours } = createCallbackTimes(db, pages, validator);
  expect(() => hours({ from, to })).toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT', details: { field: 'to' } }),
  );
});
