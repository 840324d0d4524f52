// The same on SQLite and on PostgreSQL: grants, single use, rotation, revocation, usage, and forgetting what has expired.
import { join } from 'node:path';
import { sql } from 'kysely';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { planOf } from '#service/accounts/plans.ts';
import { createContractStore } from '#service/accounts/contract-store.ts';
import { StoreRefusal } from '#service/accounts/store-refusal.ts';
import { ensureSigningKey } from '#service/accounts/signing-key.ts';
import { configWith } from '#service/config/config.ts';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import { createWebhookSecrets } from '#service/monitors/delivery/signing.ts';
import { createLinks } from '#service/mail/links.ts';
import { createMetagStore } from '#service/metags/metag-store.ts';
import { createOAuth } from '#service/oauth/create-oauth.ts';
import { createExpiryCleanup } from '#service/oauth/forget-expired.ts';
import { createPendingRequests } from '#service/oauth/pending-request.ts';
import { newId } from '#service/secrets/random-text.ts';
import { ensureSandbox } from '#service/oauth/sandbox-application.ts';
import { sandboxCredentials } from '#service/oauth/sandbox-key.ts';
import { engines, newDatabase, type Engine } from '#test/service/engines.ts';
import { quickPasswords, testClock } from './oauth-service.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

async function start(engine: Engine) {
  const folder = temporaryFolder();
  const clock = testClock();
  const log = pino({ level: 'silent' });
  const location = await newDatabase(engine, folder);
  const { db, close } = await openServiceDatabase({ ...location, clock, log });
  const passwords = quickPasswords();
  const oauth = createOAuth({
    config: configWith({ dataFolder: folder }),
    clock,
    machineClock: systemClock,
    log,
    db,
    passwords,
  });
  onTestFinished(async () => {
    await oauth.close();
    await close();
  });
  const account = await oauth.accounts.create({
    username: 'dora',
    email: 'dora@example.org',
    password: 'a long password',
  });
  const contracts = createContractStore({ db, clock });
  const contract = await contracts.create(account.id, 'drizzle');
  const application = await oauth.applications.create({
    accountId: account.id,
    contractId: contract.id,
    name: 'Umbrella',
    description: 'x',
    redirectUris: ['https://a.example.org/cb', 'https://b.example.org/cb'],
    isPublic: false,
    allowsPassword: false,
    requiresPkce: false,
  });
  return { db, clock, oauth, account, contracts, contract, application, passwords, folder, location };
}

