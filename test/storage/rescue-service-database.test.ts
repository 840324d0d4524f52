// service.sqlite damaged in every way: a start saves what is readable, keeps the old file, and says what was lost.
import { readdirSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import { createMonitorStore } from '#service/monitors/monitor-store.ts';
import { readReports } from '#storage/damage-reports.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { cellOf } from '#test/service/cell-of.ts';
import { copyAsKilled, cutTo, overwrite } from './damage.ts';

const log = pino({ level: 'silent' });

async function open(folder: string) {
  const database = await openServiceDatabase({ file: join(folder, 'service.sqlite'), clock: systemClock, log });
  onTestFinished(() => database.close().catch(() => {}));
  return database;
}

/** 20 accounts with an application each, and 100 monitors for each of those. */
async function filledFolder(): Promise<{ folder: string; close: () => Promise<void> }> {
  const folder = temporaryFolder();
  const database = await open(folder);
  // Only what is read back must be right; the disk's pace is not what is tested.
  await sql`PRAGMA synchronous = OFF`.execute(database.db);
  const sqlite = new DatabaseSync(join(folder, 'service.sqlite'));
  sqlite.exec('BEGIN');
  for (let number = 1; number <= 20; number += 1) {
    const account = {
      id: `a${number}`,
      username: `user${number}`,
      username_key: `user${number}`,
      email: `u${number}@example.org`,
    };
    insert(sqlite, 'accounts', {
      ...account,
      email_key: account.email,
      password_hash: 'scrypt$',
      is_operator: 0,
      created_at: 1,
    });
    insert(sqlite, 'contracts', { id: `c${number}`, account_id: account.id, plan: 'storm', created_at: 1 });
    insert(sqlite, 'applications', {
      id: `p${number}`,
      client_id: `client${number}`,
      account_id: account.id,
      contract_id: `c${number}`,
      name: 'N',
      description: '',
      is_public: 0,
      allows_password: 0,
      is_sandbox: 0,
      terms_accepted_at: 1,
      created_at: 1,
      secret_hash: 'x'.repeat(64),
    });
  }
  sqlite.exec('COMMIT');
  sqlite.close();
  const store = createMonitorStore({ db: database.db, clock: systemClock, cellOf });
  const callback_uri = `http://127.0.0.1:9/${'x'.repeat(300)}`;
  for (let number = 0; number < 600; number += 1) {
    const geo = { lat: number / 100, lng: 7 };
    await store.create(`p${1 + (number % 20)}`, { monitor_type: 'precipitation', callback_uri, geo }, 1000);
  }
  return { folder, close: () => database.close() };
}

function insert(sqlite: DatabaseSync, table: string, row: Record<string, string | number>): void {
  const names = Object.keys(row);
  sqlite
    .prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`)
    .run(...Object.values(row));
}

async function reopened(folder: string) {
  const database = await open(folder);
  const monitors = await database.db.selectFrom('monitors').selectAll().execute();
  const [report] = readReports([join(folder, 'service.sqlite')]);
  return { database, monitors, report };
}

/** Every row has its parents, and what is derived agrees with it. */
async function expectConsistent(folder: string): Promise<void> {
  const sqlite = new DatabaseSync(join(folder, 'service.sqlite'), { readOnly: true });
  onTestFinished(() => sqlite.close());
  expect(sqlite.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  expect(sqlite.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
  expect(
    sqlite
      .prepare('SELECT count(*) AS n FROM monitors WHERE application_id NOT IN (SELECT id FROM applications)')
      .get(),
  ).toEqual({ n: 0 });
  const cells = sqlite.prepare('SELECT sum(monitor_count) AS n FROM watch_cells').get()?.['n'] ?? 0;
  expect(cells).toBe(sqlite.prepare('SELECT count(*) AS n FROM monitors').get()?.['n']);
}

describe('a damaged service.sqlite', () => {
  test('overwritten in the middle keeps what is readable, and the old file', async () => {
    const { folder, close } = await filledFolder();
    await close();
    const file = join(folder, 'service.sqlite');
    const size = statSync(file).size;
    overwrite(file, Math.floor(size * 0.6), Math.floor(size * 0.2));
    const damaged = readFileSync(file);
    const { monitors, report } = await reopened(folder);
    expect(monitors.length).toBeGreaterThan(200);
    expect(monitors.length).toBeLessThan(600);
    // A monitor whose application is lost is left out, so it is not reported as kept.
    expect(report?.tables.find(({ label }) => label === 'monitors')?.kept).toBe(monitors.length);
    expect(readFileSync(join(folder, report?.keptAs ?? '')).equals(damaged)).toBe(true);
    await expectConsistent(folder);
  });

  test('cut off keeps what is before the cut, and never gives a monitor ID twice', async () => {
    const { folder, close } = await filledFolder();
    await close();
    cutTo(join(folder, 'service.sqlite'), 0.75);
    const { database, monitors, report } = await reopened(folder);
    expect(monitors.length).toBeGreaterThan(100);
    expect(report?.detail).toMatch(/the file ended after \d+ of \d+ pages/);
    await expectConsistent(folder);
    const store = createMonitorStore({ db: database.db, clock: systemClock, cellOf });
    const { application_id } = monitors[0] ?? { application_id: '' };
    const fields = {
      monitor_type: 'precipitation',
      callback_uri: 'http://127.0.0.1:9/',
      geo: { lat: 0, lng: 0 },
    } as const;
    const made = await store.create(application_id, fields, 1000);
    expect(Number(made?.id.split('_')[1])).toBeGreaterThan(600);
  });

  test('empty is reported and kept', async () => {
    const { folder, close } = await filledFolder();
    await close();
    truncateSync(join(folder, 'service.sqlite'), 0);
    const { monitors, report } = await reopened(folder);
    expect(monitors).toEqual([]);
    expect(report).toMatchObject({ detail: 'the file was empty (0 bytes)', state: 'rescued' });
    expect(report?.tables).toContainEqual({ label: 'monitors', kept: 0, lost: null });
  });

  test('with its log cut off says that the newest changes are lost', async () => {
    const { folder } = await filledFolder();
    const killed = copyAsKilled(folder);
    cutTo(join(killed, 'service.sqlite-wal'), 0.01);
    const { monitors, report } = await reopened(killed);
    expect(monitors.length).toBeGreaterThan(0);
    expect(monitors.length).toBeLessThan(600);
    expect(report?.detail).toContain('of its write-ahead log were missing or damaged');
    await expectConsistent(killed);
  });

  test('that another process has open is left to it', async () => {
    const { folder } = await filledFolder();
    overwrite(join(folder, 'service.sqlite'), 0, 100);
    await open(folder).catch(() => {});
    expect(readdirSync(folder).filter((name) => name.includes('damaged-'))).toEqual([]);
  });

  test('found while running accepts no more writes, and is rescued by the next start', async () => {
    const { folder, close } = await filledFolder();
    const database = await open(folder);
    const file = join(folder, 'service.sqlite');
    const { db } = database;
    await db.selectFrom('monitors').selectAll().limit(1).execute();
    const other = new DatabaseSync(file);
    other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    other.close();
    overwrite(file, 8192, statSync(file).size - 8192);
    const read = () => db.selectFrom('monitors').selectAll().execute();
    await expect
      .poll(() =>
        read().then(
          () => 'read',
          (error: Error) => error.message,
        ),
      )
      .toMatch(/malformed/);
    const write = db.insertInto('identifiers').values({ name: 'other', last_number: 1 }).execute();
    await expect(write).rejects.toThrow(/malformed/);
    expect(readReports([file])).toMatchObject([{ state: 'pending' }]);
    await database.close().catch(() => {});
    await close().catch(() => {});
    expect((await reopened(folder)).report?.state).toBe('rescued');
  });
});
