// The service and the app as real processes whose wall clock jumps while they run.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { defaultSettings } from '#contract/app-rpc/default-settings.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { eventually } from '#test/service/eventually.ts';
import { turin } from '#test/service/monitor-service.ts';
import { type FakeWallClock, fakeWallClock, missingFakeClock } from './fake-wall-clock.ts';
import { startCallableService, startReceivingApp } from './started-processes.ts';

const sweepSeconds = 5;
const dayMinutes = 1_440;

beforeEach(({ skip }) => skip(missingFakeClock !== undefined, missingFakeClock));

/** A service with one monitor, and rain on it for three days of its clock. */
async function startRainyService(hoursAhead: number, callbackUri: string) {
  const folder = temporaryFolder();
  const wallClock = fakeWallClock(hoursAhead);
  const { call } = await startCallableService(['--data', folder, '--provider', 'simulation'], {
    ...wallClock.environment,
    RAINBELL_SWEEP_SECONDS: String(sweepSeconds),
    RAINBELL_LOG_LEVEL: 'warn',
  });
  const rain = { center: turin, status: 'rainy', minutes: 3 * dayMinutes };
  expect((await call('POST', '/sandbox/scenarios', rain)).status).toBe(200);
  const monitor = { monitor_type: 'precipitation', callback_uri: callbackUri, geo: turin };
  expect((await call('POST', '/v2/monitors/', monitor)).status).toBe(201);
  const database = new DatabaseSync(join(folder, 'service', 'service.sqlite'), { readOnly: true });
  onTestFinished(() => database.close());
  const number = (sql: string) => Number(Object.values(database.prepare(sql).get() ?? {})[0]);
  return {
    wallClock,
    /** Seconds until the next check of the cell, by the service's clock. */
    nextLookSeconds: () => (number('SELECT next_look_at FROM watch_cells') - wallClock.now()) / 1000,
    attemptsOfEvent: () => number('SELECT count(*) FROM attempts'),
  };
}

test('a service that started 4 h fast and is then corrected sweeps, retries, and opens gates an hour after the correction', async () => {
  // 500 to both attempts of the first event, then 204.
  const endpoint = await startCallbackEndpoint((_callback, response, index) => {
    response.writeHead(index < 2 ? 500 : 204).end();
  });
  const service = await startRainyService(4, endpoint.url);
  await endpoint.waitFor(1);
  service.wallClock.setAhead(0);
  await eventually(() => expect(service.nextLookSeconds()).toBeLessThanOrEqual(sweepSeconds + 1));
  // The second attempt follows the correction at once, not four hours later.
  const [first, second] = await endpoint.waitFor(2);
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  // The third is planned for a minute later; five minutes forward make it due.
  await eventually(() => expect(service.attemptsOfEvent()).toBe(2));
  service.wallClock.setAhead(5 / 60);
  const third = (await endpoint.waitFor(3))[2];
  expect(third?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  service.wallClock.setAhead(1 + 6 / 60);
  const fourth = (await endpoint.waitFor(4))[3];
  expect(fourth?.headers['webhook-id']).not.toBe(first?.headers['webhook-id']);
});

test('an app whose clock jumps renews its token after a jump forward, and after one back', async () => {
  const wallClock = fakeWallClock(0);
  const { client } = await startReceivingApp(temporaryFolder(), wallClock.environment);
  const forecast = () => client.forecast.get(turin);
  await forecast();
  const obtainedAt = async () => {
    const { token } = await client.app.status();
    return token.state === 'valid' ? Date.parse(token.obtainedAt ?? '') : Number.NaN;
  };
  const first = await obtainedAt();

  wallClock.setAhead(3);
  // Without any request, the app notices the jump.
  await eventually(async () => expect(await obtainedAt()).toBeGreaterThan(first + 2.9 * 3_600_000));
  expect((await forecast()).points.length).toBeGreaterThan(70);

  wallClock.setAhead(-1);
  await eventually(async () => expect(await obtainedAt()).toBeLessThanOrEqual(wallClock.now()));
  expect((await forecast()).points.length).toBeGreaterThan(70);
});

const day = 24;

/** A start of the app with a data folder that may hold callbacks already. */
async function startKeepingApp(folder: string, clock: FakeWallClock) {
  const { app, client, send } = await startReceivingApp(folder, clock.environment);
  return {
    stop: app.stop,
    receive: async (name: string) => expect((await send('', `/${name}`)).status).toBe(200),
    stored: async () => (await client.callbacks.list({})).items.map(({ target }) => target).toSorted(),
    async keepDays(keptDays: number) {
      await client.settings.update({ keptLimits: { ...defaultSettings.keptLimits, keptDays } });
    },
  };
}

test('an app whose clock is ahead keeps its callbacks until the clock has been steady for ten minutes', async () => {
  const folder = temporaryFolder();
  const jumping = fakeWallClock(0);
  const first = await startKeepingApp(folder, jumping);
  await first.receive('before');
  await first.keepDays(7);
  // Ahead for a moment. A change of limits applies at once, so what it would delete is gone before the next callback.
  jumping.setAhead(30 * day);
  await first.keepDays(6);
  await first.receive('ahead');
  expect(await first.stored()).toEqual(['/ahead', '/before']);
  jumping.setAhead(0);
  await first.keepDays(5);
  await first.receive('corrected');
  expect(await first.stored()).toEqual(['/ahead', '/before', '/corrected']);
  await first.stop();

  // A start with the clock ahead sees no jump.
  const passing = fakeWallClock(40 * day, { passing: true });
  const second = await startKeepingApp(folder, passing);
  await second.keepDays(4);
  await second.receive('later');
  expect(await second.stored()).toEqual(['/ahead', '/before', '/corrected', '/later']);
  // Eleven minutes pass on both clocks; nothing but time makes the app look. If it looks while only one has passed, it sees a jump, and
  // waits for another ten.
  let minutes = 0;
  await eventually(async () => {
    minutes += 11;
    passing.setAhead(40 * day + minutes / 60);
    expect(await second.stored()).toEqual(['/later']);
  });
});

test('an app that moves its clock on by days deletes at once what a shorter age no longer allows', async () => {
  const clock = fakeWallClock(0, { passing: true });
  const app = await startKeepingApp(temporaryFolder(), clock);
  await app.receive('old');
  clock.setAhead(2 * day);
  await app.receive('young');
  // An app that looks between the moves of its two clocks sees a jump, and waits for ten minutes. So they pass, with nothing to delete.
  let minutes = 0;
  await eventually(async () => {
    await app.keepDays(7);
    clock.setAhead(2 * day + minutes / 60);
    minutes += 11;
    await app.keepDays(1);
    // Well before the next look, which is a minute away.
    await expect.poll(app.stored, { timeout: 10_000 }).toEqual(['/young']);
  });
});
