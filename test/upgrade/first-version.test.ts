// Data folders of earlier versions open without loss. test/fixtures/upgrade/5e7c56a is a folder of the headless app of that commit;
// its expected.json was written by that version: rows by table, and the stored secrets.
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { openSecretFile } from '#core/hosting/secret-file.ts';
import { readBody } from '#core/receiver/records/body-segments.ts';
import { createAppSettings } from '#core/settings/app-settings.ts';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import { systemClock } from '#shared/time/clock.ts';

type Expected = {
  app: Record<string, number>;
  service: Record<string, number>;
  secrets: Record<string, string>;
};

const fixture = fileURLToPath(new URL('../fixtures/upgrade/5e7c56a', import.meta.url));
const expected = JSON.parse(await readFile(join(fixture, 'expected.json'), 'utf8')) as Expected;
const log = pino({ level: 'silent' });

async function earlierFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rainbell-upgrade-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  await cp(fixture, folder, { recursive: true });
  return folder;
}

it('opens the app database of 5e7c56a with all rows', async () => {
  const database = openAppDatabase({ file: join(await earlierFolder(), 'app.sqlite'), clock: systemClock });
  onTestFinished(() => database.close());
  expect(database.notices).toEqual([]);
  const counts = Object.keys(expected.app).map((table) => {
    const row = database.db.prepare(`SELECT count(*) AS rows FROM "${table}"`).get() as { rows: number };
    return [table, row.rows];
  });
  expect(Object.fromEntries(counts)).toMatchObject(expected.app);
  expect(database.db.prepare('SELECT note FROM callback_notes').get()).toEqual({ note: 'kept note' });
  expect(expected.app['callbacks']).toBe(3);
});

it('reads the body files of 5e7c56a', async () => {
  const file = join(await earlierFolder(), 'app.sqlite');
  const database = openAppDatabase({ file, clock: systemClock });
  onTestFinished(() => database.close());
  const stored = database.db
    .prepare('SELECT segment, "offset", size_bytes FROM callback_bodies JOIN callbacks ON id = callback_id')
    .all() as { segment: number; offset: number; size_bytes: number }[];
  const bodies = stored.map((place) => readBody(file, place, place.size_bytes)?.toString('utf8'));
  expect(bodies).toEqual([JSON.stringify({ big: 'x'.repeat(6000) })]);
});

it('opens the service database of 5e7c56a with all rows', async () => {
  const file = join(await earlierFolder(), 'service', 'service.sqlite');
  const { db, close } = await openServiceDatabase({ file, clock: systemClock, log });
  onTestFinished(close);
  // What the migrations drop or fill by design.
  const changing = new Set(['kysely_migration', 'kysely_migration_lock', 'dialogs']);
  for (const [table, rows] of Object.entries(expected.service)) {
    if (changing.has(table)) continue;
    const { rows: counted } = await sql<{ n: number }>`SELECT count(*) AS n FROM ${sql.table(table)}`.execute(db);
    expect({ table, rows: Number(counted[0]?.n) }).toEqual({ table, rows });
  }
  expect(await db.selectFrom('monitors').select('callback_uri').execute()).toEqual([
    { callback_uri: 'http://127.0.0.1:39127/hook' },
  ]);
});

it('decrypts the secrets of 5e7c56a', async () => {
  const { secrets, notices } = openSecretFile({ folder: await earlierFolder(), clock: systemClock });
  expect(notices).toEqual([]);
  for (const [name, value] of Object.entries(expected.secrets)) expect(await secrets.read(name)).toBe(value);
  expect(Object.values(expected.secrets).join()).toContain('secret-of-staging-5e7c56a');
});

it('reads the settings of 5e7c56a without a notice', async () => {
  const stored = JSON.parse(await readFile(join(fixture, 'settings.json'), 'utf8')) as Record<string, unknown>;
  const settings = createAppSettings({ read: () => stored, write: () => {}, backUp: () => null }, () => {});
  expect(settings.notices).toEqual([]);
  expect(settings.get()).toMatchObject(stored);
  expect(settings.get().connections).toMatchObject([{ name: 'Staging', clientId: 'client-7' }]);
});
