// The rows that grants, tokens, and codes leave, and when each is changed, deleted, or of no use.
import { expect, test } from 'vitest';
import { anyId, dayMs, hourMs, sha256, startWithRows } from './stored-rows.ts';

test("a user's grant, its tokens, and its code are stored as hashes with their lifetimes", async () => {
  const { rows, tokens, userGrant, application, now } = await startWithRows();
  const grant = await userGrant();
  expect(grant).toEqual({
    id: anyId,
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
  const known = { ...user, ownerId: application.accountId, expiresAt: now + hourMs, plan: 'in-house' };
  expect(await tokens.findAccessToken(access)).toEqual({ ...known, scope: ['a', 'b'], grantId: 'family' });
  const plain = await tokens.issueAccessToken(grant, []);
  expect(await tokens.findAccessToken(plain)).toEqual({ ...known, scope: [], grantId: grant.id });
});

test('client credentials share one grant, which is replaced once it is revoked', async () => {
  const { rows, tokens, client, application, now } = await startWithRows();
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
    { hash: sha256(first.accessToken), grant_id: grantId, scope: '', expires_at: now + hourMs, family: anyId },
  ]);
  const sealed = await tokens.findRefreshToken(first.refreshToken);
  const [{ family }] = (await rows('access_tokens')) as [{ family: string }];
  const refresh = { grant_id: grantId, family, expires_at: now + 90 * dayMs };
  expect(sealed).toEqual({ ...refresh, token: first.refreshToken, grant, replaced_at: null });

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
  const { oauth, tokens, client } = await startWithRows();
  const stale = await client();
  await oauth.applications.remove(stale);
  await expect(tokens.issueClientTokens(stale)).rejects.toMatchObject({
    code: 'invalid_client',
    status: 401,
    message: 'This application was deleted.',
  });
});

test('a disabled account or owner makes its codes and tokens worthless, and an enabled one is queried again', async () => {
  const { oauth, tokens, userGrant, application, db, clock } = await startWithRows();
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
    const own = [tokens.findAccessToken(access), tokens.findRefreshToken(refresh), tokens.findCode(code)];
    return (await Promise.all([...own, tokens.findAccessToken(owners)])).map((each) => each !== undefined);
  };
  const all = Array<boolean>(4).fill(true);
  expect(await works()).toEqual(all);
  const set = (accountId: string, disabled_at: number | null) =>
    db.updateTable('accounts').set({ disabled_at }).where('id', '=', accountId).execute();
  await set(user.id, clock.now());
  expect(await works()).toEqual([false, false, false, true]);
  await set(user.id, null);
  await set(application.accountId, clock.now());
  // A refresh token or a code needs the application's credentials, which are refused.
  expect(await works()).toEqual([false, true, true, false]);
  await set(application.accountId, null);
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
