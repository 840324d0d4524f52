// The sandbox in the database: what is created, closed, and opened again, for a SQLite file and for a database that services
// share. The rules for a shared one hold on any database, so these tests need only SQLite.
import { expect, test } from 'vitest';
import { openSandbox } from '#service/oauth/open-sandbox.ts';
import { ensureSandbox } from '#service/oauth/sandbox-application.ts';
import { sandboxCredentials } from '#service/oauth/sandbox-key.ts';
import { createSecretSeal } from '#service/secrets/secret-seal.ts';
import { derivedText } from '#service/secrets/random-text.ts';
import { readOrCreateKey } from '#service/secrets/key-file.ts';
import { newMonitorRow } from '#test/service/monitor-rows.ts';
import { startOAuthService } from './oauth-service.ts';
import { anyId, sha256 } from './stored-rows.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

const sealWith = (key: string) => createSecretSeal({ secretKey: [key], databaseUrl: 'postgres://x', folder: '' });

async function start() {
  const service = await startOAuthService();
  const { db, clock, log, passwords, folder } = service;
  const open = (engine: 'sqlite' | 'postgres', isLocal: boolean, options: { folder?: string; key?: string } = {}) => {
    const seal = sealWith(options.key ?? 'a key of more than sixteen letters');
    return openSandbox({
      database: { db, engine },
      clock,
      log,
      passwords,
      seal,
      folder: options.folder ?? folder,
      isLocal,
    });
  };
  const accounts = async () =>
    (await db.selectFrom('accounts').select(['username', 'disabled_at']).orderBy('username').execute()).map((row) => [
      row.username,
      row.disabled_at,
    ]);
  const keys = async () =>
    (await db.selectFrom('signing_keys').select('name').orderBy('name').execute()).map(({ name }) => name);
  const addMonitor = (applicationId: string) =>
    db
      .insertInto('monitors')
      .values(newMonitorRow({ id: 'precipitation_1', application_id: applicationId }))
      .execute();
  const isMonitorOff = async () =>
    (await db.selectFrom('monitors').select('off_since').executeTakeFirstOrThrow()).off_since !== null;
  return { ...service, open, accounts, keys, addMonitor, isMonitorOff, now: clock.now() };
}

test('its account, contract, and application are stored with hashes only', async () => {
  const { db, sandbox, folder, now, passwords } = await start();
  const key = readOrCreateKey(folder, 'sandbox.key');
  // Derived since the first version: a changed purpose would give existing users other credentials.
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
    applicationId: anyId,
  });
  const [account, ...otherAccounts] = await db.selectFrom('accounts').selectAll().execute();
  expect(otherAccounts).toEqual([]);
  expect(account).toEqual({
    id: anyId,
    username: 'sandbox',
    username_key: 'sandbox',
    email: 'sandbox@rainbell.invalid',
    email_key: 'sandbox@rainbell.invalid',
    email_confirmed_at: now,
    pending_email: null,
    password_hash: expect.stringMatching(/^scrypt\$/),
    is_operator: 0,
    endpoint_mails: 1,
    created_at: now,
    disabled_at: null,
  });
  const from = { address: '127.0.0.1', name: 'sandbox' };
  expect(await passwords.verify(sandbox.password, account?.password_hash ?? '', from)).toBe(true);
  const contracts = await db.selectFrom('contracts').selectAll().execute();
  expect(contracts).toEqual([{ id: anyId, account_id: account?.id, plan: 'in-house', created_at: now }]);
  expect(await db.selectFrom('applications').selectAll().execute()).toEqual([
    {
      id: sandbox.applicationId,
      client_id: sandbox.clientId,
      account_id: account?.id,
      contract_id: contracts[0]?.id,
      name: 'Rainbell sandbox',
      description: 'The application that came with this service, for trying things out.',
      is_public: 0,
      allows_password: 1,
      requires_pkce: 0,
      secret_hash: sha256(sandbox.clientSecret),
      secret_created_at: now,
      is_sandbox: 1,
      terms_accepted_at: now,
      created_at: now,
      disabled_at: null,
      client_grant: null,
    },
  ]);
  expect(await db.selectFrom('application_redirects').selectAll().execute()).toEqual([
    { application_id: sandbox.applicationId, uri: 'http://127.0.0.1:7777/callback', position: 0 },
  ]);
  expect(await db.selectFrom('identifiers').selectAll().where('name', '=', 'sandbox').execute()).toEqual([
    { name: 'sandbox', last_number: 0 },
  ]);
});

