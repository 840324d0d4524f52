// The rows that tokens, codes, and device sign-ins leave, and when each is changed or deleted, to the millisecond.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createContractStore } from '#service/accounts/contract-store.ts';
import type { Tables } from '#service/database/tables.ts';
import { createDeviceRequests } from '#service/oauth/device-requests.ts';
import { setAccountDisabled } from '#service/oauth/disable-account.ts';
import { createExpiryCleanup } from '#service/oauth/forget-expired.ts';
import { pullExpiriesIn } from '#service/oauth/pull-expiries-in.ts';
import { openRefreshToken, refreshTokenKey } from '#service/oauth/sealed-refresh-token.ts';
import { startOAuthService, type OAuthService } from './oauth-service.ts';
import { registerApplication } from './registered-application.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const id = expect.stringMatching(/^[A-Za-z0-9]{20}$/);

async function start(wishes: Parameters<typeof registerApplication>[1] = {}) {
  const service = await startOAuthService();
  const application = await registerApplication(service, wishes);
  const client = () => service.oauth.applications.findActive(application.clientId).then((found) => found!);
  const rows = <Table extends keyof Tables>(table: Table): Promise<unknown[]> =>
    service.db
      .selectFrom(table as 'grants')
      .selectAll()
      .execute();
  const userGrant = () =>
    service.oauth.tokens.createGrant({
      applicationId: application.id,
      accountId: application.accountId,
      kind: 'authorization_code',
      scope: ['post_metag'],
    });
  return { ...service, application, client, rows, userGrant, tokens: service.oauth.tokens, now: service.clock.now() };
}

test("a user's grant, its tokens, and its code are stored as hashes with their lifetimes", async () => {
  const { rows, tokens, userGrant, application, now } = await start();
  const grant = await userGrant();
  expect(grant).toEqual({
    id,
    application_id: application.id,
    account_id: application.accountId,
    kind: 'authorization_code',
    scope: 'post_metag',
    created_at: now,
    revoked_at: null,
  });
  expect(await rows('grants')).toEqual([grant]);
  const access = await tokens.issueAccessToken(grant, ['a', 'b'], 'family');
  const refresh = await tokens.issueRefreshToken(grant);
  const code = await tokens.issueCode(grant, 'https://app.example.org/cb', 'challenge');
  for (const secret of [access, refresh, code]) expect(secret).toMatch(/^[A-Za-z0-9]{43}$/);
  expect(await rows('access_tokens')).toEqual([
    { hash: sha256(access), grant_id: grant.id, scope: 'a b', expires_at: now + hourMs, family: 'family' },
  ]);
  const refreshRow = { grant_id: grant.id, expires_at: now + 90 * dayMs, replaced_at: null };
  expect(await rows('refresh_tokens')).toEqual([{ hash: sha256(refresh), ...refreshRow }]);
  const codeRow = {
    hash: sha256(code),
    grant_id: grant.id,
    redirect_uri: 'https://app.example.org/cb',
    code_challenge: 'challenge',
    expires_at: now + 60_000,
    used: 0,
  };
  expect(await rows('codes')).toEqual([codeRow]);

  expect(await tokens.findCode(code)).toEqual({ ...codeRow, grant });
  expect(await tokens.findCode('other')).toBeUndefined();
  expect(await tokens.findRefreshToken('other')).toBeUndefined();
  expect(await tokens.findAccessToken('other')).toBeUndefined();
  expect(await tokens.findRefreshToken(refresh)).toMatchObject({ ...refreshRow, token: refresh, grant });
  const user = { applicationId: application.id, accountId: application.accountId, kind: 'authorization_code' };
  const known = { ...user, expiresAt: now + hourMs, plan: 'in-house' };
  expect(await tokens.findAccessToken(access)).toEqual({ ...known, scope: ['a', 'b'], grantId: 'family' });
  const plain = await tokens.issueAccessToken(grant, []);
  expect(await tokens.findAccessToken(plain)).toEqual({ ...known, scope: [], grantId: grant.id });
  expect(await tokens.describe(plain)).toEqual({
    type: 'access_token',
    grantId: grant.id,
    applicationId: application.id,
    clientId: application.clientId,
    username: 'carol',
    kind: 'authorization_code',
    scope: '',
    expiresAt: now + hourMs,
  });
  expect(await tokens.describe(refresh)).toMatchObject({ type: 'refresh_token', scope: 'post_metag' });
  expect(await tokens.describe('other')).toBeUndefined();
});

