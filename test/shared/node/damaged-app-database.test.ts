// app.sqlite damaged in every way: the newest intact copy is opened, the damaged file is kept to the byte, and the report says from
// when the copy is and what is missing.
import { readdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { DamageReport } from '#shared/errors/damage-report.ts';
import { describeDamage } from '#shared/errors/describe-damage.ts';
import { systemClock } from '#shared/time/clock.ts';
import { copiedFile, createCopy, listCopies } from '#shared/node/database-copies.ts';
import { type AppStore, bodiesBelow, callback, expectIntact, filledStore, openStore, reportsIn } from './app-store.ts';
import { copyAsKilled, cutTo, overwrite } from './damage.ts';

/** 1000 callbacks of which a copy has the first 600. */
async function storeWithCopy() {
  const store = filledStore(600);
  const copy = await createCopy(store.file, systemClock);
  appendUntil(store, 601, 1000);
  store.close();
  return { ...store, copy };
}

function appendUntil(store: AppStore, first: number, last: number): void {
  store.writer.append(Array.from({ length: last - first + 1 }, (_, index) => callback(first + index)));
}

function onlyReport(folder: string): DamageReport {
  const reports = reportsIn(folder);
  expect(reports).toHaveLength(1);
  return reports[0] as DamageReport;
}

test.each<[string, (file: string) => void]>([
  ['overwritten in the middle', (file) => overwrite(file, 40 * 4096, Math.floor(statSync(file).size / 3))],
  ['truncated', (file) => cutTo(file, 0.6)],
  ['with a garbled header', (file) => overwrite(file, 0, 100)],
  ['empty', (file) => truncateSync(file, 0)],
  ['cut to its first bytes', (file) => truncateSync(file, 100)],
])('%s: opens the copy, and keeps the damaged file and its bodies', async (_, damage) => {
  const { folder, file, copy } = await storeWithCopy();
  damage(file);
  const damaged = readFileSync(file);
  const bodies = bodiesBelow(`${file}-bodies`);
  const store = openStore(folder);
  expect(expectIntact(store)).toEqual(Array.from({ length: 600 }, (__, index) => index + 1));
  expect(store.db.prepare("SELECT json FROM documents WHERE name = 'rules'").get()).toEqual({ json: '{"kept":true}' });
  const report = onlyReport(folder);
  expect(report).toMatchObject({ state: 'replaced', copiedAt: copy.createdAt, missingBodies: 0 });
  expect(readFileSync(join(report.folder ?? '', 'app.sqlite')).equals(damaged)).toBe(true);
  expect(bodiesBelow(report.folder ?? '')).toEqual(bodies);
  // IDs of lost callbacks are never given again.
  store.writer.append([callback(0)]);
  expect(store.pages.counts().newestId).toBeGreaterThan(1000);
});

test('says from when the copy is, what is missing, and where the damaged file is', async () => {
  const { folder, file, copy } = await storeWithCopy();
  overwrite(file, 0, 4096);
  openStore(folder);
  const report = onlyReport(folder);
  const { title, lines } = describeDamage(report);
  const minute = (instant: string) => `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`;
  expect(title).toBe('The app’s database was damaged: some of its pages can’t be read.');
  expect(lines.join(' ')).toBe(
    `Rainbell opened the copy from ${minute(copy.createdAt)}. ` +
      `Missing: all changes to callbacks, traffic, forecasts, and notes from then until ${minute(report.at)}. ` +
      `The damaged file is in ${report.folder}. Check the disk for errors.`,
  );
  // test/faults/damaged-storage.test.ts starts without a copy.
  const { lines: withoutCopy } = describeDamage({ ...report, copiedAt: null });
  expect(withoutCopy[0]).toContain('no intact copy, so Rainbell started with an empty database');
});

test('missing is reported too, with the log that was left', async () => {
  const { folder, copy } = await storeWithCopy();
  rmSync(join(folder, 'app.sqlite'));
  expect(expectIntact(openStore(folder))).toHaveLength(600);
  expect(onlyReport(folder)).toMatchObject({ detail: 'the file was missing', copiedAt: copy.createdAt });
});

test('a damaged copy is passed over', async () => {
  const { folder, file, copy } = await storeWithCopy();
  const again = openStore(folder);
  const newer = await createCopy(file, systemClock);
  again.close();
  overwrite(copiedFile(file, newer.name), 4096, 40_000);
  overwrite(file, 0, 4096);
  expect(expectIntact(openStore(folder))).toHaveLength(600);
  expect(onlyReport(folder).copiedAt).toBe(copy.createdAt);
  expect(listCopies(file).map(({ name }) => name)).toEqual([newer.name, copy.name]);
});

test('bodies that the copy is without come from the files in use, and what is gone is counted', async () => {
  const { folder, file, copy } = await storeWithCopy();
  rmSync(`${copiedFile(file, copy.name)}-bodies`, { recursive: true });
  const killed = copyAsKilled(folder);
  overwrite(file, 0, 4096);
  expect(expectIntact(openStore(folder))).toHaveLength(600);
  expect(onlyReport(folder).missingBodies).toBe(0);

  overwrite(join(killed, 'app.sqlite'), 0, 4096);
  rmSync(join(killed, 'app.sqlite-bodies'), { recursive: true });
  openStore(killed);
  // Every 50th of 600.
  expect(onlyReport(killed).missingBodies).toBe(12);
  expect(describeDamage(onlyReport(killed)).lines).toContain('The bodies of 12 callbacks are missing.');
});

test('the number of a lost body file is not given again', async () => {
  const { folder, file, close } = filledStore(100);
  await createCopy(file, systemClock);
  close();
  const later = openStore(folder);
  appendUntil(later, 101, 200);
  later.close();
  const before = readdirSync(`${file}-bodies`);
  overwrite(file, 0, 4096);
  const store = openStore(folder);
  appendUntil(store, 201, 300);
  const newest = readdirSync(`${file}-bodies`).filter((name) => !before.includes(name));
  expect(newest).toHaveLength(1);
});
