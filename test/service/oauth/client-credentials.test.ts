// Client credentials on both databases: what is stored for them, how long their refresh token is good, and that a revocation
// affects only its own tokens.
import { sql, type KyselyPlugin } from 'kysely';
import { expect, test } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { createApplicationStore } from '#service/accounts/application-store.ts';
import { createAccessCheck } from '#service/oauth/access-check.ts';
import { createExpiryCleanup } from '#service/oauth/forget-expired.ts';
import { createTokenGrants } from '#service/oauth/token-grants.ts';
import { TokenStore } from '#service/oauth/token-store.ts';
import { engines, type Engine } from '#test/service/engines.ts';
import { openOAuth } from './oauth-service.ts';
import { registerApplication } from './registered-application.ts';

async function start(engine: Engine) {
  const parts = await openOAuth(engine);
  const { oauth } = parts;
  async function addApplication(name: string) {
    const { clientId } = await registerApplication(parts, { name });
    const find = async () => {
      const found = await oauth.applications.findActive(clientId);
      if (!found) throw new Error('There is no such application.');
      return found;
    };
    const issue = async () => oauth.tokens.issueClientTokens(await find());
    const refresh = async (token: string) => {
      const form = new Map([['refresh_token', token]]);
      const { refresh_token: refresh } = createTokenGrants(oauth.tokens, oauth.signIn);
      return refresh({ application: await find(), form, address: '127.0.0.1' });
    };
    return { clientId, find, issue, refresh };
  }
  return { ...parts, addApplication };
}

test.each(engines)('%s: a token costs one row, and its refresh token none', async (engine) => {
  const { db, clock, oauth, addApplication } = await start(engine);
  const application = await addApplication('Umbrella');
  const issued = await Promise.all(Array.from({ length: 20 }, () => application.issue()));
  const count = async (table: 'grants' | 'access_tokens' | 'refresh_tokens') =>
    (await db.selectFrom(table).selectAll().execute()).length;
  expect([await count('grants'), await count('access_tokens'), await count('refresh_tokens')]).toEqual([1, 20, 0]);
  expect(await oauth.tokens.findAccessToken(issued[7]?.accessToken ?? '')).toMatchObject({
    kind: 'client_credentials',
    accountId: null,
  });
  clock.advance(2 * 3600 + 1);
  await createExpiryCleanup(db, clock)();
  expect(await count('access_tokens')).toBe(0);
  // Weeks later, with a key that all processes on this database share.
  const other = new TokenStore({ db, clock, lifetimes: oauth.tokens.lifetimes, onRevoked: () => {} });
  clock.advance(80 * 86_400);
  expect(await other.findRefreshToken(issued[7]?.refreshToken ?? '')).toMatchObject({ replaced_at: null });
  const refreshed = await application.refresh(issued[7]?.refreshToken ?? '');
  expect(refreshed.refresh_token).toBe(issued[7]?.refreshToken);
  expect(await oauth.tokens.findAccessToken(refreshed.access_token)).toMatchObject({ kind: 'client_credentials' });
  clock.advance(10 * 86_400);
  await expect(application.refresh(issued[7]?.refreshToken ?? '')).rejects.toMatchObject({ code: 'invalid_grant' });
});

test.each(engines)('%s: they share one grant, which is replaced once it is revoked', async (engine) => {
  const { db, clock, oauth, addApplication } = await start(engine);
  const { find, issue } = await addApplication('Umbrella');
  const before = await find();
  const first = await issue();
  // Also for a caller that read the application before there was a grant.
  await oauth.tokens.issueClientTokens(before);
  const stale = await find();
  await oauth.tokens.revoke({ grantId: stale.client_grant ?? '' });
  expect(await oauth.tokens.findAccessToken(first.accessToken)).toBeUndefined();
  const issued = await Promise.all([0, 1, 2].map(() => oauth.tokens.issueClientTokens(stale)));
  const found = await Promise.all(issued.map(({ accessToken }) => oauth.tokens.findAccessToken(accessToken)));
  expect(found.map((known) => known?.kind)).toEqual(Array(3).fill('client_credentials'));
  const grants = await db.selectFrom('grants').select(['id', 'revoked_at']).orderBy('revoked_at').execute();
  expect(grants).toHaveLength(2);
  expect(grants).toEqual(
    expect.arrayContaining([
      { id: stale.client_grant, revoked_at: clock.now() },
      { id: (await find()).client_grant, revoked_at: null },
    ]),
  );
  const last = await find();
  await oauth.applications.remove(last);
  await expect(oauth.tokens.issueClientTokens(last)).rejects.toMatchObject({
    code: 'invalid_client',
    message: 'This application was deleted.',
  });
});

test.each(engines)('%s: a revoked refresh token ends what it gave and nothing else', async (engine) => {
  const { db, clock, oauth, addApplication } = await start(engine);
  const application = await addApplication('Umbrella');
  const [one, other] = [await application.issue(), await application.issue()];
  const refreshed = await application.refresh(one.refreshToken);
  const found = await oauth.tokens.findRefreshToken(one.refreshToken);
  if (found?.family === undefined) throw new Error('The refresh token was not found.');
  await oauth.tokens.revoke({ grantId: found.grant_id, family: found.family, expiresAt: found.expires_at });
  for (const token of [one.accessToken, refreshed.access_token]) {
    expect(await oauth.tokens.findAccessToken(token)).toBeUndefined();
  }
  expect(await oauth.tokens.findAccessToken(other.accessToken)).toBeDefined();
  expect(await oauth.tokens.findRefreshToken(one.refreshToken)).toBeUndefined();
  expect(await oauth.tokens.findRefreshToken(other.refreshToken)).toBeDefined();
  clock.advance(80 * 86_400);
  await createExpiryCleanup(db, clock)();
  await expect(application.refresh(one.refreshToken)).rejects.toMatchObject({ code: 'invalid_grant' });
});

