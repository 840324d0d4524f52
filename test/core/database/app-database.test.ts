// The app's database file: what happens to one that is too new or old. test/headless/headless-process.test.ts has one in use.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { appMigrations, lastPreRelease } from '#core/app/migrations.ts';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { type AppDatabase } from '#core/database/app-database.ts';
import { listCopies } from '#shared/node/database-copies.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

const clock = createManualClock();

function open(file: string, migrations = appMigrations): AppDatabase {
  clock.advance(1000);
  const database = openAppDatabase({ file, clock, migrations });
  onTestFinished(() => database.close());
  return database;
}

test('a file of a newer version is refused and not changed', () => {
  const file = join(temporaryFolder(), 'app.sqlite');
  const newer = new DatabaseSync(file);
  newer.exec('PRAGMA user_version = 99; CREATE TABLE treasure (a)');
  newer.close();
  expect(() => open(file)).toThrow(/written by a newer version of Rainbell \(schema version 99/);
  const after = new DatabaseSync(file);
  onTestFinished(() => after.close());
  expect(after.prepare('PRAGMA user_version').get()).toEqual({ user_version: 99 });
});

test('a file of the pre-release version is moved aside with its bodies, and reported', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'app.sqlite');
  const old = new DatabaseSync(file);
  old.exec(`PRAGMA journal_mode = WAL; CREATE TABLE treasure (a); PRAGMA user_version = ${lastPreRelease}`);
  old.close();
  mkdirSync(`${file}-bodies`);
  writeFileSync(join(`${file}-bodies`, '1.bodies'), 'body');
  const { db, notices } = open(file);
  const target = join(folder, readdirSync(folder).find((name) => name.includes('pre-release')) ?? '');
  expect(notices).toEqual([expect.stringContaining(`It was moved to ${target}, and Rainbell started with an empty`)]);
  expect(db.prepare('SELECT count(*) AS count FROM callbacks').get()).toEqual({ count: 0 });
  expect(readFileSync(join(target, 'app.sqlite-bodies', '1.bodies'), 'utf8')).toBe('body');
  const moved = new DatabaseSync(join(target, 'app.sqlite'), { readOnly: true });
  expect(moved.prepare('SELECT name FROM sqlite_schema').all()).toEqual([{ name: 'treasure' }]);
  moved.close();
});

test('an older file is copied before it is migrated, and a failed step changes nothing', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'app.sqlite');
  open(file).close();
  expect(() => open(file, [...appMigrations, 'CREATE TABLE extra (a); SELECT no_such_function()'])).toThrow(
    /no_such_function/,
  );
  open(file).close();
  const database = open(file, [...appMigrations, 'CREATE TABLE extra (a)']);
  const version = lastPreRelease + appMigrations.length + 1;
  expect(database.db.prepare('PRAGMA user_version').get()).toEqual({ user_version: version });
  // One copy before each of the two attempts.
  expect(listCopies(file)).toHaveLength(2);
});
