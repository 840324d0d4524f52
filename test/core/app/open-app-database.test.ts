// The app's database file: what happens to one that is too new or old. test/headless/headless-process.test.ts has one in use.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { appMigrations, lastPreRelease } from '#core/app/migrations.ts';
import { type AppDatabase, openAppDatabase } from '#core/app/open-app-database.ts';
import { watchStatements } from '#core/database/storage-state.ts';
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

test.each([
  ['newer', 99],
  ['pre-release', lastPreRelease],
])('a file of a %s version is refused and not changed', (age, version) => {
  const file = join(temporaryFolder(), 'app.sqlite');
  const other = new DatabaseSync(file);
  other.exec(`PRAGMA user_version = ${version}; CREATE TABLE treasure (a)`);
  other.close();
  expect(() => open(file)).toThrow(`written by a ${age} version of Rainbell (schema version ${version};`);
  const after = new DatabaseSync(file);
  onTestFinished(() => after.close());
  expect(after.prepare('PRAGMA user_version').get()).toEqual({ user_version: version });
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

test('a read that ends early lets the next one see what was written since', () => {
  const { db } = open(join(temporaryFolder(), 'app.sqlite'));
  // As the app uses it.
  watchStatements(db, () => {});
  const other = new DatabaseSync(db.location() ?? '');
  onTestFinished(() => other.close());
  other.exec('CREATE TABLE extra (a); INSERT INTO extra VALUES (1), (2), (3)');
  const read = db.prepare('SELECT a FROM extra');
  const readFirst = () => {
    for (const row of read.iterate()) return row;
    return undefined;
  };
  expect(readFirst()).toEqual({ a: 1 });
  other.exec('INSERT INTO extra VALUES (4)');
  expect(db.prepare('SELECT count(*) AS count FROM extra').get()).toEqual({ count: 4 });
});
