// Limits that hold for all processes on one PostgreSQL together: of plans, sign-ins, and providers; and pauses of silent hosts.
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { planOf, readPlans } from '#service/accounts/plans.ts';
import { createUsageMeter, type UsageMeter } from '#service/accounts/usage-meter.ts';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import { configWith } from '#service/config/config.ts';
import type { Database } from '#service/database/open-database.ts';
import { createHostBreaker } from '#service/delivery/queue/host-breaker.ts';
import { createFleetCounters } from '#service/limits/fleet-counters.ts';
import { createSharedPauses } from '#service/limits/shared-pauses.ts';
import { createAttemptGuard, createClientFailureCount } from '#service/limits/throttle.ts';
import { createProviderHealth } from '#service/weather/fetch/provider-health.ts';
import { createRequestBudget } from '#service/weather/fetch/request-budget.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { newDatabase } from '../engines.ts';

const log = pino({ level: 'silent' });
const application = 'app-1';
/** A busy machine may delay a statement by more than a request would wait. */
const busyMachineMs = 60_000;

/** What each of three processes has, with connections of its own, on one database. */
async function startProcesses() {
  const location = await newDatabase('postgres', '');
  const clock = createManualClock(Date.UTC(2026, 10, 21, 6));
  const start = async () => {
    const database = await openServiceDatabase({ ...location, clock: systemClock, log });
    onTestFinished(database.close);
    const counters = createFleetCounters({ ...database, machineClock: systemClock, log, timeoutMs: busyMachineMs });
    return { ...database, clock, counters, statements: countStatements(database) };
  };
  const processes = [await start(), await start(), await start()];
  await addApplication(processes[0]?.db);
  return { clock, processes };
}

function countStatements({ db }: Database): () => number {
  let count = 0;
  const { executeQuery } = db.getExecutor();
  Object.assign(db.getExecutor(), {
    executeQuery(this: unknown, ...parameters: Parameters<typeof executeQuery>) {
      count += 1;
      return executeQuery.apply(this as ThisParameterType<typeof executeQuery>, parameters);
    },
  });
  return () => count;
}

async function addApplication(db: Database['db'] | undefined): Promise<void> {
  const created = { created_at: 0 };
  await db
    ?.insertInto('accounts')
    .values({
      ...created,
      id: 'a',
      username: 'a',
      username_key: 'a',
      email: 'a',
      email_key: 'a',
      password_hash: '',
      is_operator: 0,
    })
    .execute();
  await db
    ?.insertInto('contracts')
    .values({ ...created, id: 'c', account_id: 'a', plan: 'drizzle' })
    .execute();
  await db
    ?.insertInto('applications')
    .values({
      ...created,
      id: application,
      client_id: 'client',
      account_id: 'a',
      contract_id: 'c',
      name: '',
      description: '',
      is_public: 0,
      allows_password: 0,
      requires_pkce: 0,
      is_sandbox: 0,
      terms_accepted_at: 0,
    })
    .execute();
}

function planWith(minute: number, day: number) {
  return planOf(readPlans(configWith({ dataFolder: '', planDrizzle: [10, minute, day] })), 'drizzle');
}

describe('a plan with three processes', () => {
  /** Sends requests to the processes in turns, as require-bearer.ts counts them; returns how many were accepted. */
  async function send(meters: readonly UsageMeter[], requests: number, plan: ReturnType<typeof planWith>) {
    const counted = await Promise.all(
      Array.from({ length: requests }, async (_, index) => {
        const meter = meters[index % meters.length] as UsageMeter;
        while (!meter.isLoaded(application, plan)) await meter.load(application, plan);
        return meter.count(application, plan) === undefined;
      }),
    );
    return counted.filter(Boolean).length;
  }

  it.each([
    ['a minute', 200, 0],
    ['a day', 0, 200],
    ['a day within the limit of a minute', 1_000, 200],
  ])('accepts as many requests of %s as it has, and at most a tenth more', async (_name, minute, day) => {
    const { clock, processes } = await startProcesses();
    const plan = planWith(minute, day);
    const meters = processes.map((one) => createUsageMeter({ ...one, log }));
    let accepted = 0;
    for (let batch = 0; batch < 30; batch += 1) accepted += await send(meters, 30, plan);
    expect(accepted).toBeGreaterThanOrEqual(200);
    expect(accepted).toBeLessThanOrEqual(220);
    clock.advance(86_400_000);
    expect(await send(meters, 30, plan)).toBe(30);
  });

  it('accepts all requests of an application that one process gets after the others had one each', async () => {
    const { processes } = await startProcesses();
    const plan = planWith(100, 0);
    const meters = processes.map((one) => createUsageMeter({ ...one, log }));
    await send(meters, 3, plan);
    expect(await send(meters.slice(0, 1), 200, plan)).toBe(99);
  });

  it('asks the database once in about twenty requests, and never for refused ones', async () => {
    const { processes } = await startProcesses();
    const plan = planWith(6_000, 0);
    const [meter, statements] = [
      createUsageMeter({ ...(processes[0] as (typeof processes)[0]), log }),
      processes[0]?.statements,
    ];
    const before = statements?.() ?? 0;
    expect(await send([meter], 3_000, plan)).toBe(3_000);
    expect((statements?.() ?? 0) - before).toBeLessThan(60);
    await send([meter], 4_000, plan);
    const spent = statements?.() ?? 0;
    expect(await send([meter], 1_000, plan)).toBe(0);
    expect(statements?.()).toBe(spent);
  });
});

