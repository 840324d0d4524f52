// The same on SQLite and on PostgreSQL: grants, single use, rotation, revocation, and usage.
import { sql } from 'kysely';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { planOf } from '#service/accounts/plans.ts';
import { StoreRefusal } from '#service/accounts/store-refusal.ts';
import { ensureSigningKey } from '#service/secrets/stored-keys.ts';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import { createWebhookSecrets } from '#service/monitors/delivery/signing.ts';
import { createLinks } from '#service/mail/links.ts';
import { createMetagStore } from '#service/metags/metag-store.ts';
import { newId } from '#service/secrets/random-text.ts';
import { createExpiryCleanup } from '#service/oauth/forget-expired.ts';
import { ensureSandbox, sandboxCredentials } from '#service/oauth/sandbox.ts';
import { engines, type Engine } from '#test/service/engines.ts';
import { newMonitorRow } from '#test/service/monitor-rows.ts';
import { openOAuth } from './oauth-service.ts';
import { carol, registerApplication } from './registered-application.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

async function start(engine: Engine) {
  const parts = await openOAuth(engine);
  const { id, clientId, accountId } = await registerApplication(parts, { plan: 'drizzle' });
  const stored = await parts.oauth.applications.findByClientId(clientId);
  if (!stored) throw new Error('There is no application.');
  return { ...parts, applicationId: id, accountId, stored };
}

test.each(engines)('%s: a code is consumed once, tokens are found until they are revoked', async (engine) => {
  const { oauth, accountId, applicationId } = await start(engine);
  const { tokens } = oauth;
  const kind = 'authorization_code';
  const grant = await tokens.createGrant({
    applicationId,
    accountId,
    kind,
    scope: ['post_metag'],
  });
  const code = await tokens.findCode(await tokens.issueCode(grant, 'https://a.example.org/cb', null));
  if (!code) throw new Error('The code was not found.');
  const wins = await Promise.all(Array.from({ length: 8 }, () => tokens.consumeCode(code)));
  expect(wins.filter(Boolean)).toHaveLength(1);
  const token = await tokens.issueAccessToken(grant, ['post_metag']);
  expect(await tokens.findAccessToken(token)).toMatchObject({ kind, scope: ['post_metag'], plan: 'drizzle' });
  const refresh = await tokens.findRefreshToken(await tokens.issueRefreshToken(grant));
  if (!refresh) throw new Error('The refresh token was not found.');
  expect(await tokens.replaceRefreshToken(refresh)).toHaveLength(43);
  expect(await tokens.replaceRefreshToken(refresh)).toBeUndefined();
  expect(await tokens.findAccessToken(token)).toBeUndefined();
});

test('a disabled account or owner makes its codes and tokens worthless, and an enabled one is queried again', async () => {
  const { db, clock, oauth, applicationId, accountId } = await start('sqlite');
  const { tokens } = oauth;
  const user = await oauth.accounts.create({ username: 'ursula', email: 'u@example.org', password: 'a long password' });
  const grant = await tokens.createGrant({
    applicationId,
    accountId: user.id,
    kind: 'authorization_code',
    scope: [],
  });
  const [access, refresh, code] = [
    await tokens.issueAccessToken(grant, []),
    await tokens.issueRefreshToken(grant),
    await tokens.issueCode(grant, 'https://app.example.org/cb', null),
  ];
  const own = await tokens.createGrant({ applicationId, accountId, kind: 'password', scope: [] });
  const owners = await tokens.issueAccessToken(own, []);
  const works = async () => {
    const users = [tokens.findAccessToken(access), tokens.findRefreshToken(refresh), tokens.findCode(code)];
    return (await Promise.all([...users, tokens.findAccessToken(owners)])).map((each) => each !== undefined);
  };
  const all = Array<boolean>(4).fill(true);
  expect(await works()).toEqual(all);
  const set = (accountId: string, disabled_at: number | null) =>
    db.updateTable('accounts').set({ disabled_at }).where('id', '=', accountId).execute();
  await set(user.id, clock.now());
  expect(await works()).toEqual([false, false, false, true]);
  await set(user.id, null);
  await set(accountId, clock.now());
  // A refresh token or a code needs the application's credentials, which are refused.
  expect(await works()).toEqual([false, true, true, false]);
  await set(accountId, null);
  expect(await works()).toEqual(all);

  await oauth.sessions.begin(user.id, 'session');
  await oauth.accounts.setDisabled(user.id, false);
  expect(await oauth.sessions.find('session')).toMatchObject({ id: user.id });
  expect(await works()).toEqual([false, false, false, true]);
  await oauth.accounts.setDisabled(user.id, true);
  expect(await oauth.accounts.findNamed('ursula')).toMatchObject({ disabled_at: clock.now() });
  await oauth.accounts.setDisabled(user.id, false);
  expect(await oauth.sessions.find('session')).toBeUndefined();
});

