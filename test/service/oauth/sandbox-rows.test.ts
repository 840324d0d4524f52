// The sandbox in the database of a SQLite file: what is created, closed, and opened again. One that services share: sandbox-account.test.ts.
import { expect, test } from 'vitest';
import { ensureSandbox, openSandbox, sandboxCredentials } from '#service/oauth/sandbox.ts';
import { openSeal } from '#service/secrets/secret-seal.ts';
import { derivedText } from '#service/secrets/random-text.ts';
import { readOrCreateKey } from '#service/secrets/key-file.ts';
import { newMonitorRow } from '#test/service/monitor-rows.ts';
import { sha256, startOAuthService } from './oauth-service.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

async function start() {
  const service = await startOAuthService();
  const { db, clock, log, passwords, folder } = service;
  const open = (isLocal: boolean) =>
    openSandbox({ clock, log, passwords, seal: openSeal, isLocal, database: { db, engine: 'sqlite' }, folder });
  const accounts = async () =>
    (await db.selectFrom('accounts').select(['username', 'disabled_at']).orderBy('username').execute()).map((row) => [
      row.username,
      row.disabled_at,
    ]);
  const keys = async () =>
    (await db.selectFrom('signing_keys').select('name').orderBy('name').execute()).map(({ name }) => name);
  return { ...service, open, accounts, keys, now: clock.now() };
}

test('its credentials are derived from a key file, and the database has only their hashes', async () => {
  const { db, sandbox, folder, passwords } = await start();
  const key = readOrCreateKey(folder, 'sandbox.key');
  // Since the first version: a changed purpose would give existing users other credentials.
  const credentials = {
    clientId: `sandbox${derivedText(key, 'client id', 13)}`,
    clientSecret: derivedText(key, 'client secret', 43),
    password: derivedText(key, 'password', 24),
  };
  expect(sandboxCredentials(folder)).toEqual({
    ...credentials,
    accountSuffix: derivedText(key, 'account', 6).toLowerCase(),
  });
  expect(sandbox).toEqual({
    ...credentials,
    redirectUri: 'http://127.0.0.1:7777/callback',
    username: 'sandbox',
    applicationId: expect.stringMatching(/^[A-Za-z0-9]{20}$/),
  });
  const accounts = await db.selectFrom('accounts').selectAll().execute();
  expect(accounts).toMatchObject([{ username: 'sandbox', email: 'sandbox@rainbell.invalid', is_operator: 0 }]);
  const from = { address: '127.0.0.1' };
  expect(await passwords.verify(sandbox.password, accounts[0]?.password_hash, from)).toBe(true);
  const applications = await db.selectFrom('applications').selectAll().execute();
  const secret = { secret_hash: sha256(sandbox.clientSecret), is_sandbox: 1, allows_password: 1, is_public: 0 };
  expect(applications).toMatchObject([secret]);
  const stored = JSON.stringify([accounts, applications]);
  expect([credentials.clientSecret, credentials.password].filter((word) => stored.includes(word))).toEqual([]);
});

test('a service that starts again has the same sandbox, and another key gets another name', async () => {
  const { db, clock, passwords, folder, sandbox, accounts } = await start();
  const ensure = (place: string) => ensureSandbox({ db, clock, passwords, credentials: sandboxCredentials(place) });
  expect(await ensure(folder)).toEqual(sandbox);
  const other = temporaryFolder();
  const username = `sandbox-${sandboxCredentials(other).accountSuffix}`;
  expect(await ensure(other)).toMatchObject({ username });
  expect(await accounts()).toEqual([
    ['sandbox', null],
    [username, null],
  ]);
});

test('a SQLite file is closed beyond loopback, and reopened on loopback with the same credentials', async () => {
  const { db, open, accounts, keys, sandbox, oauth, now, lines } = await start();
  const monitor = newMonitorRow({ id: 'precipitation_1', application_id: sandbox.applicationId });
  await db.insertInto('monitors').values(monitor).execute();
  const isMonitorOff = async () =>
    (await db.selectFrom('monitors').select('off_since').executeTakeFirstOrThrow()).off_since !== null;
  expect(await open(true)).toEqual(sandbox);
  expect([await accounts(), await isMonitorOff()]).toEqual([[['sandbox', null]], false]);
  // An account that is disabled otherwise stays so.
  await db.updateTable('accounts').set({ disabled_at: 5 }).execute();
  await open(true);
  expect(await accounts()).toEqual([['sandbox', 5]]);
  await db.updateTable('accounts').set({ disabled_at: null }).execute();

  await oauth.accounts.create({ username: 'ann', email: 'ann@example.org', password: 'a long password' });
  expect(await open(false)).toBeUndefined();
  expect(await open(false)).toBeUndefined();
  expect(await accounts()).toEqual([
    ['ann', null],
    ['sandbox', now],
  ]);
  expect(await keys()).toEqual(['browser', 'sandbox-closed']);
  expect(await isMonitorOff()).toBe(true);
  const account = await oauth.accounts.findNamed('sandbox');
  const revoked = await db.selectFrom('revoked').select(['kind', 'subject', 'at']).orderBy('number').execute();
  expect(revoked).toEqual([
    { kind: 'account', subject: account?.id, at: now },
    { kind: 'application', subject: sandbox.applicationId, at: now },
  ]);
  const warnings = lines.filter((line) => line.includes('disabled a sandbox account that must not be used here'));
  expect(warnings.map((line) => (JSON.parse(line) as { account: string }).account)).toEqual(['sandbox']);

  expect(await open(true)).toEqual(sandbox);
  expect(await accounts()).toEqual([
    ['ann', null],
    ['sandbox', null],
  ]);
  expect([await keys(), await isMonitorOff()]).toEqual([['browser'], false]);
});
