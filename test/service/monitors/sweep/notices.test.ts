// What processes on one PostgreSQL tell each other.
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import { startDatabaseProxy } from '#test/service/database/database-proxy.ts';
import { newDatabase } from '#test/service/engines.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

async function postgresUrl(): Promise<string> {
  const location = await newDatabase('postgres', temporaryFolder());
  if (!('url' in location)) throw new Error('This test needs PostgreSQL.');
  return location.url;
}

async function openOn(url: string) {
  const database = await openServiceDatabase({ url, clock: systemClock, log: pino({ level: 'silent' }) });
  onTestFinished(() => database.close());
  const received: string[] = [];
  let gaps = 0;
  database.notices.listen('feed', {
    onNotice: (text) => void received.push(text),
    onGap: () => void (gaps += 1),
  });
  return { notices: database.notices, received, gaps: () => gaps };
}

it('a notice reaches the other processes once, many together too, and a process that was cut off is informed of the gap', async () => {
  const url = await postgresUrl();
  const proxy = await startDatabaseProxy(url);
  proxy.restore();
  const [one, other] = [await openOn(url), await openOn(proxy.url)];
  let said = 0;
  const isHeard = () => {
    one.notices.send('feed', `first ${(said += 1)}`);
    return other.received.length > 0;
  };
  await expect.poll(isHeard).toBe(true);
  const many = Array.from({ length: 2_000 }, (_, index) => `place ${index}`);
  for (const text of many) one.notices.send('feed', text);
  await expect.poll(() => other.received.filter((text) => text.startsWith('place'))).toEqual(many);
  expect(one.received).toEqual([]);

  proxy.cut();
  proxy.restore();
  await expect.poll(other.gaps).toBe(1);
  one.notices.send('feed', 'after');
  await expect.poll(() => other.received.at(-1)).toBe('after');
});