test.each(engines)('%s: names, addresses and plans are taken once', async (engine) => {
  const { oauth, accountId } = await start(engine);
  const kindOf = (work: Promise<unknown>) =>
    work.then(() => 'done').catch((error: unknown) => (error instanceof StoreRefusal ? error.kind : error));
  expect(await kindOf(oauth.accounts.create({ username: 'CAROL', email: 'x@example.org', password: 'x' }))).toBe(
    'username_taken',
  );
  expect(await kindOf(oauth.accounts.create({ username: 'eva', email: 'Carol@Example.org', password: 'x' }))).toBe(
    'email_taken',
  );
  // With both taken, the same one is named on each engine.
  expect(await kindOf(oauth.accounts.create({ username: carol.username, email: carol.email, password: 'x' }))).toBe(
    'username_taken',
  );
  expect(await kindOf(oauth.contracts.create(accountId, 'drizzle'))).toBe('plan_subscribed');
});

test('a new password and the end of sessions and tokens are one transaction', async () => {
  const { db, clock, oauth, accountId, applicationId } = await start('sqlite');
  const { tokens, accounts, sessions } = oauth;
  const links = createLinks({ db, clock, baseUrl: 'http://127.0.0.1' });
  const request = { purpose: 'reset-password', accountId, email: carol.email } as const;
  const url = new URL(await links.issue(request));
  const link = await links.find(url.searchParams.get('token') ?? '', 'reset-password');
  if (!link) throw new Error('There is no link.');
  const grant = await tokens.createGrant({
    applicationId,
    accountId,
    kind: 'password',
    scope: [],
  });
  const token = await tokens.issueAccessToken(grant, []);
  await sessions.begin(accountId, 'session');
  const from = { address: '127.0.0.1' };
  const hash = (await accounts.find(accountId))?.password_hash;
  const state = async () => ({
    hash: (await accounts.find(accountId))?.password_hash === hash,
    link: (await links.find(url.searchParams.get('token') ?? '', 'reset-password')) !== undefined,
    session: (await sessions.find('session')) !== undefined,
    token: (await tokens.findAccessToken(token)) !== undefined,
  });
  // Revoking fails, as on a full disk.
  await sql`ALTER TABLE revoked RENAME TO missing`.execute(db);
  await expect(accounts.setPassword(accountId, 'another long password')).rejects.toThrow('revoked');
  await expect(accounts.resetPasswordBy(link, 'another long password', from)).rejects.toThrow('revoked');
  expect(await state()).toEqual({ hash: true, link: true, session: true, token: true });
  await sql`ALTER TABLE missing RENAME TO revoked`.execute(db);
  await accounts.resetPasswordBy(link, 'another long password', from);
  expect(await state()).toEqual({ hash: false, link: false, session: false, token: false });
});

