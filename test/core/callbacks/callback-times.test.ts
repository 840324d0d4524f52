// Which callbacks the hours of monitors show, and when they report that there are more.
import { expect, test } from 'vitest';
import { createCallbackTimes } from '#core/callbacks/callback-times.ts';
import { noon, openCallbackStore, receivedCallback } from './callback-store.ts';

const at = (seconds: number) => new Date(noon + seconds * 1000).toISOString();

function openTimes(rows: Parameters<typeof openCallbackStore>[0], prepare = '') {
  const { db, pages, validator } = openCallbackStore(rows, { prepare });
  const { hours } = createCallbackTimes(db, pages, validator);
  /** The IDs of all marks, and whether there are more. */
  return (from: number, to: number, monitorId?: string) => {
    const { monitors, isCut } = hours({ from: at(from), to: at(to), monitorId });
    return [monitors.flatMap(({ callbacks }) => callbacks.map(({ id }) => id)), isCut];
  };
}

/** As many callbacks of a monitor, a second apart from 1 s on. */
const manyRows = (count: number) => `
  WITH RECURSIVE ids (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM ids WHERE id < ${count})
  INSERT INTO callbacks (id, received_at, method, target, http_version, remote_address, answered_status, flags,
    size_bytes, monitor_id, headers, body)
  SELECT id, ${noon} + id * 1000, 'POST', '/', '1.1', '', 200, 0, 0, 'precipitation_1', '["Rainbell-Event","1"]', x'' FROM ids`;

test('shows callbacks from the start on, before the end', () => {
  const idsIn = openTimes([
    ...[0, 1, 2, 3].map((seconds) =>
      receivedCallback({ receivedAt: noon + seconds * 1000, id: `precipitation_${(seconds % 2) + 1}` }),
    ),
    // At another path than its monitor's, so it is of another app.
    receivedCallback({ receivedAt: noon + 1500, target: '/hooks/b' }),
  ]);
  expect(idsIn(1, 3)).toEqual([[2, 3], false]);
  expect(idsIn(0, 4, 'precipitation_2')).toEqual([[2, 4], false]);
});

test('leaves out callbacks without a monitor, and deleted ones', () => {
  const rows = [receivedCallback(), receivedCallback({ body: '{}' }), receivedCallback()];
  const idsIn = openTimes(rows, "INSERT INTO callback_deletions (callback_id, deletion) VALUES (1, 'one')");
  expect(idsIn(0, 1)).toEqual([[3], false]);
});

// Of 20,001 callbacks, the first is not scanned.
test.each([undefined, 'precipitation_1'])('scans 20,000 callbacks, of %s', (monitorId) => {
  const idsIn = openTimes([], manyRows(20_001));
  expect(idsIn(20_000, 20_002, monitorId)).toEqual([[20_000, 20_001], false]);
  expect(idsIn(2.001, 4, monitorId)).toEqual([[3], false]);
  expect(idsIn(2, 4, monitorId)).toEqual([[2, 3], true]);
  expect(idsIn(0, 3, monitorId)).toEqual([[2], true]);
});

test('shows the newest 2,000', () => {
  const idsIn = openTimes([], manyRows(2001));
  const [ids, isCut] = idsIn(0, 2002);
  expect([ids, isCut]).toEqual([Array.from({ length: 2000 }, (_, index) => index + 2), true]);
  expect(idsIn(2, 2002)[1]).toBe(false);
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

test('the hours of monitors have the callbacks of a time, oldest first', () => {
  const { db, pages, validator, writer } = openCallbackStore([
    receivedCallback({ receivedAt: noon }),
    receivedCallback({ receivedAt: noon + 1000, id: 'precipitation_2' }),
    receivedCallback({ receivedAt: noon + 2000 }),
    receivedCallback({ receivedAt: noon + 3000 }),
    receivedCallback({ receivedAt: noon + 1500, body: 'x' }),
  ]);
  const { hours } = createCallbackTimes(db, pages, validator);
  const atMs = (ms: number) => new Date(noon + ms).toISOString();
  const mark = (id: number, ms: number, kind: string, verdict: string) => ({ id, receivedAt: atMs(ms), kind, verdict });
  const ofFirst = [mark(1, 0, 'event', 'ok'), mark(3, 2000, 'event', 'error')];
  expect(hours({ from: atMs(0), to: atMs(3000) })).toEqual({
    monitors: [
      { monitorId: 'precipitation_1', callbacks: ofFirst },
      { monitorId: 'precipitation_2', callbacks: [mark(2, 1000, 'other', 'unknown')] },
    ],
    isCut: false,
  });
  expect(hours({ from: atMs(0), to: atMs(3000), monitorId: 'precipitation_1' })).toEqual({
    monitors: [{ monitorId: 'precipitation_1', callbacks: ofFirst }],
    isCut: false,
  });
  for (const [from, to] of [
    [atMs(0), atMs(0)],
    [atMs(1), atMs(0)],
    ['x', atMs(0)],
    [atMs(0), 'x'],
  ] as const)
    expect(() => hours({ from, to })).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', details: { field: 'to' } }),
    );
  writer.append(Array.from({ length: 2000 }, () => receivedCallback({ receivedAt: noon + 9000 })));
  const many = (from: number) => {
    const { monitors, isCut } = hours({ from: atMs(from), to: atMs(10_000), monitorId: 'precipitation_1' });
    return [monitors[0]?.callbacks.length, isCut];
  };
  expect([many(9000), many(3000)]).toEqual([
    [2000, false],
    [2000, true],
  ]);
});
