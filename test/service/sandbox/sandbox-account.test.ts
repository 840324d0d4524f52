// The sandbox account exists once per database, and never on a service that is bound beyond loopback.
import { expect, it, onTestFinished } from 'vitest';
import type { ServiceAnnouncement } from '#contract/service-api/sandbox.ts';
import { introductionOf } from '#service/app/embedded-service.ts';
import { type Config } from '#service/config/config.ts';
import { reencryptSecrets } from '#service/secrets/secret-keys.ts';
import { createSecretSeal } from '#service/secrets/secret-seal.ts';
import { spawnService } from '#test/stories/service-process.ts';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { newDatabase } from '../engines.ts';
import { apiCaller, fetchToken } from '../monitor-service.ts';
import { openFor } from '../process-harness.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { startOwnService } from '#test/service/start-own-service.ts';

const key = 'a key of more than sixteen letters';

async function start(changes: Partial<Config>) {
  const service = await startOwnService(changes);
  return service;
}

async function newPostgres() {
  const location = await newDatabase('postgres', '');
  if (!('url' in location)) throw new Error('This test needs PostgreSQL.');
  const { db } = await openFor(location);
  return { databaseUrl: location.url, db };
}

it('services with new data folders on one PostgreSQL have one sandbox together', async () => {
  const { databaseUrl, db } = await newPostgres();
  const settings = { databaseUrl, secretKey: [key] };
  const [one, two] = await Promise.all([start(settings), start(settings)]);
  const three = await start(settings);
  const { baseUrl: _, authUrl: __, ...credentials } = introductionOf(one);
  expect(introductionOf(two)).toMatchObject(credentials);
  expect(introductionOf(three)).toMatchObject(credentials);
  expect(await db.selectFrom('accounts').select('username').execute()).toEqual([{ username: 'sandbox' }]);
  await expect(fetchToken(introductionOf(three).baseUrl, introductionOf(one))).resolves.toEqual(expect.any(String));

  // Its key is stored like the webhook secrets, and changes its encryption with them.
  const stored = () =>
    db.selectFrom('signing_keys').select('value').where('name', '=', 'sandbox').executeTakeFirstOrThrow();
  expect((await stored()).value).toMatch(/^sealed1:/);
  const newKey = ['another key of many letters', key];
  await reencryptSecrets(db, createSecretSeal({ secretKey: newKey, databaseUrl, folder: '' }));
  const four = await start({ databaseUrl, secretKey: newKey.slice(0, 1) });
  expect(introductionOf(four)).toMatchObject(credentials);
});

it('a service beyond loopback has no sandbox, and closes that of its PostgreSQL for all', async () => {
  const { databaseUrl, db } = await newPostgres();
  const local = await start({ databaseUrl });
  const sandbox = introductionOf(local);
  const token = await fetchToken(sandbox.baseUrl, sandbox);

  const flags = ['--host', '0.0.0.0', '--data', temporaryFolder(), '--database', databaseUrl];
  const child = spawnService([...flags, '--provider', 'simulation']);
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { baseUrl, authUrl, ...credentials } = JSON.parse(line) as ServiceAnnouncement;
  expect(authUrl).toBe(baseUrl);
  await expect.poll(() => complaints).toContain('RAINBELL_TRUSTED_PROXIES is not set');
  expect(credentials).toEqual({
    clientId: null,
    clientSecret: null,
    redirectUri: null,
    username: null,
    password: null,
  });
  // Neither with the credentials nor with a token of before.
  await expect(fetchToken(baseUrl, sandbox)).rejects.toThrow('invalid_client');
  expect((await apiCaller(baseUrl, token)('GET', '/v2/monitors/')).status).toBe(401);
  await expect(fetchToken(sandbox.baseUrl, sandbox)).rejects.toThrow('invalid_client');
  const later = await start({ databaseUrl });
  expect(later.announcement.clientId).toBeNull();
  expect(await db.selectFrom('accounts').select('username').where('disabled_at', 'is', null).execute()).toEqual([]);
});

it('a SQLite file that was used beyond loopback has its sandbox again on loopback', async () => {
  const dataFolder = temporaryFolder();
  const first = await start({ dataFolder });
  const sandbox = introductionOf(first);
  await first.close();
  const beyond = await start({ dataFolder, host: '0.0.0.0' });
  await expect(fetchToken(beyond.announcement.baseUrl, sandbox)).rejects.toThrow('invalid_client');
  await beyond.close();
  const again = await start({ dataFolder });
  const { baseUrl: _, authUrl: __, ...credentials } = sandbox;
  expect(introductionOf(again)).toMatchObject(credentials);
  await expect(fetchToken(introductionOf(again).baseUrl, sandbox)).resolves.toEqual(expect.any(String));
});
