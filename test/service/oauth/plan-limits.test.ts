// Plans limit requests (docs/interface.md §8): 429 with Retry-After and the plan named, per minute and per day, over a
// restart.
import { expect, test } from 'vitest';
import { planOf } from '#service/accounts/plans.ts';
import { createUsageMeter } from '#service/accounts/usage-meter.ts';
import { fetchToken } from '#test/service/monitor-service.ts';
import { type OAuthService, probe, startOAuthService } from './oauth-service.ts';
import { registerApplication } from './registered-application.ts';

/** Calls with a token of these credentials. */
async function callsOf(service: OAuthService, credentials: Parameters<typeof fetchToken>[1]) {
  const token = await fetchToken(service.baseUrl, credentials);
  return { token, call: () => probe(service, token) };
}

test('the request after the last one of a minute is refused, and the next minute lets it through', async () => {
  const service = await startOAuthService({ planDrizzle: [10, 3, 100] });
  const { call } = await callsOf(service, await registerApplication(service, { plan: 'drizzle' }));
  const allowed = [await call(), await call(), await call()];
  expect(allowed.map(({ status }) => status)).toEqual([200, 200, 200]);
  const refused = await call();
  // As in https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-10, section 6: q and w in seconds, r and t.
  const responses = [...allowed, refused];
  expect(new Set(responses.map(({ headers }) => headers.get('ratelimit-policy')))).toEqual(
    new Set(['"minute";q=3;w=60, "day";q=100;w=86400']),
  );
  expect(responses.map(({ headers }) => headers.get('ratelimit'))).toEqual(
    [2, 1, 0, 0].map((left) => `"minute";r=${left};t=60, "day";r=${left + 97};t=64800`),
  );
  const exposed = refused.headers.get('access-control-expose-headers')?.split(', ');
  expect(exposed).toEqual(expect.arrayContaining(['ratelimit', 'ratelimit-policy', 'retry-after']));
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe('60');
  expect(await refused.json()).toEqual({
    error: 'rate_limited',
    error_description: 'The Drizzle plan allows 3 requests a minute. Try again in 60 s, or choose a larger plan.',
  });
  service.clock.advance(60);
  expect((await call()).status).toBe(200);
});

test('requests during a write of the count are not lost', async () => {
  const service = await startOAuthService({ planDrizzle: [10, 0, 100] });
  const { id } = await registerApplication(service, { plan: 'drizzle' });
  const plan = planOf(service.oauth.plans, 'drizzle');
  const meter = createUsageMeter({ db: service.db, clock: service.clock, log: service.log });
  await meter.load(id);
  meter.count(id, plan);
  const writing = meter.write();
  meter.count(id, plan);
  await writing;
  expect(meter.fields(id, plan)['ratelimit']).toContain('"day";r=98');
  await meter.close();
  expect(await meter.days(id)).toMatchObject([{ requests: 2 }]);
});

test('the daily count continues after the minute, and a restart does not reset it', async () => {
  const service = await startOAuthService({ planDrizzle: [10, 0, 2], accessTokenSeconds: 172_800 });
  const application = await registerApplication(service, { plan: 'drizzle' });
  const { id } = application;
  const { call } = await callsOf(service, application);
  await call();
  await call();
  const refused = await call();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, String(18 * 3600)]);
  expect(await refused.json()).toMatchObject({
    error_description: expect.stringContaining('The Drizzle plan allows 2 requests a day.') as string,
  });
  await service.oauth.usage.write();
  const restarted = createUsageMeter({ db: service.db, clock: service.clock, log: service.log });
  const plan = planOf(service.oauth.plans, 'drizzle');
  await restarted.load(id);
  expect(restarted.count(id, plan)?.window).toBe('day');
  service.clock.advance(18 * 3600);
  expect((await call()).status).toBe(200);
});

test('a day that begins while the database is away lets requests through, and no request of either day is lost', async () => {
  const service = await startOAuthService({ planDrizzle: [10, 0, 3] });
  const { id } = await registerApplication(service, { plan: 'drizzle' });
  const plan = planOf(service.oauth.plans, 'drizzle');
  const meter = createUsageMeter({ db: service.db, clock: service.clock, log: service.log });
  await meter.load(id);
  expect([meter.count(id, plan), meter.count(id, plan)]).toEqual([undefined, undefined]);
  await service.db.schema.alterTable('usage').renameTo('usage_away').execute();
  const writing = meter.write();
  service.clock.advance(18 * 3600);
  expect(meter.isLoaded(id)).toBe(false);
  await meter.load(id);
  expect(meter.isLoaded(id)).toBe(true);
  expect(meter.count(id, plan)).toBeUndefined();
  await expect(writing).rejects.toThrow('usage');
  await expect(meter.write()).rejects.toThrow('usage');
  await service.db.schema.alterTable('usage_away').renameTo('usage').execute();
  expect(await meter.days(id)).toMatchObject([{ requests: 1 }, { requests: 2 }]);
  expect(meter.fields(id, plan)['ratelimit']).toContain('"day";r=2');
});

test('the sandbox and applications of the operator have no limit', async () => {
  const service = await startOAuthService({ planDrizzle: [1, 1, 1] });
  const { call } = await callsOf(service, service.sandbox);
  const answers = [await call(), await call(), await call()];
  expect(answers.map(({ status, headers }) => [status, headers.has('ratelimit')])).toEqual(Array(3).fill([200, false]));
});

test('a hot path that cannot wait also counts, and returns to the slow path if the token is unknown or the plan is used up', async () => {
  const service = await startOAuthService({ planDrizzle: [10, 3, 100] });
  const { token, call } = await callsOf(service, await registerApplication(service, { plan: 'drizzle' }));
  expect(service.oauth.countKnown(token)).toBeUndefined();
  await call();
  expect(service.oauth.countKnown(token)?.ratelimit).toBe('"minute";r=1;t=60, "day";r=98;t=64800');
  expect(service.oauth.countKnown(token)).toBeDefined();
  expect(service.oauth.countKnown(token)).toBeUndefined();
  expect((await call()).status).toBe(429);
});

test('the monitor limit of an application comes from its plan, its account, and the settings', async () => {
  const service = await startOAuthService({ planDrizzle: [3, 0, 0], monitorLimit: 9, accountMonitors: 7 });
  const { oauth } = service;
  const own = await registerApplication(service);
  const { id: applicationId } = await registerApplication(service, { plan: 'drizzle', name: 'Raincoat' });
  const account = { id: own.accountId };
  expect(await oauth.monitorLimitOf(own.id)).toEqual({
    limit: 9,
    plan: 'In-house',
    account: { ...account, limit: undefined },
  });
  expect(await oauth.monitorLimitOf(applicationId)).toEqual({
    limit: 3,
    plan: 'Drizzle',
    account: { ...account, limit: 7 },
  });
  expect(oauth.applicationLimit).toBe(service.config.accountApplications);
  await expect(oauth.monitorLimitOf('deleted')).rejects.toMatchObject({
    code: 'access_denied',
    status: 403,
    message: 'This application was deleted.',
  });
});
