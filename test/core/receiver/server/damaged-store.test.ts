// What the receiver does if its database cannot be written, is damaged, or is gone.
import { rmSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { receiverLimits } from '#core/receiver/access/receiver-limits.ts';
import { receivedCallback } from '#test/core/callbacks/callback-store.ts';
import { openRaw } from '#test/core/raw-http.ts';
import { startRunning } from './running-receiver.ts';

type Running = Awaited<ReturnType<typeof startRunning>>;

test('reports what could not be stored once, until storing works again', async () => {
  const running = await startRunning();
  running.db.exec('ALTER TABLE callbacks RENAME TO hidden');
  for (const path of ['/a', '/b']) {
    const { status, headers } = await running.post(path);
    expect([status, headers.get('retry-after')]).toEqual([503, '10']);
  }
  await expect(running.call('remove', [1])).rejects.toThrow('no such table');
  expect(running.reported('trouble')).toEqual([
    { kind: 'trouble', message: expect.stringMatching(/^no such table.*[^.]$/) },
  ]);
  running.db.exec('ALTER TABLE hidden RENAME TO callbacks');
  for (const path of ['/a', '/b']) expect((await running.post(path)).status).toBe(200);
  expect([running.reported('trouble'), running.reported('damaged')]).toEqual([
    [{ kind: 'trouble', message: null }],
    [],
  ]);
  running.db.exec('ALTER TABLE callbacks RENAME TO hidden');
  await running.post();
  running.db.exec('ALTER TABLE hidden RENAME TO callbacks');
  running.reported('trouble');
  await running.call('clear');
  expect(running.reported('trouble')).toEqual([{ kind: 'trouble', message: null }]);
});

test('stores, deletes, and notes nothing after the app found the store damaged, and applies no limits', async () => {
  const running = await startRunning();
  await running.post();
  await running.call('stopStoring');
  await running.call('setLimits', { ...receiverLimits, keptCallbacks: 0 });
  await openRaw(running.port, 'nonsense\r\n\r\n').answer;
  for (let turn = 0; turn < 4; turn += 1) await setImmediate();
  const refused = await running.post();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60']);
  await expect(running.call('remove', [1])).rejects.toThrow('damaged');
  await expect(running.call('clear')).rejects.toThrow('damaged');
  expect(running.pages.counts().total).toBe(1);
  expect([running.reported('damaged'), running.reported('trouble')]).toEqual([[], []]);
});

test('reports a store whose file was deleted, and stores nothing more', async () => {
  const running = await startRunning();
  await running.post();
  rmSync(running.file);
  const calls = [() => running.call('remove', [1]), () => running.call('store', [])];
  for (const change of calls) await expect(change()).rejects.toThrow('was removed');
  expect(running.pages.counts().total).toBe(1);
  const refused = await running.post();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
  const detail = 'the file was removed while it was in use';
  expect(running.reported('damaged')).toEqual([{ kind: 'damaged', detail }]);
  expect(running.reported('trouble')).toEqual([{ kind: 'trouble', message: expect.any(String) }]);
  expect((await running.post()).headers.get('retry-after')).toBe('60');
  expect([running.reported('damaged'), running.reported('trouble')]).toEqual([[], []]);
});

/** As SQLite reports it for every statement that is prepared later. */
const damage = ({ db }: Running) => {
  db.enableDefensive(false);
  db.exec('PRAGMA writable_schema = ON');
  db.exec("UPDATE sqlite_schema SET sql = 'damaged' WHERE name = 'callbacks'");
  db.exec('PRAGMA schema_version = 9999');
};

test.each([
  ['a callback is stored', (running: Running) => running.post()],
  ['callbacks are removed', (running: Running) => running.call('remove', [1]).catch(() => {})],
])('reports damage that it finds when %s, and stores nothing more', async (_, use) => {
  const running = await startRunning({ rows: [receivedCallback()] });
  damage(running);
  await use(running);
  const detail = 'damaged pages were found while it was in use';
  expect(running.reported('damaged')).toEqual([{ kind: 'damaged', detail }]);
  expect((await running.post()).headers.get('retry-after')).toBe('60');
  expect(running.reported('damaged')).toEqual([]);
});
