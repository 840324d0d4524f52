// Plans limit requests (docs/interface.md §8): 429 with Retry-After and the plan named, per minute and per day, over a
// restart.
import { expect, test } from 'vitest';
import { planOf } from '#service/accounts/plans.ts';
import { createUsageMeter } from '#service/accounts/usage-meter.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { basic, type OAuthService, postToken, startOAuthService } from './oauth-service.ts';
import { registerApplication } from './registered-application.ts';

async function callsOf(service: OAuthService) {
  const { clientId, clientSecret, id } = await registerApplication(service, { plan: 'drizzle' });
  const { answer } = await postToken(
    service,
    { grant_type: 'client_credentials' },
    { authorization: basic(clientId, clientSecret) },
  );
  const token = String(answer['access_token']);
  const headers = { authorization: `Bearer ${token}` };
  return { id, token, call: () => fetch(`${service.baseUrl}/v2/probe`, { headers }) };
}

test('the request after the last one of a minute is refused, and the next minute lets it through', async () => {
  const service = await startOAuthService({ planDrizzle: [10, 3, 100] });
  const { call } = await callsOf(service);
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
  expect(((await refused.json()) as { error_description: string }).error_description).toContain(
    'The Drizzle plan allows 3 requests a minute',
  );
  service.clock.advance(60);
  expect((await call()).status).toBe(200);
});

test.each<[[number, number, number], string, string]>([
  [[9, 1, 0], '60', 'The Drizzle plan allows 1 request a minute. Try again in 60 s, or choose a larger plan.'],
  [[9, 2, 0], '60', 'The Drizzle plan allows 2 requests a minute. Try again in 60 s, or choose a larger plan.'],
  [[9, 0, 1], '64800', 'The Drizzle plan allows 1 request a day. Try again in 64800 s, or choose a larger plan.'],
  [[9, 0, 2], '64800', 'The Drizzle plan allows 2 requests a day. Try again in 64800 s, or choose a larger plan.'],
])('a plan of %j refuses the next request', async (planDrizzle, seconds, words) => {
  const service = await startOAuthService({ planDrizzle });
  const { id, token, call } = await callsOf(service);
  // Before anything is known of the plan's use, the fast path counts nothing.
  expect(service.oauth.countKnown(token)).toBeUndefined();
  expect(service.oauth.usage.isLoaded(id)).toBe(false);
  for (let count = Math.max(planDrizzle[1], planDrizzle[2]); count > 0; count -= 1)
    expect((await call()).status).toBe(200);
  expect(service.oauth.countKnown(token)).toBeUndefined();
  const refused = await call();
  expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
    429,
    seconds,
    { error: 'rate_limited', error_description: words },
  ]);
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
  const { id, call } = await callsOf(service);
  await call();
  await call();
  const refused = await call();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, String(18 * 3600)]);
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
  const { clientId, clientSecret } = service.sandbox;
  const { answer } = await postToken(
    service,
    { grant_type: 'client_credentials' },
    { authorization: basic(clientId, clientSecret) },
  );
  const headers = { authorization: `Bearer ${String(answer['access_token'])}` };
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => fetch(`${service.baseUrl}/v2/probe`, { headers })),
  );
  expect(answers.every((one) => one.status === 200)).toBe(true);
  expect(answers[0]?.headers.has('ratelimit')).toBe(false);
});

test('a hot path that cannot wait also counts, and returns to the slow path if the token is unknown', async () => {
  const service = await startOAuthService({ planDrizzle: [10, 3, 100] });
  const { clientId, clientSecret } = await registerApplication(service, { plan: 'drizzle' });
  const { answer } = await postToken(
    service,
    { grant_type: 'client_credentials' },
    { authorization: basic(clientId, clientSecret) },
  );
  const token = String(answer['access_token']);
  expect(service.oauth.countKnown(token)).toBeUndefined();
  await fetch(`${service.baseUrl}/v2/probe`, { headers: { authorization: `Bearer ${token}` } });
  expect(service.oauth.countKnown(token)?.ratelimit).toBe('"minute";r=1;t=60, "day";r=98;t=64800');
  expect(service.oauth.countKnown(token)).toBeDefined();
  expect(service.oauth.countKnown(token)).toBeUndefined();
});

test('a revocation by another process counts within a quarter of a second', async () => {
  const machine = createManualClock();
  const service = await startOAuthService({}, undefined, machine);
  const { id, call } = await callsOf(service);
  expect((await call()).status).toBe(200);
  const { TokenStore } = await import('#service/oauth/token-store.ts');
  const other = new TokenStore({
    db: service.db,
    clock: service.clock,
    lifetimes: service.oauth.tokens.lifetimes,
    onRevoked: () => {},
  });
  await other.revoke({ applicationId: id });
  machine.advance(250);
  expect((await call()).status).toBe(401);
});
