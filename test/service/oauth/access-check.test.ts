// Which access tokens a process accepts from its cache: after revocations, while the database fails or hangs, and how many.
import type { KyselyPlugin } from 'kysely';
import { expect, test } from 'vitest';
import { createAccessCheck } from '#service/oauth/access-check.ts';
import { TokenStore, type KnownAccess } from '#service/oauth/token-store.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { fetchToken } from '#test/service/monitor-service.ts';
import { sha256, startOAuthService } from './oauth-service.ts';

/** A real database whose answers fail or are held back. */
function unreliable() {
  let answer = async () => {};
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await answer();
      return result;
    },
  };
  return {
    plugin,
    fail: () => void (answer = () => Promise.reject(new Error('The database is away.'))),
    hold(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      answer = () => promise;
      return () => {
        answer = async () => {};
        resolve();
      };
    },
  };
}

async function start() {
  const service = await startOAuthService();
  const { db, clock, oauth } = service;
  const token = await fetchToken(service.baseUrl, service.sandbox);
  const database = unreliable();
  const machine = createManualClock();
  const dependencies = { db: db.withPlugin(database.plugin), clock, machineClock: machine };
  const { lifetimes } = oauth.tokens;
  const tokens = new TokenStore({ db: dependencies.db, clock, lifetimes, onRevoked: () => {} });
  const check = createAccessCheck({ ...dependencies, tokens });
  return { service, token, database, machine, dependencies, check };
}

test('while the database fails, a cached token stays valid for a minute after the last look at revocations', async () => {
  const { token, database, machine, check } = await start();
  expect(await check.find(token)).toMatchObject({ kind: 'client_credentials' });
  database.fail();
  machine.advance(59_999);
  expect(await check.find(token)).toMatchObject({ kind: 'client_credentials' });
  machine.advance(1);
  await expect(check.find(token)).rejects.toThrow('The database is away.');
});

test.each([250, 30_000])(
  'a request waits half a second for revocations that do not arrive %i ms after the last ones, and the next ones do not wait',
  async (agoMs) => {
    const { service, token, database, machine, check } = await start();
    const known = await check.find(token);
    if (!known) throw new Error('The token is valid.');
    const release = database.hold();
    machine.advance(agoMs);
    let isFound = false;
    const slow = check.find(token).finally(() => (isFound = true));
    machine.advance(499);
    await new Promise((resolve) => void setImmediate(resolve));
    expect(isFound).toBe(false);
    machine.advance(1);
    expect(await slow).toEqual(known);
    const next = check.find(token);
    machine.advance(0);
    expect(await next).toEqual(known);

    // What was revoked meanwhile counts once the database answers.
    await service.oauth.tokens.revoke({ applicationId: known.applicationId });
    release();
    await expect.poll(() => check.find(token)).toBeUndefined();
  },
);

test('the oldest of 50,000 cached tokens is looked up again after the next one', async () => {
  const { service, token, dependencies } = await start();
  const known = await service.oauth.tokens.findAccessToken(token);
  const lookUps: string[] = [];
  const findAccessToken = async (text: string) => {
    lookUps.push(text);
    return known;
  };
  const check = createAccessCheck({ ...dependencies, tokens: { findAccessToken } });
  for (let index = 0; index <= 50_000; index += 1) await check.find(`token ${index}`);
  lookUps.length = 0;
  await check.find('token 50000');
  await check.find('token 1');
  expect(lookUps).toEqual([]);
  await check.find('token 0');
  expect(lookUps).toEqual(['token 0']);
});

test('a cached token is used for a quarter of a second, and revocations apply to what they name', async () => {
  const { db, clock } = await startOAuthService();
  const machineClock = createManualClock();
  const access = (name: string, changes: Partial<KnownAccess> = {}): KnownAccess => ({
    applicationId: 'app',
    accountId: null,
    ownerId: 'owner',
    kind: 'client_credentials',
    scope: [],
    grantId: `grant of ${name}`,
    expiresAt: clock.now() + 1_000,
    plan: 'drizzle',
    ...changes,
  });
  const known = new Map<string, KnownAccess>();
  const lookUps: string[] = [];
  const findAccessToken = async (token: string) => {
    lookUps.push(token);
    return known.get(token);
  };
  const check = createAccessCheck({ db, clock, machineClock, tokens: { findAccessToken } });
  for (const name of ['a', 'b']) known.set(name, access(name));
  known.set('user', access('user', { accountId: 'user', applicationId: 'other' }));
  expect([check.peek('a'), check.accountOf('a')]).toEqual([undefined, undefined]);
  const findAll = () => Promise.all(['a', 'b', 'user'].map((name) => check.find(name)));
  expect(await findAll()).toEqual([known.get('a'), known.get('b'), known.get('user')]);
  expect([check.peek('a'), check.accountOf('a'), check.accountOf('x')]).toEqual([known.get('a'), 'owner', undefined]);
  await findAll();
  expect(lookUps).toEqual(['a', 'b', 'user']);
  machineClock.advance(249);
  expect(check.peek('a')).toEqual(known.get('a'));
  machineClock.advance(1);
  expect(check.peek('a')).toBeUndefined();

  const dropped = async (revoked: Parameters<typeof check.drop>[0]) => {
    await findAll();
    lookUps.length = 0;
    check.drop(revoked);
    await findAll();
    return lookUps.toSorted();
  };
  const hash = sha256('a');
  expect(await dropped([])).toEqual([]);
  expect(await dropped([{ kind: 'token', subject: hash }])).toEqual(['a']);
  expect(await dropped([{ kind: 'token', subject: 'grant of b' }])).toEqual([]);
  expect(await dropped([{ kind: 'grant', subject: 'grant of b' }])).toEqual(['b']);
  expect(await dropped([{ kind: 'application', subject: 'app' }])).toEqual(['a', 'b']);
  expect(await dropped([{ kind: 'account', subject: 'user' }])).toEqual(['user']);
  expect(await dropped([{ kind: 'account', subject: 'owner' }])).toEqual(['a', 'b', 'user']);
  expect(await dropped([{ kind: 'account', subject: 'app' }])).toEqual([]);
  check.forget();
  expect(check.peek('a')).toBeUndefined();
  await findAll();

  // A lookup that began before a revocation is not cached after it.
  for (const end of [() => check.forget(), () => check.drop([{ kind: 'grant', subject: 'x' }])]) {
    check.drop([{ kind: 'token', subject: hash }]);
    const early = check.find('a');
    end();
    expect(await early).toEqual(known.get('a'));
    expect(check.peek('a')).toBeUndefined();
  }

  await findAll();
  clock.advance(0.999);
  expect(await check.find('a')).toEqual(known.get('a'));
  clock.advance(0.001);
  expect([await check.find('a'), check.peek('a')]).toEqual([undefined, undefined]);
  // It was valid, so its client doesn't queue with anonymous ones, until a lookup finds nothing.
  expect(check.accountOf('a')).toBe('owner');
  check.forget();
  await check.find('a');
  expect(check.accountOf('a')).toBeUndefined();
});
