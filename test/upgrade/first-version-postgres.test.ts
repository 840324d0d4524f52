// The PostgreSQL database of an earlier version opens without loss. test/fixtures/upgrade/5e7c56a/service-postgres.sql is a dump of
// what the service of that commit wrote: three monitors, one delivered event, and one whose endpoint responded 500 twice.
import { createHmac } from 'node:crypto';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { Client } from 'pg';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import { createService } from '#service/app/create-service.ts';
import { introductionOf } from '#service/app/embedded-service.ts';
import { configWith } from '#service/config/config.ts';
import { formatInstant } from '#contract/service-api/timestamp.ts';
import { systemClock, type Clock } from '#shared/time/clock.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { newDatabase } from '#test/service/engines.ts';
import { apiCaller, fetchToken, temporaryFolder } from '#test/service/monitor-service.ts';

type Expected = {
  callbackPort: number;
  secretKey: string;
  madeAt: string;
  clientId: string;
  refreshToken: string;
  webhookSecret: string;
  waitingEvent: string;
  rows: Record<string, number>;
};

const fixture = new URL('../fixtures/upgrade/5e7c56a/', import.meta.url);
const expectedFile = fileURLToPath(new URL('expected.json', fixture));
const expected = (JSON.parse(await readFile(expectedFile, 'utf8')) as { postgres: Expected }).postgres;
const log = pino({ level: 'silent' });

/** The database of 5e7c56a, whose monitors call `port`. */
async function earlierDatabase(port: number): Promise<{ url: string }> {
  const location = await newDatabase('postgres', '');
  if (!('url' in location) || location.url === undefined) throw new Error('not PostgreSQL');
  const dump = await readFile(fileURLToPath(new URL('service-postgres.sql', fixture)), 'utf8');
  const client = new Client({ connectionString: location.url });
  await client.connect();
  try {
    // The run's databases have the present schema already.
    await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    await client.query(dump.replaceAll(`127.0.0.1:${expected.callbackPort}`, `127.0.0.1:${port}`));
  } finally {
    await client.end();
  }
  return { url: location.url };
}

/** The machine's clock, set back to shortly after the dump, because tokens and events of the fixture grow old. */
function clockOfFixture(): Clock {
  const behindMs = systemClock.now() - (Date.parse(expected.madeAt) + 60_000);
  return { ...systemClock, now: () => systemClock.now() - behindMs };
}

it('opens the PostgreSQL database of 5e7c56a with all rows', async () => {
  const { db, close } = await openServiceDatabase({ ...(await earlierDatabase(1)), clock: clockOfFixture(), log });
  onTestFinished(close);
  const changing = new Set(['kysely_migration', 'kysely_migration_lock', 'dialogs']);
  const kept = Object.entries(expected.rows).filter(([table]) => !changing.has(table));
  const counts = await Promise.all(
    kept.map(async ([table]) => {
      const { rows } = await sql<{ n: string }>`SELECT count(*) AS n FROM ${sql.table(table)}`.execute(db);
      return [table, Number(rows[0]?.n)];
    }),
  );
  expect(Object.fromEntries(counts)).toEqual(Object.fromEntries(kept));
});

it('goes on with the tokens, monitors, webhook secrets, and waiting events of 5e7c56a', async () => {
  const endpoint = await startCallbackEndpoint();
  const { url } = await earlierDatabase(endpoint.port);
  const dataFolder = await temporaryFolder();
  await cp(fileURLToPath(new URL('service-postgres-sandbox.key', fixture)), join(dataFolder, 'service', 'sandbox.key'));
  const service = await createService({
    config: configWith({
      port: 0,
      dataFolder,
      provider: 'simulation',
      databaseUrl: url,
      secretKey: [expected.secretKey],
      sandboxControl: 'on',
      // On PostgreSQL the database's clock counts, so the service's own is moved against it.
      clockStart: formatInstant(clockOfFixture().now()),
    }),
    clock: systemClock,
    log,
    workers: { places: new URL('../../service/places/places-worker.ts', import.meta.url) },
  });
  onTestFinished(() => service.close());
  const introduction = introductionOf(service);
  expect(introduction.clientId).toBe(expected.clientId);
  const refresh = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: expected.refreshToken });
  const token = await fetchToken(introduction.baseUrl, introduction, refresh.toString());
  const call = apiCaller(introduction.baseUrl, token);
  const { objects } = (await call('GET', '/v2/monitors/')).json as { objects: unknown };
  expect(objects).toMatchObject([
    { id: 'precipitation_1', callback_uri: `http://127.0.0.1:${endpoint.port}/hook` },
    { id: 'precipitation_2', callback_uri: `http://127.0.0.1:${endpoint.port}/fails` },
    { id: 'precipitation_3', callback_uri: `http://127.0.0.1:${endpoint.port}/quiet` },
  ]);
  expect((await call('GET', '/sandbox/webhook-secrets')).json).toMatchObject({
    webhook_secret: expected.webhookSecret,
  });

  // The event that waited for its next attempt goes out under its old ID, signed with the old secret.
  const callbacks = await endpoint.waitFor(1);
  const retry = callbacks.find(({ headers }) => headers['webhook-id'] === expected.waitingEvent);
  expect(retry?.path).toBe('/fails');
  // https://www.standardwebhooks.com: HMAC-SHA256 over `id.timestamp.body`, with the secret's decoded bytes as the key.
  const key = Buffer.from(expected.webhookSecret.slice('whsec_'.length), 'base64');
  const signed = `${expected.waitingEvent}.${String(retry?.headers['webhook-timestamp'])}.${retry?.body}`;
  const signature = createHmac('sha256', key).update(signed).digest('base64');
  expect(retry?.headers['webhook-signature']).toBe(`v1,${signature}`);
});