test.each(engines)('%s: usage adds up, and reports are found until their account is removed', async (engine) => {
  const { db, clock, oauth, accountId, applicationId } = await start(engine);
  const plan = planOf(oauth.plans, 'drizzle');
  await oauth.usage.load(applicationId);
  for (let count = 0; count < 3; count += 1) oauth.usage.count(applicationId, plan);
  await oauth.usage.write();
  oauth.usage.count(applicationId, plan);
  expect(await oauth.usage.days(applicationId)).toEqual([{ day: Math.floor(clock.now() / 86_400_000), requests: 4 }]);
  const store = createMetagStore({ db, clock });
  const report = { applicationId, accountId, geo: { lat: 45, lng: 7 }, status: 'snowy' } as const;
  await store.add(report);
  expect(await store.reportsNear({ lat: 45.01, lng: 7 })).toHaveLength(1);
  await oauth.removeAccount(accountId);
  await expect(store.add(report)).rejects.toMatchObject({ code: 'access_denied' });
  expect(await store.reportsNear({ lat: 45, lng: 7 })).toEqual([]);
});

test.each(engines)('%s: processes that start at once make one sandbox, and one signing key', async (engine) => {
  const { db, clock, passwords } = await start(engine);
  const credentials = sandboxCredentials(temporaryFolder());
  const eight = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: 8 }, work));
  const made = await eight(() => ensureSandbox({ db, clock, passwords, credentials }));
  expect(new Set(made.map(({ applicationId }) => applicationId)).size).toBe(1);
  const keys = await eight(() => ensureSigningKey(db));
  expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1);
});

test.each([
  ['sqlite', 'application'],
  ['postgres', 'account'],
] as const)('%s: when the deletion of an %s is confirmed, no other process can sign for it', async (engine, kind) => {
  const { oauth, accountId, applicationId, stored, location } = await start(engine);
  const other = await openServiceDatabase({ ...location, clock: systemClock, log: pino({ level: 'silent' }) });
  onTestFinished(() => other.close());
  const secrets = createWebhookSecrets({ db: other.db, clock: systemClock });
  expect(await secrets.activeFor(applicationId)).toHaveLength(1);
  await (kind === 'application' ? oauth.applications.remove(stored) : oauth.removeAccount(accountId));
  expect(await secrets.activeFor(applicationId)).toEqual([]);
});

test.each(engines)(
  '%s: monitors of what the operator disabled are silent, and fire again once it is enabled',
  async (engine) => {
    const { db, oauth, accountId, applicationId: application_id, stored } = await start(engine);
    await db
      .insertInto('monitors')
      .values([
        newMonitorRow({ id: 'precipitation_1', application_id }),
        newMonitorRow({ id: 'precipitation_2', application_id, off_since: 5, off_reason: 'dead' }),
      ])
      .execute();
    const reasons = async () => {
      const rows = await db.selectFrom('monitors').select(['off_since', 'off_reason']).orderBy('id').execute();
      return rows.map((row) => (row.off_since === null ? 'on' : row.off_reason === 'dead' ? 'dead' : 'disabled'));
    };
    await oauth.applications.setDisabled(stored, true);
    expect(await reasons()).toEqual(['disabled', 'dead']);
    await oauth.accounts.setDisabled(accountId, true);
    await oauth.applications.setDisabled(stored, false);
    expect(await reasons()).toEqual(['disabled', 'dead']);
    await oauth.accounts.setDisabled(accountId, false);
    expect(await reasons()).toEqual(['on', 'dead']);
  },
);

test.each(engines)('%s: an authorization request is allowed once, and known for 30 days', async (engine) => {
  const { db, clock, oauth } = await start(engine);
  const request = { id: newId(), expiresAt: clock.now() + 1_800_000 };
  expect(await oauth.tokens.wasAllowed(request.id)).toBe(false);
  const attempts = Array.from({ length: 8 }, () => oauth.tokens.atOnce((own) => own.recordAllowed(request)));
  expect((await Promise.all(attempts)).filter(Boolean)).toHaveLength(1);
  expect([await oauth.tokens.wasAllowed(request.id), await oauth.tokens.wasAllowed('other')]).toEqual([true, false]);
  // A clock that was days ahead deletes nothing that a right one needs.
  clock.advance(30 * 86_400);
  await createExpiryCleanup(db, clock)();
  expect(await oauth.tokens.wasAllowed(request.id)).toBe(true);
});