test('a replaced refresh token is kept with its time, and a second use ends the grant', async () => {
  const { rows, tokens, userGrant, clock, now } = await start();
  const [grant, other] = [await userGrant(), await userGrant()];
  const otherToken = await tokens.issueRefreshToken(other);
  const token = await tokens.issueRefreshToken(grant);
  const found = await tokens.findRefreshToken(token);
  clock.advance(5);
  const next = await tokens.replaceRefreshToken(found!);
  const row = (text: string | undefined, replaced_at: number | null) =>
    expect.objectContaining({ hash: sha256(text ?? ''), replaced_at });
  const stored = [row(token, now + 5_000), row(next, null), row(otherToken, null)];
  expect(await rows('refresh_tokens')).toEqual(expect.arrayContaining(stored));
  expect(await rows('refresh_tokens')).toHaveLength(3);
  expect(await tokens.describe(token)).toBeUndefined();
  expect(await tokens.describe(next ?? '')).toMatchObject({ expiresAt: now + 5_000 + 90 * dayMs });
  expect(await tokens.replaceRefreshToken(found!)).toBeUndefined();
  expect(await tokens.findRefreshToken(next ?? '')).toBeUndefined();
  expect(await tokens.findRefreshToken(otherToken)).toMatchObject({ grant: { id: other.id } });
});

test('client credentials share one grant, which is replaced once it is revoked', async () => {
  const { db, rows, tokens, client, application, now } = await start();
  const first = await tokens.issueClientTokens(await client());
  const { client_grant: grantId } = await client();
  const grant = {
    id: grantId,
    application_id: application.id,
    account_id: null,
    kind: 'client_credentials',
    scope: '',
    created_at: now,
    revoked_at: null,
  };
  expect(await rows('grants')).toEqual([grant]);
  expect(await rows('access_tokens')).toEqual([
    { hash: sha256(first.accessToken), grant_id: grantId, scope: '', expires_at: now + hourMs, family: id },
  ]);
  const sealed = await tokens.findRefreshToken(first.refreshToken);
  const [{ family }] = (await rows('access_tokens')) as [{ family: string }];
  const refresh = { grant_id: grantId, family, expires_at: now + 90 * dayMs };
  expect(sealed).toEqual({ ...refresh, token: first.refreshToken, grant, replaced_at: null });
  const key = await db.selectFrom('signing_keys').select('value').where('name', '=', 'browser').executeTakeFirst();
  const opened = openRefreshToken(refreshTokenKey(Buffer.from(key?.value ?? '', 'hex')), first.refreshToken);
  expect(opened).toEqual({ grantId, family, expiresAt: now + 90 * dayMs });
  expect(await tokens.describe(first.refreshToken)).toEqual({
    type: 'refresh_token',
    grantId,
    family,
    applicationId: application.id,
    clientId: application.clientId,
    username: null,
    kind: 'client_credentials',
    scope: '',
    expiresAt: now + 90 * dayMs,
  });

  // A second one joins the grant, also for a caller that read the application before there was one.
  await tokens.issueClientTokens(await client());
  await tokens.issueClientTokens({ ...(await client()), client_grant: null });
  expect(await rows('grants')).toEqual([grant]);
  const stale = await client();
  await tokens.revoke({ grantId: grantId ?? '' });
  await Promise.all([tokens.issueClientTokens(stale), tokens.issueClientTokens(stale)]);
  expect(await rows('grants')).toEqual(
    expect.arrayContaining([
      { ...grant, revoked_at: now },
      { ...grant, id: (await client()).client_grant },
    ]),
  );
  expect(await rows('grants')).toHaveLength(2);
  expect(await tokens.findAccessToken(first.accessToken)).toBeUndefined();
});

test('an application that was deleted meanwhile gets no token', async () => {
  const { oauth, tokens, client } = await start();
  const stale = await client();
  await oauth.applications.remove(stale);
  await expect(tokens.issueClientTokens(stale)).rejects.toMatchObject({
    code: 'invalid_client',
    status: 401,
    message: 'This application was deleted.',
  });
});

