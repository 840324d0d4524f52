// The sandbox account exists once per database, and never on a service that is bound beyond loopback. Its rows: sandbox-rows.test.ts.
// Services that share one PostgreSQL also have one key for webhook secrets.
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { introductionOf } from '#service/app/embedded-service.ts';
import { reencryptSecrets } from '#service/secrets/secret-keys.ts';
import { createSecretSeal } from '#service/secrets/secret-seal.ts';
import { newPostgres } from '../engines.ts';
import { apiCaller, fetchToken } from '../monitor-service.ts';
import { openFor } from '../process-harness.ts';
import { startOwnService } from '#test/service/start-own-service.ts';

const key = 'a key of more than sixteen letters';

async function openPostgres() {
  const databaseUrl = await newPostgres();
  const { db } = await openFor({ url: databaseUrl });
  return { databaseUrl, db };
}

it('services with new data folders on one PostgreSQL have one sandbox together, also with a new secret key', async () => {
  const { databaseUrl, db } = await openPostgres();
  const settings = { databaseUrl, secretKey: [key] };
  const [one, two] = await Promise.all([startOwnService(settings), startOwnService(settings)]);
  const { baseUrl: _, authUrl: __, ...credentials } = introductionOf(one);
  expect(introductionOf(two)).toMatchObject(credentials);
  expect(await db.selectFrom('accounts').select('username').execute()).toEqual([{ username: 'sandbox' }]);
  const stored = await db.selectFrom('signing_keys').select('value').where('name', '=', 'sandbox').executeTakeFirst();
  expect(stored?.value).toMatch(/^sealed1:/);
  const newKey = ['another key of many letters', key];
  await reencryptSecrets(db, createSecretSeal({ secretKey: newKey, databaseUrl, folder: '' }));
  const three = await startOwnService({ databaseUrl, secretKey: newKey.slice(0, 1) });
  expect(introductionOf(three)).toMatchObject(credentials);
  await expect(fetchToken(introductionOf(three).baseUrl, introductionOf(one))).resolves.toEqual(expect.any(String));
});

it('a service beyond loopback has no sandbox, and closes that of its PostgreSQL for all', async () => {
  const { databaseUrl, db } = await openPostgres();
  const sandbox = introductionOf(await startOwnService({ databaseUrl }));
  const token = await fetchToken(sandbox.baseUrl, sandbox);

  let log = '';
  const parts = { log: pino({}, { write: (line: string) => void (log += line) }) };
  const { announcement } = await startOwnService({ databaseUrl, host: '0.0.0.0' }, parts);
  const { baseUrl, authUrl, ...credentials } = announcement;
  expect(authUrl).toBe(baseUrl);
  expect(log).toContain('RAINBELL_TRUSTED_PROXIES is not set');
  expect(new Set(Object.values(credentials))).toEqual(new Set([null]));
  // Neither with the credentials nor with a token of before.
  await expect(fetchToken(baseUrl, sandbox)).rejects.toThrow('invalid_client');
  expect((await apiCaller(baseUrl, token)('GET', '/v2/monitors/')).status).toBe(401);
  await expect(fetchToken(sandbox.baseUrl, sandbox)).rejects.toThrow('invalid_client');
  const later = await startOwnService({ databaseUrl });
  expect(later.announcement.clientId).toBeNull();
  expect(await db.selectFrom('accounts').select('username').where('disabled_at', 'is', null).execute()).toEqual([]);
});

const asksForKey = async (url: string, secretKey: string[] | undefined) => {
  let log = '';
  const parts = { log: pino({}, { write: (line: string) => void (log += line) }) };
  const service = await startOwnService({ databaseUrl: url, secretKey }, parts);
  await service.close();
  return log.includes('Set RAINBELL_SECRET_KEY');
};

it('a service on PostgreSQL without a key for webhook secrets says what to do, and is refused once another process has one', async () => {
  const url = await newPostgres();
  expect(await asksForKey(url, undefined)).toBe(true);
  expect(await asksForKey(url, ['sixteen letters and more'])).toBe(false);
  await expect(asksForKey(url, undefined)).rejects.toThrow('RAINBELL_SECRET_KEY is not set');
  await expect(asksForKey(url, ['another key of letters'])).rejects.toThrow('RAINBELL_SECRET_KEY is not the key');
  // As while the key is replaced.
  expect(await asksForKey(url, ['another key of letters', 'sixteen letters and more'])).toBe(false);
});
