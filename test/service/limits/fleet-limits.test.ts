// Limits that hold for all processes on one PostgreSQL together: of wrong secrets, sign-ins, and requests to providers.
import { pino } from 'pino';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import { createLimiter } from '#service/limits/limiter.ts';
import { createAttemptGuard, createClientFailureCount } from '#service/limits/throttle.ts';
import { createRequestBudget } from '#service/weather/fetch/request-budget.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { newDatabase } from '#test/service/engines.ts';

const log = pino({ level: 'silent' });

/** The machine's time moves only if a test moves it, so that a busy machine does not end the wait for the database. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
});

/** The databases of three processes, with connections of their own. */
async function startProcesses() {
  const location = await newDatabase('postgres', '');
  return Promise.all(
    [0, 1, 2].map(async () => {
      const database = await openServiceDatabase({ ...location, clock: systemClock, log });
      onTestFinished(database.close);
      return database;
    }),
  );
}

it('three processes count wrong client secrets and passwords together, and store no names', async () => {
  const processes = await startProcesses();
  const counts = processes.map(({ db }) => createClientFailureCount(db));
  const refused = await Promise.allSettled(
    Array.from({ length: 120 }, async (_, index) => counts[index % 3]?.('192.0.2.1', 'client')),
  );
  expect(refused.filter(({ status }) => status === 'fulfilled')).toHaveLength(40);
  await counts[0]?.('192.0.2.2', 'client');

  const [one, other] = processes.map(({ db }) => createAttemptGuard(db, createManualClock(), 'sign-ins'));
  for (let count = 0; count < 40; count += 1) await one?.failed('192.0.2.1', 'ann');
  await expect(other?.check('192.0.2.1', 'ann')).rejects.toThrow('Too many failed sign-ins');
  const keys = await processes[0]?.db.selectFrom('limits').select('key').execute();
  expect(keys?.filter(({ key }) => /ann|192\.0\.2/.test(key))).toEqual([]);
});

it('three processes share the requests that a provider allows', async () => {
  const processes = await startProcesses();
  const limits = [
    { seconds: 60, max: 50 },
    { seconds: 3_600, max: 80 },
  ];
  const budgets = processes.map(({ db }) => createRequestBudget(db, 'host', limits));
  const take = async (count: number) => {
    const taken = [];
    for (let index = 0; index < count; index += 1) taken.push(await budgets[index % 3]?.take());
    return taken.filter((seconds) => seconds === 0).length;
  };
  expect(await take(40)).toBe(40);
  expect(await take(30)).toBe(10);
  vi.setSystemTime(Date.now() + 60_000);
  expect(await budgets[2]?.left()).toEqual([
    { name: 'host', seconds: 60, left: 50 },
    { name: 'host', seconds: 3_600, left: 30 },
  ]);
  expect(await take(60)).toBe(30);
});

it('a process without its database counts for itself', async () => {
  const [one, other] = await startProcesses();
  const limit = { name: 'n', max: 2, windowSeconds: 60 };
  const [away, present] = [createLimiter(limit, one?.db), createLimiter(limit, other?.db)];
  expect([await away.take('key'), await present.take('key'), await present.take('key')]).toEqual([0, 0, 60]);
  await one?.close();
  expect([await away.take('other'), await away.take('other'), await away.take('other')]).toEqual([0, 0, 60]);
  expect(await present.left('other')).toEqual({ count: 2, seconds: 0 });
});