test('a new secret, another application, and a changed text are refused', async () => {
  const { oauth, addApplication } = await start('sqlite');
  const [application, other] = [await addApplication('Umbrella'), await addApplication('Raincoat')];
  const { refreshToken } = await application.issue();
  await expect(other.refresh(refreshToken)).rejects.toMatchObject({ code: 'invalid_grant' });
  const last = refreshToken.at(-9);
  const changed = `${refreshToken.slice(0, -9)}${last === 'A' ? 'B' : 'A'}${refreshToken.slice(-8)}`;
  await expect(application.refresh(changed)).rejects.toMatchObject({ code: 'invalid_grant' });
  await oauth.applications.renewSecret(await application.find());
  await expect(application.refresh(refreshToken)).rejects.toMatchObject({ code: 'invalid_grant' });
  const renewed = await application.issue();
  expect(await oauth.tokens.findAccessToken(renewed.accessToken)).toBeDefined();
  expect(await application.refresh(renewed.refreshToken)).toMatchObject({ token_type: 'bearer' });
});

/** Counts the look-ups of access tokens. */
function counter() {
  let lookUps = 0;
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      if (JSON.stringify(node).includes('access_tokens')) lookUps += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return { plugin, lookUps: () => lookUps };
}

test.each(engines)('%s: a process notices revocations by another, at no cost to other tokens', async (engine) => {
  const { db, clock, config, oauth, addApplication } = await start(engine);
  const [own, foreign] = [await addApplication('Umbrella'), await addApplication('Raincoat')];
  const { plugin, lookUps } = counter();
  const counted = db.withPlugin(plugin);
  const tokens = new TokenStore({ db: counted, clock, lifetimes: config, onRevoked: () => {} });
  const check = createAccessCheck({ db: counted, clock, machineClock: systemClock, tokens });
  const issued = await Promise.all(Array.from({ length: 20 }, async () => (await own.issue()).accessToken));
  const useAll = async () => (await Promise.all(issued.map((token) => check.find(token)))).filter(Boolean).length;
  const isRefused = async (token: string) => (await check.find(token)) === undefined;
  const [theirs, last] = [await foreign.issue(), await foreign.issue()];
  expect([await useAll(), await isRefused(last.accessToken)]).toEqual([20, false]);

  await oauth.tokens.revokeAccessToken(theirs.accessToken);
  await oauth.applications.renewSecret(await foreign.find());
  await expect.poll(() => isRefused(last.accessToken)).toBe(true);
  const before = lookUps();
  expect(await useAll()).toBe(20);
  expect(lookUps() - before).toBe(0);

  // What concerns them ends them anyway.
  await oauth.tokens.revokeAccessToken(issued[0] ?? '');
  await expect.poll(() => isRefused(issued[0] ?? '')).toBe(true);
  expect(await useAll()).toBe(19);
  await oauth.applications.renewSecret(await own.find());
  await expect.poll(() => isRefused(issued[1] ?? '')).toBe(true);
  expect(await useAll()).toBe(0);
});

test.each(engines)('%s: a revocation without details makes a process look up all', async (engine) => {
  const { db, clock, config, addApplication } = await start(engine);
  const application = await addApplication('Umbrella');
  const tokens = new TokenStore({ db, clock, lifetimes: config, onRevoked: () => {} });
  const check = createAccessCheck({ db, clock, machineClock: systemClock, tokens });
  const { accessToken } = await application.issue();
  expect(await check.find(accessToken)).toBeDefined();
  // As a process of the version before does it, and as it looks when the rows were deleted.
  await db.deleteFrom('access_tokens').execute();
  await db.insertInto('counters').values({ name: 'revocation', last_number: 1 }).execute();
  await expect.poll(() => check.find(accessToken)).toBeUndefined();
});

test('prepared statements outlast a newer version that adds columns to their tables', async () => {
  const { db, clock, config, addApplication } = await start('postgres');
  const { clientId } = await addApplication('Umbrella');
  await db.connection().execute(async (connection) => {
    const tokens = new TokenStore({ db: connection, clock, lifetimes: config, onRevoked: () => {} });
    const stores = { db: connection, clock, revokeAll: async () => {}, onRemoved: async () => {} };
    const applications = createApplicationStore(stores);
    const issue = async () => {
      const client = await applications.findActive(clientId);
      return client && (await tokens.issueClientTokens(client)).accessToken;
    };
    await issue();
    const names = sql<{ name: string }>`select name from pg_prepared_statements order by name`;
    expect((await names.execute(connection)).rows).toEqual([{ name: 'find-client' }, { name: 'insert-client-token' }]);
    for (const table of ['applications', 'accounts', 'grants', 'access_tokens']) {
      await db.schema.alterTable(table).addColumn('newer', 'text').execute();
    }
    expect(await tokens.findAccessToken((await issue()) ?? '')).toMatchObject({ kind: 'client_credentials' });
  });
});