describe('three processes', () => {
  it('count wrong client secrets and passwords together', async () => {
    const { processes } = await startProcesses();
    const counts = processes.map((one) => createClientFailureCount(one));
    const refused = await Promise.allSettled(
      Array.from({ length: 120 }, async (_, index) => counts[index % 3]?.('192.0.2.1', 'client')),
    );
    expect(refused.filter(({ status }) => status === 'fulfilled')).toHaveLength(40);
    await counts[0]?.('192.0.2.2', 'client');

    const [one, other] = processes.map((process) => createAttemptGuard(process, 'sign-ins'));
    for (let count = 0; count < 40; count += 1) await one?.failed('192.0.2.1', 'ann');
    await other?.learn('192.0.2.1', 'ann');
    expect(() => other?.check('192.0.2.1', 'ann')).toThrow('Too many failed sign-ins');
    expect(await processes[0]?.db.selectFrom('counters').select('key').where('key', 'like', '%ann%').execute()).toEqual(
      [],
    );
  });

  it('share the requests that a provider allows', async () => {
    const { clock, processes } = await startProcesses();
    const budgets = processes.map((one) =>
      createRequestBudget(one, 'host', [
        { seconds: 60, max: 50 },
        { seconds: 3_600, max: 80 },
      ]),
    );
    const take = async (count: number) => {
      const taken = await Promise.all(Array.from({ length: count }, async (_, index) => budgets[index % 3]?.take()));
      return taken.filter((spent) => spent === undefined).length;
    };
    expect(await take(40)).toBe(40);
    let more = 0;
    for (let count = 0; count < 30; count += 1) more += await take(1);
    expect(more).toBe(10);
    clock.advance(60_000);
    let hour = 0;
    for (let count = 0; count < 60; count += 1) hour += await take(1);
    expect(hour).toBe(30);
  });

  it('pause a host and a provider that one of them found silent, until one gets a response', async () => {
    const { processes } = await startProcesses();
    const parts = processes.slice(0, 2).map(({ db, engine }) => {
      const clock = createManualClock();
      const pauses = createSharedPauses({ db, engine, machineClock: systemClock, log });
      const breaker = createHostBreaker((host, silence) =>
        pauses.send('host', host, { ...silence, forMs: 0, leftMs: silence.restMs, reason: '' }),
      );
      pauses.listen('host', (host, pause) => breaker.learn(host, pause, clock.elapsed()));
      return { clock, pauses, breaker, health: createProviderHealth({ clock, log, pauses }) };
    });
    const [one, other] = parts as [(typeof parts)[0], (typeof parts)[0]];
    const exchange = async (from: typeof one, to: typeof one) => {
      await from.pauses.refresh();
      await to.pauses.refresh();
    };
    for (let count = 0; count < 3; count += 1) one.breaker.failedToRespond('https://silent.test', one.clock.elapsed());
    const failing = () => ({
      one: one.health.failing('open-meteo')?.since,
      other: other.health.failing('open-meteo')?.since,
    });
    const [firstFailedAt, begunAt] = [one.clock.now(), performance.now()];
    one.health.failed('open-meteo', new Error('down'));
    one.clock.advance(60_000);
    one.health.failed('open-meteo', new Error('down'));
    other.clock.advance(60_000);
    await exchange(one, other);
    expect(other.breaker.isResting('https://silent.test', other.clock.elapsed())).toBe(true);
    expect(other.health.restMs('open-meteo')).toBeGreaterThan(5_000);
    expect(other.health.failing('open-meteo')?.reason).toBe('an internal error occurred');
    // The first failure, not when this process read of it; the exchange took some real time.
    expect(failing().one).toBe(firstFailedAt);
    expect(failing().other).toBeLessThanOrEqual(firstFailedAt);
    expect(failing().other).toBeGreaterThan(firstFailedAt - (performance.now() - begunAt) - 1_000);

    other.breaker.responded('https://silent.test');
    other.health.succeeded('open-meteo');
    await exchange(other, one);
    expect(one.breaker.isDoubtful('https://silent.test')).toBe(false);
    expect(one.health.restMs('open-meteo')).toBe(0);
  });
});