test('revoking one access token leaves the others, and is announced', async () => {
  const { rows, tokens, userGrant, now } = await start();
  const grant = await userGrant();
  const [one, other] = [await tokens.issueAccessToken(grant, []), await tokens.issueAccessToken(grant, [])];
  await tokens.revokeAccessToken(one);
  expect(await rows('access_tokens')).toEqual([expect.objectContaining({ hash: sha256(other) })]);
  expect(await rows('revoked')).toEqual([{ number: 1, kind: 'token', subject: sha256(one), at: now }]);
});

test('a disabled account or owner makes its codes and tokens worthless, and an enabled one is queried again', async () => {
  const { oauth, tokens, userGrant, application, db, clock } = await start();
  const user = await oauth.accounts.create({ username: 'ursula', email: 'u@example.org', password: 'a long password' });
  const grant = await tokens.createGrant({
    applicationId: application.id,
    accountId: user.id,
    kind: 'authorization_code',
    scope: [],
  });
  const [access, refresh, code] = [
    await tokens.issueAccessToken(grant, []),
    await tokens.issueRefreshToken(grant),
    await tokens.issueCode(grant, 'https://app.example.org/cb', null),
  ];
  const owners = await tokens.issueAccessToken(await userGrant(), []);
  const works = async () => {
    const found = [tokens.findAccessToken(access), tokens.findRefreshToken(refresh), tokens.findCode(code)];
    const described = [tokens.describe(access), tokens.describe(refresh), tokens.findAccessToken(owners)];
    return (await Promise.all([...found, ...described])).map((each) => each !== undefined);
  };
  const all = Array<boolean>(6).fill(true);
  expect(await works()).toEqual(all);
  const set = (accountId: string, disabled_at: number | null) =>
    db.updateTable('accounts').set({ disabled_at }).where('id', '=', accountId).execute();
  await set(user.id, clock.now());
  expect(await works()).toEqual([false, false, false, false, false, true]);
  await set(user.id, null);
  await set(application.accountId, clock.now());
  // A refresh token or a code needs the application's credentials, which are refused.
  expect(await works()).toEqual([false, true, true, false, false, false]);
  await set(application.accountId, null);
  expect(await works()).toEqual(all);

  await oauth.sessions.begin(user.id, 'session');
  await setAccountDisabled(oauth, user.id, false);
  expect(await oauth.sessions.find('session')).toMatchObject({ id: user.id });
  expect(await works()).toEqual([false, false, false, false, false, true]);
  await setAccountDisabled(oauth, user.id, true);
  expect(await oauth.accounts.findNamed('ursula')).toMatchObject({ disabled_at: clock.now() });
  await oauth.accounts.setDisabled(user.id, false);
  expect(await oauth.sessions.find('session')).toBeUndefined();
});

test('a device sign-in is stored as hashes for 15 minutes', async () => {
  const { rows, oauth, application, now } = await start();
  const codes = await oauth.deviceRequests.begin(application.id, ['post_metag'], '192.0.2.1');
  expect(codes).toEqual({
    device_code: expect.stringMatching(/^[A-Za-z0-9]{43}$/),
    user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
    expires_in: 900,
    interval: 5,
  });
  expect(await rows('device_requests')).toEqual([
    {
      hash: sha256(codes.device_code),
      user_code_hash: sha256(codes.user_code.replace('-', '')),
      application_id: application.id,
      scope: 'post_metag',
      expires_at: now + 900_000,
      interval_seconds: 5,
      polled_at: null,
      grant_id: null,
      is_denied: 0,
    },
  ]);
  expect(await oauth.deviceRequests.find(` ${codes.user_code.toLowerCase()}.`)).toEqual({
    hash: sha256(codes.device_code),
    userCode: codes.user_code,
    applicationId: application.id,
    clientId: application.clientId,
    scope: ['post_metag'],
  });
});