test('processes that start at once create one, and another key gets another name', async () => {
  const { db, clock, passwords, sandbox, accounts } = await start();
  const credentials = sandboxCredentials(temporaryFolder());
  const made = await Promise.all(Array.from({ length: 4 }, () => ensureSandbox({ db, clock, passwords, credentials })));
  const username = `sandbox-${credentials.accountSuffix}`;
  for (const each of made) expect(each).toEqual({ ...made[0], username });
  expect(made[0]?.applicationId).not.toBe(sandbox.applicationId);
  expect(await accounts()).toEqual([
    ['sandbox', null],
    [username, null],
  ]);
});

test('a SQLite file is closed beyond loopback, and reopened on loopback with the same credentials', async () => {
  const { db, open, accounts, keys, sandbox, oauth, now, addMonitor, isMonitorOff, lines } = await start();
  await addMonitor(sandbox.applicationId);
  expect(await open('sqlite', true)).toEqual(sandbox);
  expect([await accounts(), await isMonitorOff()]).toEqual([[['sandbox', null]], false]);
  // An account that is disabled otherwise stays so.
  await db.updateTable('accounts').set({ disabled_at: 5 }).execute();
  await open('sqlite', true);
  expect(await accounts()).toEqual([['sandbox', 5]]);
  await db.updateTable('accounts').set({ disabled_at: null }).execute();

  const ann = await oauth.accounts.create({ username: 'ann', email: 'ann@example.org', password: 'a long password' });
  expect(await open('sqlite', false)).toBeUndefined();
  expect(await open('sqlite', false)).toBeUndefined();
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

  expect(await open('sqlite', true)).toEqual(sandbox);
  expect(await accounts()).toEqual([
    ['ann', null],
    ['sandbox', null],
  ]);
  expect([await keys(), await isMonitorOff()]).toEqual([['browser'], false]);
  expect(ann.disabled_at).toBeNull();
});

test('services on a shared database have one sandbox, apart from those of folders', async () => {
  const { db, open, accounts, keys, sandbox, now } = await start();
  const [one, other] = [temporaryFolder(), temporaryFolder()];
  const shared = await open('postgres', true, { folder: one });
  expect(shared?.clientId).not.toBe(sandbox.clientId);
  expect(await accounts()).toEqual([
    ['sandbox', null],
    [shared?.username, null],
  ]);
  expect(await open('postgres', true, { folder: other })).toEqual(shared);
  expect(await keys()).toEqual(['browser', 'sandbox']);
  const stored = await db.selectFrom('signing_keys').select('value').where('name', '=', 'sandbox').executeTakeFirst();
  expect(stored?.value).toMatch(/^sealed1:/);
  const opened = sealWith('a key of more than sixteen letters').open(stored?.value ?? '');
  expect(opened).toMatch(/^[0-9a-f]{64}$/);
  const key = Buffer.from(opened ?? '', 'hex');
  expect(shared?.clientId).toBe(`sandbox${derivedText(key, 'client id', 13)}`);

  await expect(open('postgres', true, { folder: one, key: 'another key of many letters' })).rejects.toThrow(
    "The sandbox's key cannot be decrypted.",
  );
  // Once closed, it stays closed for all.
  expect(await open('postgres', false)).toBeUndefined();
  expect(await open('postgres', true, { folder: one })).toBeUndefined();
  expect(await keys()).toEqual(['browser', 'sandbox', 'sandbox-closed']);
  expect(await accounts()).toEqual([
    ['sandbox', now],
    [shared?.username, now],
  ]);
});
