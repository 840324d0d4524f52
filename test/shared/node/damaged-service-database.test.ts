// service.sqlite damaged: the newest copy is opened, the damaged file is kept, and no ID is used twice.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { type Clock, systemClock } from '#shared/time/clock.ts';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import { createMonitorStore } from '#service/monitors/monitor-store.ts';
import { readReports } from '#shared/node/damage-reports.ts';
import { createCopy, listCopies } from '#shared/node/database-copies.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { cellOf } from '#test/service/cell-of.ts';
import { overwrite } from './damage.ts';

const log = pino({ level: 'silent' });

async function open(folder: string, clock: Clock = systemClock) {
  const database = await openServiceDatabase({ file: join(folder, 'service.sqlite'), clock, log });
  onTestFinished(() => database.close().catch(() => {}));
  const monitors = createMonitorStore({ db: database.db, clock: systemClock, cellOf });
  const create = async (count: number) => {
    const ids: string[] = [];
    const callback_uri = `http://127.0.0.1:9/${'x'.repeat(300)}`;
    for (let number = 0; number < count; number += 1) {
      const geo = { lat: number / 100, lng: 7 };
      const made = await monitors.create('p1', { monitor_type: 'precipitation', callback_uri, geo }, 1000);
      ids.push(made?.id ?? '');
    }
    return ids;
  };
  const list = async () => {
    const rows = await database.db.selectFrom('monitors').select('id').execute();
    return rows.map(({ id }) => id).toSorted();
  };
  return { ...database, create, list };
}

/** 200 monitors of which a copy has the first 100. */
async function folderWithCopy() {
  const folder = temporaryFolder();
  const file = join(folder, 'service.sqlite');
  const { create, close } = await open(folder);
  const copied = await create(100);
  const copy = await createCopy(file, systemClock);
  const lost = await create(100);
  await close();
  return { folder, file, copy, copied, lost };
}

/** Damages all but the first pages of a file in use. */
function damageInUse(file: string): void {
  const other = new DatabaseSync(file);
  other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  other.close();
  overwrite(file, 8192, statSync(file).size - 8192);
}

// In which ways a file can be damaged: damaged-app-database.test.ts.
test('opens the copy, and gives no ID twice', async () => {
  const { folder, file, copy, copied, lost } = await folderWithCopy();
  overwrite(file, 8 * 4096, Math.floor(statSync(file).size / 2));
  const damaged = readFileSync(file);
  const { db, list, create } = await open(folder);
  expect(await list()).toEqual(copied.toSorted());
  const [report] = readReports([file]);
  expect(report).toMatchObject({ database: 'service.sqlite', state: 'replaced', copiedAt: copy.createdAt });
  expect(readFileSync(join(report?.folder ?? '', 'service.sqlite')).equals(damaged)).toBe(true);
  const [next = ''] = await create(1);
  expect([...copied, ...lost]).not.toContain(next);
  const feed = await db.selectFrom('counters').select('last_number').where('name', '=', 'feed').executeTakeFirst();
  expect(feed?.last_number).toBeGreaterThanOrEqual(1_000_000_000);
});

test('that another process has open is left to it', async () => {
  const { folder, file } = await folderWithCopy();
  await open(folder);
  overwrite(file, 0, 100);
  await open(folder).catch(() => {});
  expect(readdirSync(folder).filter((name) => name.includes('damaged-'))).toEqual([]);
});

test('is copied once a day; a copy that meets damage ends all writes', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'service.sqlite');
  const clock = createManualClock();
  const { db, create, keepCopies } = await open(folder, clock);
  await create(100);
  keepCopies?.();
  clock.advance(60_000);
  await expect.poll(() => listCopies(file)).toHaveLength(1);
  damageInUse(file);
  clock.advance(24 * 3_600_000);
  await expect.poll(() => readReports([file])).toMatchObject([{ state: 'pending' }]);
  const write = db.insertInto('counters').values({ name: 'other', last_number: 1 }).execute();
  await expect(write).rejects.toThrow(/malformed/);
  expect(listCopies(file)).toHaveLength(1);
});

test('found while running accepts no more writes, and is replaced by the next start', async () => {
  const { folder, file, copied } = await folderWithCopy();
  const { db, close, list } = await open(folder);
  await list();
  damageInUse(file);
  const read = () => db.selectFrom('monitors').selectAll().execute();
  await expect.poll(() => read().then(String, String)).toMatch(/malformed/);
  const write = db.insertInto('counters').values({ name: 'other', last_number: 1 }).execute();
  await expect(write).rejects.toThrow(/malformed/);
  expect(readReports([file])).toMatchObject([{ state: 'pending' }]);
  await close().catch(() => {});
  const again = await open(folder);
  expect(await again.list()).toEqual(copied.toSorted());
  expect(readReports([file])).toMatchObject([{ state: 'replaced' }]);
});