test('a device code is found and answered once, until it expires', async () => {
  const { rows, oauth, application, clock, now } = await start();
  const { deviceRequests, accounts } = oauth;
  const account = await accounts.find(application.accountId);
  const begin = async () => {
    const codes = await deviceRequests.begin(application.id, [], '192.0.2.1');
    const device = await deviceRequests.find(codes.user_code);
    return { codes, device: device! };
  };
  const [allowed, denied, late] = [await begin(), await begin(), await begin()];
  expect(await deviceRequests.find(allowed.codes.user_code.slice(0, -1))).toBeUndefined();
  expect(await deviceRequests.find(`${allowed.codes.user_code}B`)).toBeUndefined();
  expect(await deviceRequests.answer(allowed.device, account ?? null)).toBe(true);
  expect(await deviceRequests.answer(denied.device, null)).toBe(true);
  const grant = {
    id,
    application_id: application.id,
    account_id: application.accountId,
    kind: 'device_code',
    scope: '',
    created_at: now,
    revoked_at: null,
  };
  expect(await rows('grants')).toEqual([grant]);
  const stored = (hash: string, is_denied: number, grant_id: unknown) =>
    expect.objectContaining({ hash, is_denied, grant_id });
  expect(await rows('device_requests')).toEqual(
    expect.arrayContaining([
      stored(allowed.device.hash, 0, id),
      stored(denied.device.hash, 1, null),
      stored(late.device.hash, 0, null),
    ]),
  );
  for (const { codes, device } of [allowed, denied]) {
    expect(await deviceRequests.find(codes.user_code)).toBeUndefined();
    for (const answer of [account ?? null, null]) expect(await deviceRequests.answer(device, answer)).toBe(false);
  }
  clock.advance(899.999);
  expect(await deviceRequests.find(late.codes.user_code)).toEqual(late.device);
  clock.advance(0.001);
  expect(await deviceRequests.find(late.codes.user_code)).toBeUndefined();
  expect(await deviceRequests.answer(late.device, null)).toBe(false);
  expect(await rows('grants')).toEqual([grant]);
});

test('the refusals of a device code are those of RFC 8628 section 3.5', async () => {
  const { rows, oauth, application, clock, now } = await start();
  const { deviceRequests, accounts } = oauth;
  const account = await accounts.find(application.accountId);
  const begin = () => deviceRequests.begin(application.id, [], '192.0.2.1');
  const redeem = (code: string, applicationId = application.id) =>
    deviceRequests
      .redeem(code, applicationId, async (_own, grant) => grant)
      .catch(({ status, code: name, message }: { status: number; code: string; message: string }) => [
        status,
        name,
        message,
      ]);
  const bad = [
    400,
    'invalid_grant',
    'The device_code is unknown, used, or revoked, or belongs to another application; start the sign-in again.',
  ];
  const [waiting, denied, allowed] = [await begin(), await begin(), await begin()];
  expect(await redeem('unknown')).toEqual(bad);
  expect(await redeem(waiting.device_code, 'another application')).toEqual(bad);
  await deviceRequests.answer((await deviceRequests.find(denied.user_code))!, null);
  expect(await redeem(denied.device_code)).toEqual([400, 'access_denied', 'The user denied access.']);
  await deviceRequests.answer((await deviceRequests.find(allowed.user_code))!, account ?? null);
  expect(await redeem(allowed.device_code)).toMatchObject({ kind: 'device_code', revoked_at: null });
  expect(await redeem(allowed.device_code)).toEqual(bad);
  expect(await rows('device_requests')).toHaveLength(2);

  const pending = [400, 'authorization_pending', 'The user has not decided yet; poll again later.'];
  const slow = (seconds: number) => [400, 'slow_down', `Wait at least ${seconds} s between two requests.`];
  const polled = () =>
    rows('device_requests').then(
      (all) => all.find((row) => (row as { hash: string }).hash === sha256(waiting.device_code)) as object,
    );
  // After so many seconds, this answer. The interval is 5 s at first, with a second of tolerance, and never above a minute.
  const polls = [
    [0, pending, 5],
    [4, pending, 5],
    [3.999, slow(10), 10],
    [9, pending, 10],
    [0, slow(15), 15],
    [0, slow(20), 20],
    [18.999, slow(25), 25],
    [24, pending, 25],
    ...[30, 35, 40, 45, 50, 55, 60, 60].map((seconds) => [0, slow(seconds), seconds] as const),
  ] as const;
  for (const [seconds, refusal, interval] of polls) {
    clock.advance(seconds);
    expect(await redeem(waiting.device_code)).toEqual(refusal);
    expect(await polled()).toMatchObject({ polled_at: clock.now(), interval_seconds: interval });
  }
  clock.advance((now + 900_000 - 1 - clock.now()) / 1000);
  expect(await redeem(waiting.device_code)).toEqual(pending);
  clock.advance(0.001);
  expect(await redeem(waiting.device_code)).toEqual([
    400,
    'expired_token',
    'The device_code has expired; start the sign-in again.',
  ]);
});

