// A database of an earlier version, from before pending requests moved into the forms and applications could require PKCE.
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '#service/database/migrate.ts';
import { migrations } from '#service/app/migrations.ts';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import { nodeSqliteDialect } from '#service/database/sqlite-dialect.ts';
import { temporaryFolder, testClock } from './oauth-service.ts';

const earlier = [
  '0010-accounts',
  '0011-oauth',
  '0012-sessions',
  '0013-usage',
  '0014-mail',
  '0015-metags',
  '0020-monitors',
  '0021-delivery',
  '0022-delivery-counts',
  '0023-waiting-events',
  '0030-weather-cache',
];
const log = pino({ level: 'silent' });

/** A file as the earlier version left it, with an application and an open dialog. */
async function writeEarlierDatabase(file: string): Promise<void> {
  const db = new Kysely<unknown>({ dialect: nodeSqliteDialect(new DatabaseSync(file)) });
  await migrate(db, Object.fromEntries(Object.entries(migrations).filter(([name]) => earlier.includes(name))), log);
  await sql`INSERT INTO accounts VALUES ('a1', 'Ann', 'ann', 'a@b.org', 'a@b.org', 'scrypt$', 0, 1, NULL)`.execute(db);
  await sql`INSERT INTO contracts VALUES ('c1', 'a1', 'drizzle', 1)`.execute(db);
  await sql`INSERT INTO applications VALUES ('p1', 'client1', 'a1', 'c1', 'Umbrella', 'x', 1, 0, NULL, NULL, 0, 1, 1, NULL)`.execute(
    db,
  );
  await sql`INSERT INTO dialogs VALUES ('h', 's', 'p1', 'client1', 'code', 'https://a.org', 'post_metag', NULL, NULL, 9)`.execute(
    db,
  );
  await db.destroy();
}

test('a database of an earlier version is brought up to date, and its public clients do not require PKCE', async () => {
  const file = join(await temporaryFolder(), 'service.sqlite');
  await writeEarlierDatabase(file);
  const { db, close } = await openServiceDatabase({ file, clock: testClock(), log });
  onTestFinished(close);
  const applications = await db.selectFrom('applications').select(['client_id', 'requires_pkce']).execute();
  expect(applications).toEqual([{ client_id: 'client1', requires_pkce: 0 }]);
  const tables = await db.introspection.getTables();
  const names = tables.map(({ name }) => name);
  expect(names).not.toContain('dialogs');
  expect(names).toContain('allowed_requests');
});
