// What goes when the limits of the store are reached.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openAppDatabase } from '#core/database/app-database.ts';
import { createCallbackPages } from '#core/receiver/callback-pages.ts';
import { createCallbackWriter } from '#core/receiver/callback-writer.ts';
import { createRetention } from '#core/receiver/retention.ts';
import { startCore } from './core-harness.ts';
import { createManualClock } from './manual-clock.ts';
import { temporaryFolder } from './temporary-folder.ts';

const hour = 3_600_000;

test('callbacks older than the age that shall be kept go, also when nothing arrives', async () => {
  const clock = createManualClock();
  const database = openAppDatabase({ file: join(temporaryFolder(), 'app.sqlite'), clock });
  const writer = createCallbackWriter(database.db);
  const limits = { keptCallbacks: 1000, keptBytes: 1_000_000, keptAge: 10 * hour };
  const retention = createRetention({ writer, limits: () => limits, clock, onDropped: () => {} });
  onTestFinished(() => {
    retention.cancel();
    database.close();
  });
  for (let index = 0; index < 5; index += 1) {
    const body = Buffer.from('x');
    const facts = {
      method: 'POST',
      target: '/',
      httpVersion: '1.1',
      remoteAddress: '',
      rawHeaders: [],
      truncated: false,
    };
    writer.append([{ ...facts, body, answeredStatus: 200, receivedAt: clock.now() }]);
    clock.advance(hour);
  }
  clock.advance(7 * hour + 60_000);
  await expect.poll(() => writer.counters).toEqual({ newestId: 5, total: 2, bytes: 2 });
  expect(
    createCallbackPages(database.db)
      .page({ beforeId: undefined, limit: 10 })
      .map((row) => row.id),
  ).toEqual([5, 4]);
  expect(retention.dropped).toBe(3);
});

test('the limits of the settings hold at once', async () => {
  const { client, statusWhere } = await startCore();
  const { receiver } = await statusWhere((status) => status.receiver.state === 'listening');
  const post = (bytes: number) => fetch(`${receiver.baseUrl}/`, { method: 'POST', body: 'x'.repeat(bytes) });
  expect((await post(3000)).status).toBe(200);
  const { keptLimits } = await client.settings.get();
  await client.settings.update({ keptLimits: { ...keptLimits, bodyKilobytes: 2 } });
  expect((await post(3000)).status).toBe(413);
  await expect(client.settings.update({ keptLimits: { ...keptLimits, keptCallbacks: 1 } })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    data: { field: 'keptLimits.keptCallbacks' },
  });
});

const day = 24 * hour;

function startRetention(keptAge: number) {
  const clock = createManualClock();
  const database = openAppDatabase({ file: join(temporaryFolder(), 'app.sqlite'), clock });
  const writer = createCallbackWriter(database.db);
  const limits = { keptCallbacks: 1000, keptBytes: 1_000_000, keptAge };
  const retention = createRetention({ writer, limits: () => limits, clock, onDropped: () => {} });
  onTestFinished(() => {
    retention.cancel();
    database.close();
  });
  const facts = {
    method: 'POST',
    target: '/',
    httpVersion: '1.1',
    remoteAddress: '',
    rawHeaders: [],
    truncated: false,
  };
  return {
    clock,
    retention,
    total: () => writer.counters.total,
    receive: () => writer.append([{ ...facts, body: Buffer.from('x'), answeredStatus: 200, receivedAt: clock.now() }]),
  };
}

/** Slices run with setImmediate. */
const settled = () => new Promise((resolve) => void setImmediate(() => setImmediate(resolve)));

test('a clock that is ahead by a month, and corrected within ten minutes, costs no callback', async () => {
  const { clock, retention, receive, total } = startRetention(7 * day);
  receive();
  clock.jump(30 * day);
  clock.advance(9 * 60_000);
  retention.look();
  await settled();
  expect(total()).toBe(1);
  clock.jump(-30 * day);
  clock.advance(hour);
  await settled();
  expect(total()).toBe(1);
});

test('a clock that stays ahead, as after a sleep, lets go of what is too old after ten minutes', async () => {
  const { clock, receive, total } = startRetention(7 * day);
  receive();
  clock.jump(8 * day);
  clock.advance(11 * 60_000);
  await expect.poll(total).toBe(0);
});

test('callbacks dated by a clock that was ahead do not keep those after them, and go with them', async () => {
  const { clock, receive, total } = startRetention(7 * day);
  clock.jump(30 * day);
  receive();
  clock.jump(-30 * day);
  receive();
  clock.advance(6 * day);
  receive();
  await settled();
  expect(total()).toBe(3);
  clock.advance(day + 60_000);
  await expect.poll(total).toBe(1);
});