test('an address may begin 60 device sign-ins in ten minutes', async () => {
  const { db, clock, oauth, application } = await start();
  const requests = createDeviceRequests({ db, clock, tokens: oauth.tokens });
  for (let count = 0; count < 60; count += 1) await requests.begin(application.id, [], '192.0.2.1');
  const refusal = { code: 'rate_limited', status: 429 };
  await expect(requests.begin(application.id, [], '192.0.2.1')).rejects.toMatchObject(refusal);
  await requests.begin(application.id, [], '192.0.2.2');
  clock.advance(600);
  await requests.begin(application.id, [], '192.0.2.1');
});

/** Puts a row of each kind that expires, at that time, into the database. */
async function addExpiring({ db, accountId }: { db: OAuthService['db']; accountId: string }, name: string, at: number) {
  const application = await db
    .selectFrom('applications')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  const grant = { application_id: application!.id, account_id: accountId, kind: 'password', scope: '' } as const;
  await db
    .insertInto('grants')
    .values([
      { id: name, ...grant, created_at: at, revoked_at: null },
      // It keeps its tokens, whatever its age.
      { id: `${name} with access`, ...grant, created_at: 0, revoked_at: null },
      { id: `${name} with refresh`, ...grant, created_at: 0, revoked_at: null },
    ])
    .execute();
  const access = { scope: '', family: null };
  await db
    .insertInto('access_tokens')
    .values({ hash: name, grant_id: `${name} with access`, ...access, expires_at: at })
    .execute();
  await db
    .insertInto('refresh_tokens')
    .values({ hash: name, grant_id: `${name} with refresh`, expires_at: at, replaced_at: null })
    .execute();
  await db.insertInto('ended_families').values({ family: name, expires_at: at }).execute();
  const number = (await db.selectFrom('revoked').selectAll().execute()).length + 1;
  await db.insertInto('revoked').values({ number, kind: 'grant', subject: name, at }).execute();
  const device = { application_id: application!.id, scope: '', interval_seconds: 5, polled_at: null, is_denied: 0 };
  await db
    .insertInto('device_requests')
    .values({ hash: name, user_code_hash: name, ...device, expires_at: at, grant_id: null })
    .execute();
  await db
    .insertInto('mail_links')
    .values({ hash: name, purpose: 'reset-password', account_id: accountId, email: 'e', expires_at: at, used: 0 })
    .execute();
  await db.insertInto('mail_recipients').values({ recipient_key: name, last_at: at }).execute();
  await db.insertInto('allowed_requests').values({ id: name, expires_at: at }).execute();
}

