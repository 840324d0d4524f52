// The clock of a service on PostgreSQL is the database's, whatever the machine's own clock shows.
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { type Clock, systemClock } from '#shared/time/clock.ts';
import { introductionOf } from '#service/app/embedded-service.ts';
import { createDatabaseClock, readServerTime } from '#service/database/database-clock.ts';
import { startCallbackEndpoint } from '../callback-endpoint.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { hourMs } from '#test/service/monitors/delivery/delivery-harness.ts';
import { newPostgres } from '../engines.ts';
import { eventually } from '../eventually.ts';
import { apiCaller, fetchToken, turin } from '../monitor-service.ts';
import { openFor } from '../process-harness.ts';
import { startOwnService } from '#test/service/start-own-service.ts';

/** Far less than any skew here; the database of the tests runs on this machine. */
const toleranceMs = 20_000;

/** The machine's clock, set wrongly. `jump` is what its watch of jumps would find. */
function wrongClock(skewMs: number): Clock & { jump(): void } {
  const listeners = new Set<() => void>();
  return {
    ...systemClock,
    now: () => systemClock.now() + skewMs,
    onJump(run) {
      listeners.add(run);
      return () => void listeners.delete(run);
    },
    jump: () => listeners.forEach((run) => run()),
  };
}

async function startClock(machineClock: Clock, offsetMs = () => 0) {
  const { db } = await openFor({ url: await newPostgres() });
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const readTime = async () => (await readServerTime(db)) + offsetMs();
  const clock = await createDatabaseClock({ machineClock, readServerTime: readTime, log });
  onTestFinished(() => clock.close());
  return { clock, lines };
}

it.each([10_000, -4 * hourMs])('a machine whose clock is %i ms off warns with both times', async (skewMs) => {
  const { clock, lines } = await startClock(wrongClock(skewMs));
  expect(Math.abs(clock.now() - systemClock.now())).toBeLessThan(5_000);
  expect(lines).toHaveLength(1);
  const { level, databaseTime, machineTime } = lines[0] ?? {};
  expect(level).toBe(pino.levels.values['warn']);
  const apartMs = Date.parse(String(machineTime)) - Date.parse(String(databaseTime));
  expect(Math.abs(apartMs - skewMs)).toBeLessThan(5_000);
});

it('is as right as the fastest of its first measurements', async () => {
  const machineClock = createManualClock();
  const delays = [8_000, 2, 500];
  const readTime = async () => {
    const time = machineClock.now();
    machineClock.advance(delays.shift() ?? 0);
    return time;
  };
  const clock = await createDatabaseClock({ machineClock, readServerTime: readTime, log: pino({ level: 'silent' }) });
  onTestFinished(() => clock.close());
  expect(Math.abs(clock.now() - machineClock.now())).toBeLessThanOrEqual(1);
});

it('follows a database whose clock changes, as after a failover, and says so to what has plans', async () => {
  const machineClock = wrongClock(0);
  let offsetMs = 0;
  const { clock, lines } = await startClock(machineClock, () => offsetMs);
  let jumps = 0;
  clock.onJump(() => (jumps += 1));
  expect(lines).toEqual([]);
  // A jump of only the machine's clock moves nothing.
  machineClock.jump();
  offsetMs = hourMs;
  await eventually(() => {
    machineClock.jump();
    expect(jumps).toBe(1);
  });
  expect(Math.abs(clock.now() - systemClock.now() - hourMs)).toBeLessThan(5_000);
  await eventually(() => expect(lines).toHaveLength(1));
});

it('gates, events, and monitors of a machine whose clock is 4 h ahead have the time of the database', async () => {
  const url = await newPostgres();
  const service = await startOwnService({ databaseUrl: url }, { clock: wrongClock(4 * hourMs) });
  const introduction = introductionOf(service);
  const call = apiCaller(introduction.baseUrl, await fetchToken(introduction.baseUrl, introduction));
  const endpoint = await startCallbackEndpoint();
  const monitor = { monitor_type: 'precipitation', callback_uri: endpoint.url, geo: turin };
  expect((await call('POST', '/v2/monitors/', monitor)).status).toBe(201);
  await call('POST', '/sandbox/scenarios', { center: turin, minutes: 60 });
  const [callback] = await endpoint.waitFor(1);
  const { db } = await openFor({ url });
  const row = await db
    .selectFrom('monitors')
    .innerJoin('events', 'events.monitor_id', 'monitors.id')
    .innerJoin('watch_cells', 'watch_cells.cell', 'monitors.cell')
    .select(['created_at', 'gate_opens_at', 'occurred_at', 'next_look_at'])
    .executeTakeFirstOrThrow();
  const now = systemClock.now();
  const about = (instant: number) => (Math.abs(instant - now) < toleranceMs ? 'now' : new Date(instant).toISOString());
  expect({
    created: about(row.created_at),
    occurred: about(row.occurred_at),
    gate: about(row.gate_opens_at - hourMs),
    signed: about(Number(callback?.headers['webhook-timestamp']) * 1000),
  }).toEqual({ created: 'now', occurred: 'now', gate: 'now', signed: 'now' });
  expect(row.next_look_at - now).toBeLessThan(hourMs);
});
