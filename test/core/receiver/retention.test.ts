// What goes when the limits of the store are reached.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { defaultSettings } from '#contract/app-rpc/default-settings.ts';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { createCallbackPages } from '#core/receiver/records/callback-pages.ts';
import { createCallbackWriter } from '#core/receiver/records/callback-writer.ts';
import { createRetention } from '#core/receiver/records/retention.ts';
import { startCore } from '../core-harness.ts';
import { createManualClock } from '../manual-clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const hour = 3_600_000;

test('deletes callbacks that are older than the limit, even when nothing arrives', async () => {
  const clock = createManualClock();
  const database = openAppDatabase({ file: join(temporaryFolder(), 'app.sqlite'), clock });
  const writer = createCallbackWriter(database.db);
  const limits = { keptCallbacks: 1000, maxBytes: 1_000_000, maxAgeMs: 10 * hour };
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
  const { keptLimits } = defaultSettings;
  await client.settings.update({ keptLimits: { ...keptLimits, bodyKilobytes: 2 } });
  expect((await post(3000)).status).toBe(413);
  await expect(client.settings.update({ keptLimits: { ...keptLimits, keptCallbacks: 1 } })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    data: { field: 'keptLimits.keptCallbacks' },
  });
});

const day = 24 * hour;

function openStore() {
  const clock = createManualClock();
  const database = openAppDatabase({ file: join(temporaryFolder(), 'app.sqlite'), clock });
  onTestFinished(database.close);
  const writer = createCallbackWriter(database.db);
  const limits: { keptCallbacks: number; maxBytes: number; maxAgeMs: number | null } = {
    keptCallbacks: 1000,
    maxBytes: 1_000_000,
    maxAgeMs: 7 * day,
  };
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
    limits,
    /** As a start of the app does. */
    startRetention() {
      const retention = createRetention({ writer, limits: () => limits, clock, onDropped: () => {} });
      onTestFinished(retention.cancel);
      return retention;
    },
    total: () => writer.counters.total,
    receive(count = 1) {
      const callback = { ...facts, body: Buffer.from('x'), answeredStatus: 200, receivedAt: clock.now() };
      writer.append(Array.from({ length: count }, () => callback));
    },
  };
}

/** Slices run with setImmediate, and so does the check for a first one. */
const settled = () => new Promise((resolve) => void setImmediate(() => setImmediate(resolve)));

test('keeps all callbacks when the clock is ahead by a month, and corrected within ten minutes', async () => {
  const { clock, startRetention, receive, total } = openStore();
  const retention = startRetention();
  receive();
  clock.jump(30 * day);
  clock.advance(9 * 60_000);
  retention.lookAtAll();
  await settled();
  expect(total()).toBe(1);
  clock.jump(-30 * day);
  clock.advance(hour);
  await settled();
  expect(total()).toBe(1);
});

test('deletes callbacks that a clock dated in the future together with those after them', async () => {
  const { clock, startRetention, receive, total } = openStore();
  startRetention();
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