test.each(engines)('%s: a code is consumed once, tokens are found until they are revoked', async (engine) => {
  const { oauth, account, application } = await start(engine);
  const { tokens } = oauth;
  const kind = 'authorization_code';
  const grant = await tokens.createGrant({
    applicationId: application.id,
    accountId: account.id,
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

test.each(engines)('%s: names, addresses and plans are taken once', async (engine) => {
  const { oauth, account, contracts } = await start(engine);
  const kindOf = (work: Promise<unknown>) =>
    work.then(() => 'done').catch((error: unknown) => (error instanceof StoreRefusal ? error.kind : error));
  expect(await kindOf(oauth.accounts.create({ username: 'DORA', email: 'x@example.org', password: 'x' }))).toBe(
    'username_taken',
  );
  expect(await kindOf(oauth.accounts.create({ username: 'eva', email: 'Dora@Example.org', password: 'x' }))).toBe(
    'email_taken',
  );
  // With both taken, the same one is named on each engine.
  expect(await kindOf(oauth.accounts.create({ username: 'dora', email: 'dora@example.org', password: 'x' }))).toBe(
    'username_taken',
  );
  expect(await kindOf(contracts.create(account.id, 'drizzle'))).toBe('plan_subscribed');
  const [contract] = await contracts.listOf(account.id);
  expect(await kindOf(contracts.end(account.id, contract?.id ?? ''))).toBe('contract_in_use');
});

test.each(engines)('%s: what has expired is forgotten, what still counts is not', async (engine) => {
  const { db, clock, oauth, application } = await start(engine);
  const { tokens } = oauth;
  const credentials = {
    applicationId: application.id,
    accountId: null,
    kind: 'client_credentials',
    scope: [],
  } as const;
  const old = await tokens.createGrant(credentials);
  await tokens.issueAccessToken(old, []);
  clock.advance(86_400);
  const young = await tokens.createGrant(credentials);
  const token = await tokens.issueAccessToken(young, []);
  await createExpiryCleanup(db, clock)();
  expect(await db.selectFrom('grants').select('id').execute()).toEqual([{ id: young.id }]);
  expect(await tokens.findAccessToken(token)).toBeDefined();
});

test.each(engines)('%s: usage adds up, reports are found, and two key files make two sandboxes', async (engine) => {
  const { db, clock, oauth, account, application, passwords } = await start(engine);
  const plan = planOf(oauth.plans, 'drizzle');
  await oauth.usage.load(application.id);
  for (let count = 0; count < 3; count += 1) oauth.usage.count(application.id, plan);
  await oauth.usage.write();
  oauth.usage.count(application.id, plan);
  expect(await oauth.usage.days(application.id)).toEqual([{ day: Math.floor(clock.now() / 86_400_000), requests: 4 }]);
  const store = createMetagStore({ db, clock });
  await store.add({ applicationId: application.id, accountId: account.id, geo: { lat: 45, lng: 7 }, status: 'snowy' });
  expect(await store.reportsNear({ lat: 45.01, lng: 7 })).toHaveLength(1);
  await oauth.removeAccount(account.id);
  const late = {
    applicationId: application.id,
    accountId: account.id,
    geo: { lat: 45, lng: 7 },
    status: 'snowy',
  } as const;
  await expect(store.add(late)).rejects.toMatchObject({ code: 'access_denied' });
  expect(await store.reportsNear({ lat: 45, lng: 7 })).toEqual([]);
  const [first, second] = [join(temporaryFolder(), 'a'), join(temporaryFolder(), 'b')];
  const one = await ensureSandbox({ db, clock, passwords, credentials: sandboxCredentials(first) });
  const other = await ensureSandbox({ db, clock, passwords, credentials: sandboxCredentials(second) });
  expect(one.username).toBe('sandbox');
  expect(other.username).toMatch(/^sandbox-[a-z0-9]{6}$/);
  expect(await ensureSandbox({ db, clock, passwords, credentials: sandboxCredentials(first) })).toEqual(one);
});

test.each(engines.flatMap((engine) => [[engine, 'application'] as const, [engine, 'account'] as const]))(
  '%s: when the deletion of an %s is confirmed, no other process can sign for it',
  async (engine, kind) => {
    const { oauth, account, application, location } = await start(engine);
    const log = pino({ level: 'silent' });
    const other = await openServiceDatabase({ ...location, clock: systemClock, log });
    onTestFinished(() => other.close());
    const secrets = createWebhookSecrets({ db: other.db, clock: systemClock });
    expect(await secrets.activeFor(application.id)).toHaveLength(1);
    const stored = await oauth.applications.find(account.id, application.id);
    if (!stored) throw new Error('There is no application.');
    await (kind === 'application' ? oauth.applications.remove(stored) : oauth.removeAccount(account.id));
    expect(await secrets.activeFor(application.id)).toEqual([]);
  },
);

test.each(engines)(
  '%s: monitors of what the operator disabled are silent, and fire again once it is enabled',
  async (engine) => {
    const { db, oauth, account, application } = await start(engine);
    const monitor = {
      application_id: application.id,
      monitor_type: 'precipitation',
      callback_uri: 'http://127.0.0.1:9/rain',
      latitude: '45',
      longitude: '7',
      cell: 'x',
      created_at: 1,
      gate_opens_at: 0,
      failed_events: 0,
    };
    await db
      .insertInto('monitors')
      .values([
        { ...monitor, id: 'precipitation_1', off_since: null, off_reason: null },
        { ...monitor, id: 'precipitation_2', off_since: 5, off_reason: 'dead' },
      ])
      .execute();
    const reasons = async () => {
      const rows = await db.selectFrom('monitors').select(['off_since', 'off_reason']).orderBy('id').execute();
      return rows.map((row) => (row.off_since === null ? 'on' : row.off_reason === 'dead' ? 'dead' : 'disabled'));
    };
    const known = await oauth.applications.findByClientId(application.clientId);
    if (!known) throw new Error('The application was not found.');
    await oauth.applications.setDisabled(known, true);
    expect(await reasons()).toEqual(['disabled', 'dead']);
    await oauth.accounts.setDisabled(account.id, true);
    await oauth.applications.setDisabled(known, false);
    expect(await reasons()).toEqual(['disabled', 'dead']);
    await oauth.accounts.setDisabled(account.id, false);
    expect(await reasons()).toEqual(['on', 'dead']);
  },
);

test.each(engines)('%s: an authorization request is allowed once, and forgotten after it expires', async (engine) => {
  const { db, clock, oauth } = await start(engine);
  const request = { id: newId(), expiresAt: clock.now() + 1_800_000 };
  const attempts = Array.from({ length: 8 }, () => oauth.tokens.atOnce((own) => own.recordAllowed(request)));
  expect((await Promise.all(attempts)).filter(Boolean)).toHaveLength(1);
  expect(await oauth.tokens.wasAllowed(request.id)).toBe(true);
  const cleanUp = createExpiryCleanup(db, clock);
  await cleanUp();
  expect(await oauth.tokens.wasAllowed(request.id)).toBe(true);
  clock.advance(31 * 24 * 3600);
  await cleanUp();
  expect(await oauth.tokens.wasAllowed(request.id)).toBe(false);
});

test.each(engines)(
  '%s: a used authorization form stays used after the clock jumps forward and back',
  async (engine) => {
    const { db, clock, oauth } = await start(engine);
    const requests = createPendingRequests({ key: await ensureSigningKey(db), clock });
    const token = requests.issue('client_id=a', 'session');
    const used = requests.read(token, 'session');
    if (!used) throw new Error('The form was not read.');
    await oauth.tokens.atOnce((own) => own.recordAllowed(used));
    const cleanUp = createExpiryCleanup(db, clock);
    await cleanUp();
    clock.jump(20 * 24 * 3600);
    for (let count = 0; count < 2; count += 1) {
      await cleanUp();
      clock.advance(600);
    }
    await cleanUp();
    clock.jump(-20 * 24 * 3600);
    expect(requests.read(token, 'session')).toEqual(used);
    expect(await oauth.tokens.wasAllowed(used.id)).toBe(true);
  },
);

test.each(engines)('%s: a new password and the end of sessions and tokens are one transaction', async (engine) => {
  const { db, clock, oauth, account, application } = await start(engine);
  const { tokens, accounts, sessions } = oauth;
  const links = createLinks({ db, clock, baseUrl: 'http://127.0.0.1' });
  const request = { purpose: 'reset-password', accountId: account.id, email: account.email } as const;
  const url = new URL(await links.issue(request));
  const link = await links.find(url.searchParams.get('token') ?? '', 'reset-password');
  if (!link) throw new Error('There is no link.');
  const grant = await tokens.createGrant({
    applicationId: application.id,
    accountId: account.id,
    kind: 'password',
    scope: [],
  });
  const token = await tokens.issueAccessToken(grant, []);
  await sessions.begin(account.id, 'session');
  const from = { address: '127.0.0.1', name: 'dora' };
  const state = async () => ({
    hash: (await accounts.find(account.id))?.password_hash === account.password_hash,
    link: (await links.find(url.searchParams.get('token') ?? '', 'reset-password')) !== undefined,
    session: (await sessions.find('session')) !== undefined,
    token: (await tokens.findAccessToken(token)) !== undefined,
  });
  // Revoking fails, as on a full disk.
  await sql`ALTER TABLE revocations RENAME TO missing`.execute(db);
  await expect(accounts.setPassword(account.id, 'another long password')).rejects.toThrow('revocations');
  await expect(accounts.resetPasswordBy(link, 'another long password', from)).rejects.toThrow('revocations');
  expect(await state()).toEqual({ hash: true, link: true, session: true, token: true });
  await sql`ALTER TABLE missing RENAME TO revocations`.execute(db);
  await accounts.resetPasswordBy(link, 'another long password', from);
  expect(await state()).toEqual({ hash: false, link: false, session: false, token: false });
});

test.each(engines)(
  '%s: processes that start together share one signing key, so each reads what another issued',
  async (engine) => {
    const { db, clock } = await start(engine);
    const keys = await Promise.all(Array.from({ length: 8 }, () => ensureSigningKey(db)));
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1);
    const [issuer, reader] = keys.map((key) => createPendingRequests({ key, clock }));
    const token = issuer?.issue('client_id=a', 'session') ?? '';
    expect(reader?.read(token, 'session')).toMatchObject({ query: 'client_id=a' });
    expect(reader?.read(token, 'another session')).toBeUndefined();
  },
);

test('a pending authorization request does not last longer after the clock was set back', async () => {
  const { db, clock } = await start('sqlite');
  const requests = createPendingRequests({ key: await ensureSigningKey(db), clock });
  const early = requests.issue('client_id=a', 'session');
  clock.advance(3 * 3600);
  const late = requests.issue('client_id=a', 'session');
  clock.advance(-1);
  expect(requests.read(late, 'session')).toMatchObject({ query: 'client_id=a' });
  clock.advance(1 - 3 * 3600);
  expect(requests.read(late, 'session')).toBeUndefined();
  expect(requests.read(early, 'session')).toMatchObject({ query: 'client_id=a' });
});
