// Copies of app.sqlite: when they are created, how many are kept, and what they hold.
import { existsSync, mkdirSync, readdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { copiedFile, createCopy, keepDailyCopies, listCopies } from '#shared/node/database-copies.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { bodyFilesBelow, filledStore } from './app-store.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Daily copies on a clock that the test moves. `advance` waits for a copy that it starts. */
function startDaily(file: string, clock = createManualClock()) {
  const failures: unknown[] = [];
  let copying: Promise<unknown> = Promise.resolve();
  const end = keepDailyCopies({
    file,
    clock,
    create: (signal) => (copying = createCopy(file, clock, signal)),
    onFailed: (error) => failures.push(error),
  });
  onTestFinished(end);
  const advance = async (ms: number) => {
    clock.advance(ms);
    await copying.catch(() => {});
  };
  return { advance, clock, failures, end };
}

test('the first copy comes a minute after the start, the next a day later, and three are kept', async () => {
  const { file } = filledStore(10);
  const { advance, clock } = startDaily(file);
  await advance(minuteMs - 1);
  expect(listCopies(file)).toEqual([]);
  await advance(1);
  const [first] = listCopies(file);
  expect(first).toMatchObject({ createdAt: new Date(clock.now()).toISOString(), hasBodies: true });
  await advance(dayMs / 2);
  expect(listCopies(file)).toEqual([first]);
  for (let day = 0; day < 3; day += 1) await advance(dayMs);
  const copies = listCopies(file);
  expect(copies).toHaveLength(3);
  expect(copies).not.toContainEqual(first);
  expect(readdirSync(join(file, '..', 'backups'))).toHaveLength(3);
});

test('a copy holds one moment, with the bodies that its rows name even if they are deleted meanwhile', async () => {
  const { file, writer } = filledStore(100);
  const making = createCopy(file, systemClock);
  writer.remove(Array.from({ length: 100 }, (_, index) => index + 1));
  const { name, bytes } = await making;
  const db = new DatabaseSync(copiedFile(file, name), { readOnly: true });
  onTestFinished(() => db.close());
  const rows = Number(db.prepare('SELECT count(*) AS count FROM callbacks').get()?.['count']);
  expect([0, 100]).toContain(rows);
  const folder = join(copiedFile(file, name), '..');
  expect(bodyFilesBelow(folder)).toHaveLength(1);
  const sizes = [copiedFile(file, name), ...bodyFilesBelow(folder).map((path) => join(folder, path))];
  expect(bytes).toBe(sizes.reduce((sum, path) => sum + statSync(path).size, 0));
});

test('body files of more than 256 MB are left out, and the copy says so', async () => {
  const { file } = filledStore(60);
  const bodies = `${file}-bodies`;
  const [body = ''] = readdirSync(bodies);
  // Only its size counts; the file system stores no zeros.
  truncateSync(join(bodies, body), 256 * 1024 * 1024 + 1);
  const { name, hasBodies, bytes } = await createCopy(file, systemClock);
  expect(hasBodies).toBe(false);
  expect(existsSync(`${copiedFile(file, name)}-bodies`)).toBe(false);
  expect(bytes).toBe(statSync(copiedFile(file, name)).size);
});

test('a canceled copy leaves nothing, and one that was killed is removed by the next', async () => {
  const { file } = filledStore(10);
  const home = join(file, '..', 'backups');
  const canceling = new AbortController();
  const making = createCopy(file, systemClock, canceling.signal);
  canceling.abort();
  await expect(making).rejects.toThrow(/abort/i);
  expect(readdirSync(home)).toEqual([]);
  mkdirSync(join(home, '2026-01-01T00-00-00-000Z.new'));
  const { name } = await createCopy(file, systemClock);
  expect(readdirSync(home)).toEqual([name]);
});