test('everything that expires is deleted an hour later, and an allowed request another hour later', async () => {
  const service = await start();
  const { db, clock, application, rows, now } = service;
  const cleanUp = createExpiryCleanup(db, clock);
  await addExpiring({ db, accountId: application.accountId }, 'old', now - hourMs - 1);
  await addExpiring({ db, accountId: application.accountId }, 'young', now - hourMs);
  const oldSecret = (previous_secret_until: number) =>
    db.updateTable('applications').set({ previous_secret_hash: 'x', previous_secret_until }).execute();
  const secrets = async () =>
    (await db.selectFrom('applications').select(['previous_secret_hash', 'previous_secret_until']).execute())[0];
  await oldSecret(now - hourMs);
  await cleanUp();
  expect(await secrets()).toEqual({ previous_secret_hash: 'x', previous_secret_until: now - hourMs });
  await oldSecret(now - hourMs - 1);
  await cleanUp();
  expect(await secrets()).toEqual({ previous_secret_hash: null, previous_secret_until: null });

  const names = async (table: keyof Tables, column: string) =>
    ((await rows(table)) as Record<string, unknown>[]).map((row) => String(row[column])).toSorted();
  const left = async () => ({
    grants: await names('grants', 'id'),
    access: await names('access_tokens', 'hash'),
    refresh: await names('refresh_tokens', 'hash'),
    families: await names('ended_families', 'family'),
    revoked: await names('revoked', 'subject'),
    devices: await names('device_requests', 'hash'),
    links: await names('mail_links', 'hash'),
    recipients: await names('mail_recipients', 'recipient_key'),
    allowed: await names('allowed_requests', 'id'),
  });
  const young = ['young'];
  expect(await left()).toEqual({
    grants: ['young', 'young with access', 'young with refresh'],
    access: young,
    refresh: young,
    families: young,
    revoked: young,
    devices: young,
    links: young,
    recipients: young,
    // Only once an hour has passed by the monotonic clock (two lifetimes of a request).
    allowed: ['old', 'young'],
  });
  clock.advance(3_599);
  await cleanUp();
  expect((await left()).allowed).toEqual(['old', 'young']);
  clock.advance(1);
  await cleanUp();
  expect((await left()).allowed).toEqual(['young']);
  // "young" had not expired by more than an hour at the first run; at the second it had.
  clock.advance(3_600);
  await cleanUp();
  expect(await left()).toEqual({
    grants: [],
    access: [],
    refresh: [],
    families: [],
    revoked: [],
    devices: [],
    links: [],
    recipients: [],
    allowed: [],
  });
});

test('more than one batch of expired rows is deleted, and a grant in use by its application stays', async () => {
  const service = await start();
  const { db, clock, tokens, client, rows, userGrant, now } = service;
  await tokens.issueClientTokens(await client());
  const { client_grant: clientGrant } = await client();
  const kept = await userGrant();
  await tokens.issueRefreshToken(kept);
  const expires_at = now - 2 * hourMs;
  const many = Array.from({ length: 501 }, (_, index) => `row ${index}`);
  await db
    .insertInto('access_tokens')
    .values(many.map((hash) => ({ hash, grant_id: kept.id, scope: '', expires_at })))
    .execute();
  await db
    .insertInto('refresh_tokens')
    .values(many.map((hash) => ({ hash, grant_id: kept.id, expires_at, replaced_at: null })))
    .execute();
  await db
    .insertInto('ended_families')
    .values(many.map((family) => ({ family, expires_at })))
    .execute();
  const empty = { application_id: kept.application_id, account_id: kept.account_id, kind: 'password' } as const;
  await db
    .insertInto('grants')
    .values(many.map((name) => ({ id: name, ...empty, scope: '', created_at: 0, revoked_at: null })))
    .execute();
  await db
    .insertInto('allowed_requests')
    .values(many.map((name) => ({ id: name, expires_at })))
    .execute();
  const cleanUp = createExpiryCleanup(db, clock);
  await cleanUp();
  expect([(await rows('access_tokens')).length, (await rows('refresh_tokens')).length]).toEqual([1, 1]);
  expect(await rows('ended_families')).toEqual([]);
  const ids = (await rows('grants')).map((row) => (row as { id: string }).id);
  expect(new Set(ids)).toEqual(new Set([clientGrant, kept.id]));
  clock.advance(2 * 3_600);
  await cleanUp();
  expect(await rows('allowed_requests')).toEqual([]);
});

