// The order and completeness of what `listen` and `wait` read, where thousands came at once and old ones were dropped.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { parseTimestamp } from '#shared/time/timestamp.ts';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { createCallbackWriter, type CallbackWriter } from '#core/receiver/records/callback-writer.ts';
import { openArrivals } from '#command-line/session/arrivals.ts';
import { threadEntries } from '#test/core/core-harness.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

function receive(writer: CallbackWriter, count: number, monitorId = 'precipitation_1'): void {
  writer.append(
    Array.from({ length: count }, () => ({
      receivedAt: 0,
      method: 'POST',
      target: '/hooks/a',
      httpVersion: '1.1',
      remoteAddress: '127.0.0.1',
      rawHeaders: [],
      body: Buffer.from(JSON.stringify({ id: monitorId })),
      truncated: false,
      answeredStatus: 200,
    })),
  );
}

async function openFilled(fill: (writer: CallbackWriter) => void) {
  const dataFolder = temporaryFolder();
  const database = openAppDatabase({ file: join(dataFolder, 'app.sqlite'), clock: systemClock });
  fill(createCallbackWriter(database.db));
  database.close();
  const context = { version: '0', clock: systemClock, workers: threadEntries };
  const arrivals = await openArrivals({ dataFolder, port: 0, context, tell: () => {} });
  onTestFinished(arrivals.close);
  /** Those received since a time. */
  const ids = async (since = 0, query = '') => {
    const found: number[] = [];
    for await (const { id } of await arrivals.since(since, query)) found.push(id);
    return found;
  };
  return { ...arrivals, ids };
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

test('reads each callback once, oldest first, across pages and a gap where old ones were dropped', async () => {
  const { client, ids } = await openFilled((writer) => {
    receive(writer, 2000);
    writer.dropOldest(400);
    receive(writer, 1, 'precipitation_8');
  });
  expect(await ids()).toEqual(range(401, 2001));
  // An instant leads to those received since, and a query finds what it says.
  const { receivedAt } = await client().callbacks.get({ id: 2001 });
  expect(await ids((parseTimestamp(receivedAt) ?? 0) + 1)).toEqual([]);
  expect(await ids(0, 'monitor:precipitation_1')).toEqual(range(401, 2000));
  expect(await ids(0, 'monitor:precipitation_8')).toEqual([2001]);
});
