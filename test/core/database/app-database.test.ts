// The app's database file: what happens to one that is too new or old. test/headless/headless-process.test.ts has one in use.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { appMigrations, lastPreRelease } from '#core/app/migrations.ts';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { createCallbackSends } from '#core/callbacks/callback-sends.ts';
import { type AppDatabase } from '#core/database/app-database.ts';
import { watchStatements } from '#core/database/watch-statements.ts';
import { createCallbackPages } from '#core/receiver/records/callback-pages.ts';
import { createCallbackWriter } from '#core/receiver/records/callback-writer.ts';
import { listCopies } from '#shared/node/database-copies.ts';
import { quietLog } from '#test/core/core-harness.ts';
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

test('responses and origins of the feed are read from a file of version 21', () => {
  const file = join(temporaryFolder(), 'app.sqlite');
  const old = open(file, appMigrations.slice(0, 1));
  old.db.exec(`
    INSERT INTO callbacks (id, received_at, method, target, http_version, remote_address, answered_status, flags, size_bytes, headers, body)
      SELECT value, 1000, 'POST', '/', '1.1', '::1', 503, iif(value = 4, 16, 0), 0, '[]', x'' FROM json_each('[1,2,3,4]');
    INSERT INTO callback_answers VALUES (1, 'by-hand', 503, '[["a","b"]]', 'ü', 5, 'r', 2), (2, 'reset', NULL, '[]', '', 0, NULL, NULL);
    INSERT INTO callback_outcomes VALUES (1, 1, 9, NULL, 7, 0, 1), (2, 4, 9, NULL, 7, 0, 2), (3, 1, 9, NULL, 7, 0, NULL);
    INSERT INTO feed_events VALUES ('c', 'evt_1', 500, 1000, 4), ('c', 'evt_2', 500, 1000, NULL);
    INSERT INTO callback_sends VALUES (7, 1, 'replay', 1000, 2.5, 'POST', 'http://a/', '[["a","b"]]', '{"kind":"failed","message":"m"}');`);
  old.close();
  const { db } = open(file);
  const rows = [...createCallbackPages(db).rows({}, 'oldestFirst')];
  const none = { body: '', delayMs: 0, rule: null, step: null, headers: [] };
  expect(rows.map((row) => row.answer())).toEqual([
    {
      ...none,
      action: 'answer',
      status: 503,
      headers: [['a', 'b']],
      body: 'ü',
      delayMs: 5,
      rule: 'r',
      step: 2,
      isByHand: true,
    },
    { ...none, action: 'reset', status: null },
    { ...none, action: 'answer', status: 200 },
    null,
  ]);
  expect(rows[3]?.feed).toEqual({ connectionId: 'c', eventId: 'evt_1', occurredAt: 500 });
  const outcome = { kind: 'failed', message: 'm' };
  const at = '1970-01-01T00:00:01.000Z';
  expect(createCallbackSends(db, quietLog).of(1)).toEqual([
    {
      id: 7,
      callbackId: 1,
      kind: 'replay',
      startedAt: at,
      tookMs: 2.5,
      method: 'POST',
      url: 'http://a/',
      headers: [['a', 'b']],
      outcome,
    },
  ]);
});

test('what is read and how long responses are is known from a file of version 21', () => {
  const file = join(temporaryFolder(), 'app.sqlite');
  const old = open(file, appMigrations.slice(0, 1));
  old.db.exec(`
    INSERT INTO callbacks (id, received_at, method, target, http_version, remote_address, answered_status, flags, size_bytes, headers, body, endpoint_id)
      SELECT value, 1000, 'POST', '/', '1.1', '::1', 503, 0, 9, '[]', x'', iif(value = 1, 'e', NULL) FROM json_each('[1,2,3]');
    UPDATE callback_counters SET newest_id = 3, total = 3, bytes = 27;
    INSERT INTO callback_counters (endpoint_id, total, bytes) VALUES ('e', 1, 9), ('f', 0, 0);
    INSERT INTO callback_answers VALUES (1, 'answer', 500, '[]', printf('%.5000c', 'x'), 0, 'r', 1), (2, 'answer', 500, '[]', 'x', 0, 'r', 1);
    INSERT INTO callback_outcomes SELECT value, 1, 9, NULL, 7, 0, iif(value = 3, 2, 1) FROM json_each('[1,2,3]');
    INSERT INTO documents VALUES ('read callbacks', '{"throughId":1,"ids":[2,3]}');`);
  old.close();
  const { db } = open(file);
  const writer = createCallbackWriter(db);
  const bytes = () => [writer.counters.bytes, writer.endpointCounters('e').bytes, writer.endpointCounters('f').bytes];
  expect(bytes()).toEqual([27 + 2 * 5087, 9 + 5087, 0]);
  writer.remove([1, 2, 3]);
  expect(bytes()).toEqual([0, 0, 0]);
  expect(db.prepare("SELECT json FROM documents WHERE name = 'read callbacks'").all()).toEqual([
    { json: '{"throughId":3}' },
  ]);
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
