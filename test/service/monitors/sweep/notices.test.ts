// What processes on one PostgreSQL tell each other.
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { type Clock, systemClock } from '#shared/time/clock.ts';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import { startDatabaseProxy } from '#test/service/database/database-proxy.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { newDatabase } from '#test/service/engines.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

async function postgresUrl(): Promise<string> {
  const location = await newDatabase('postgres', temporaryFolder());
  if (!('url' in location)) throw new Error('This test needs PostgreSQL.');
  return location.url;
}

async function openOn(url: string, clock: Clock = systemClock) {
  const database = await openServiceDatabase({ url, clock, log: pino({ level: 'silent' }) });
  onTestFinished(() => database.close());
  const received: string[] = [];
  for (const topic of ['feed', 'cells'] as const) database.notices.listen(topic, () => void received.push(topic));
  return { notices: database.notices, received };
}

it('a notice reaches the other processes, many as one, and a process that was cut off looks once it is back', async () => {
  const url = await postgresUrl();
  const proxy = await startDatabaseProxy(url);
  proxy.restore();
  const [one, other] = [await openOn(url), await openOn(proxy.url)];
  const isHeard = () => {
    one.notices.send('feed');
    return other.received.includes('feed');
  };
  await expect.poll(isHeard).toBe(true);
  for (let count = 0; count < 2_000; count += 1) one.notices.send('cells');
  await expect.poll(() => other.received.filter((topic) => topic === 'cells')).toEqual(['cells']);
  expect(one.received).toEqual([]);

  other.received.length = 0;
  proxy.cut();
  proxy.restore();
  await expect.poll(() => other.received.toSorted()).toEqual(['cells', 'feed']);
});

it('a connection that stays open but brings nothing is replaced', async () => {
  const url = await postgresUrl();
  const proxy = await startDatabaseProxy(url);
  proxy.restore();
  const clock = createManualClock();
  const [one, other] = [await openOn(url), await openOn(proxy.url, clock)];
  const isHeard = () => {
    one.notices.send('feed');
    return other.received.includes('feed');
  };
  await expect.poll(isHeard).toBe(true);
  proxy.hold();
  other.received.length = 0;
  clock.advance(15_000);
  const looksAgain = () => {
    clock.advance(1_000);
    return other.received.includes('cells');
  };
  await expect.poll(looksAgain, { timeout: 10_000, interval: 500 }).toBe(true);
});