test('after the clock was set back, nothing expires later than its usual lifetime from now', async () => {
  const { db, clock, oauth, application, userGrant, tokens, rows, now } = await start();
  const grant = await userGrant();
  // The usual lifetimes; for links, 24 h to confirm an address and 1 h for a password; for an old secret, a week.
  const lifetimes = {
    access_tokens: hourMs,
    refresh_tokens: 90 * dayMs,
    codes: 60_000,
    sessions: 14 * dayMs,
    device_requests: 900_000,
  } as const;
  const linkLifetimes = { 'confirm-email': dayMs, 'reset-password': hourMs, 'launch-notice': dayMs } as const;
  await tokens.issueAccessToken(grant, []);
  await tokens.issueRefreshToken(grant);
  await tokens.issueCode(grant, 'https://app.example.org/cb', null);
  await oauth.sessions.begin(application.accountId, 'session');
  await oauth.deviceRequests.begin(application.id, [], '192.0.2.1');
  const late = now + 1_000 * dayMs;
  const expiries = async () => {
    const found = await Promise.all(
      (Object.keys(lifetimes) as (keyof typeof lifetimes)[]).map(async (table) => [
        table,
        ((await rows(table)) as { expires_at: number }[]).map((row) => row.expires_at),
      ]),
    );
    const links = (await rows('mail_links')) as { purpose: string; expires_at: number }[];
    const [secret] = await db
      .selectFrom('applications')
      .select('previous_secret_until')
      .where('id', '=', application.id)
      .execute();
    return {
      ...Object.fromEntries(found),
      ...Object.fromEntries(links.map((row) => [row.purpose, [row.expires_at]])),
      secret: [secret?.previous_secret_until],
    } as Record<string, number[]>;
  };
  const expected = (at: (lifetimeMs: number) => number) =>
    Object.fromEntries(
      Object.entries({ ...lifetimes, ...linkLifetimes, secret: 7 * dayMs }).map(([name, ms]) => [name, [at(ms)]]),
    );
  const setAll = async (at: (lifetimeMs: number) => number) => {
    for (const [table, ms] of Object.entries(lifetimes)) {
      await db
        .updateTable(table as keyof typeof lifetimes)
        .set({ expires_at: at(ms) })
        .execute();
    }
    for (const [purpose, ms] of Object.entries(linkLifetimes)) {
      await db
        .updateTable('mail_links')
        .set({ expires_at: at(ms) })
        .where('purpose', '=', purpose as keyof typeof linkLifetimes)
        .execute();
    }
    await db
      .updateTable('applications')
      .set({ previous_secret_until: at(7 * dayMs) })
      .execute();
  };
  for (const purpose of ['confirm-email', 'reset-password', 'launch-notice'] as const) {
    await db
      .insertInto('mail_links')
      .values({ hash: purpose, purpose, account_id: null, email: 'e', expires_at: 0, used: 0 })
      .execute();
  }
  await setAll(() => late);
  await pullExpiriesIn(db, clock, tokens.lifetimes);
  expect(await expiries()).toEqual(expected((ms) => now + ms));
  await setAll((ms) => now + ms - 1);
  await pullExpiriesIn(db, clock, tokens.lifetimes);
  expect(await expiries()).toEqual(expected((ms) => now + ms - 1));
});

test('a request is recorded as allowed once, with its expiry', async () => {
  const { rows, tokens } = await start();
  expect(await tokens.wasAllowed('r')).toBe(false);
  expect(await tokens.recordAllowed({ id: 'r', expiresAt: 5 })).toBe(true);
  expect(await tokens.recordAllowed({ id: 'r', expiresAt: 6 })).toBe(false);
  expect([await tokens.wasAllowed('r'), await tokens.wasAllowed('s')]).toEqual([true, false]);
  expect(await rows('allowed_requests')).toEqual([{ id: 'r', expires_at: 5 }]);
});

test('the limits of an application come from its plan, its account, and the settings', async () => {
  const service = await startOAuthService({ planDrizzle: [3, 0, 0], monitorLimit: 9, accountMonitors: 7 });
  const { oauth, db, clock } = service;
  const own = await registerApplication(service);
  const contract = await createContractStore({ db, clock }).create(own.accountId, 'drizzle');
  const { id: applicationId } = await oauth.applications.create({
    accountId: own.accountId,
    contractId: contract.id,
    name: 'Raincoat',
    description: 'x',
    redirectUris: [],
    isPublic: false,
    allowsPassword: false,
    requiresPkce: false,
  });
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
  const stored = await oauth.accounts.find(own.accountId);
  expect(oauth.applicationLimitOf(stored!)).toBe(service.config.accountApplications);
  await db.updateTable('accounts').set({ monitor_limit: 0, application_limit: 0 }).execute();
  expect(await oauth.monitorLimitOf(applicationId)).toMatchObject({ account: { limit: 0 } });
  expect(oauth.applicationLimitOf({ ...stored!, application_limit: 0 })).toBe(0);
  await expect(oauth.monitorLimitOf('deleted')).rejects.toMatchObject({
    code: 'access_denied',
    status: 403,
    message: 'This application was deleted.',
  });
});
