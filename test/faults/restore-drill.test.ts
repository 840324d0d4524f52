// A SQLite service is backed up, restored, and taken back to before an upgrade as docs/operations.md says, command by command;
// deployment.test.ts does so with PostgreSQL.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { migrations, openServiceDatabase } from '#service/app/open-service-database.ts';
import { systemClock } from '#shared/time/clock.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { apiCaller, turin } from '#test/service/monitor-service.ts';
import { commandsOf, runShell } from './drill.ts';
import { startCallableService } from './started-processes.ts';

/** What "operator keys check" prints then. */
const allReadable = ': 1. The current keys can decrypt all of them.';

/** A service with a monitor whose event waits for its next attempt, and what has to be there after a restore. */
async function startWithData(flags: readonly string[]) {
  const endpoint = await startCallbackEndpoint((_callback, response, index) => {
    response.writeHead(index === 0 ? 503 : 204, index === 0 ? { 'retry-after': '5' } : {}).end();
  });
  const { service, token, call } = await startCallableService([...flags, '--provider', 'simulation']);
  const monitor = { monitor_type: 'precipitation', callback_uri: endpoint.url, geo: turin };
  expect((await call('POST', '/v2/monitors/', monitor)).status).toBe(201);
  await call('POST', '/sandbox/scenarios', { center: turin, minutes: 60 });
  await endpoint.waitFor(1);
  const monitors = (await call('GET', '/v2/monitors/')).json as { objects: { id: string }[] };
  const events = `/v2/events/?monitor=${monitors.objects[0]?.id}`;
  await expect
    .poll(async () => (await call('GET', events)).json)
    .toMatchObject({ objects: [{ attempts: [{ attempt: 1 }] }] });
  const secrets = (await call('GET', '/sandbox/webhook-secrets')).json;
  return { service, endpoint, token, monitors, secrets };
}

type WithData = Awaited<ReturnType<typeof startWithData>>;

async function expectAllBack(
  { endpoint, token, monitors, secrets, service: { introduction: before } }: WithData,
  flags: readonly string[],
): Promise<void> {
  const { service } = await startCallableService([...flags, '--provider', 'simulation']);
  const { baseUrl: _, authUrl: __, ...credentials } = before;
  expect(service.introduction).toMatchObject(credentials);
  const call = apiCaller(service.introduction.baseUrl, token);
  expect((await call('GET', '/v2/monitors/')).json).toEqual(monitors);
  expect((await call('GET', '/sandbox/webhook-secrets')).json).toEqual(secrets);
  // The event that waited goes out under its ID.
  const [first, second] = await endpoint.waitFor(2);
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect(await service.stop()).toBe(0);
}

function countOf(file: string, table: string): unknown {
  const database = new DatabaseSync(file, { readOnly: true });
  const row = database.prepare(`SELECT count(*) AS count FROM ${table}`).get();
  database.close();
  return row?.['count'];
}

test('a SQLite service is restored, and goes back after an upgrade', async () => {
  const [data, BACKUP] = [temporaryFolder(), temporaryFolder()];
  const environment = { RAINBELL_DATA: data, BACKUP };
  const flags = ['--data', data];
  const before = await startWithData(flags);
  const [backUp = '', restore = ''] = commandsOf('SQLite');
  expect(await before.service.stop()).toBe(0);
  await runShell(backUp, environment);
  // An upgrade copies the file first; what comes after that is lost.
  const file = join(data, 'service', 'service.sqlite');
  const log = pino({ level: 'silent' });
  const later: Migration = { up: async (db) => void (await sql`DELETE FROM monitors`.execute(db)) };
  const upgraded = { ...migrations, '9999-later': later };
  await (await openServiceDatabase({ file, clock: systemClock, log, migrations: upgraded })).close();
  expect(countOf(file, 'monitors')).toBe(0);
  const [goBack = ''] = commandsOf('Go back', 1);
  expect(await runShell(goBack, environment)).toContain(allReadable);
  expect([countOf(file, 'monitors'), countOf(file, "kysely_migration WHERE name = '9999-later'")]).toEqual([1, 0]);
  expect(await runShell(restore, environment)).toContain(allReadable);
  await expectAllBack(before, flags);
});
