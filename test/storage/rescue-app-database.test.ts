// app.sqlite damaged in every way: what is readable comes back, what is lost is counted, nothing that survived is deleted.
import { readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DamageReport } from '#contract/app-rpc/damage-report.ts';
import { bodyFilesBelow, callback, expectIntact, filledStore, openStore, reportsIn } from './app-store.ts';
import { copyAsKilled, cutTo, overwrite } from './damage.ts';

function onlyReport(folder: string): DamageReport {
  const reports = reportsIn(folder);
  expect(reports).toHaveLength(1);
  return reports[0] as DamageReport;
}

const callbacksIn = (report: DamageReport) => report.tables.find(({ label }) => label === 'callbacks');

describe('a damaged app.sqlite', () => {
  test('overwritten in the middle keeps all that is readable, counts what is lost, and keeps the old file', () => {
    const { folder, file, close } = filledStore(4000);
    close();
    const size = statSync(file).size;
    overwrite(file, 40 * 4096, Math.floor(size / 3));
    const damaged = readFileSync(file);
    const store = openStore(folder);
    const ids = expectIntact(store);
    expect(ids.length).toBeGreaterThan(2000);
    expect(ids.length).toBeLessThan(4000);
    const report = onlyReport(folder);
    expect(callbacksIn(report)).toEqual({ label: 'callbacks', kept: ids.length, lost: 4000 - ids.length });
    expect(readFileSync(join(folder, report.keptAs ?? '')).equals(damaged)).toBe(true);
    expect(store.db.prepare('PRAGMA quick_check').get()).toEqual({ quick_check: 'ok' });
    expect(store.db.prepare('SELECT json FROM documents').get()).toEqual({ json: '{"kept":true}' });
    // Long bodies whose callbacks are lost are still there.
    expect(bodyFilesBelow(join(folder, `${report.id}-bodies`))).toHaveLength(report.keptBodyFiles);
    store.writer.append([callback(4001)]);
    expect(expectIntact(store).at(-1)).toBe(4001);
  });

  test('cut off keeps what is before the cut', () => {
    const { folder, file, close } = filledStore(4000);
    close();
    cutTo(file, 0.6);
    const store = openStore(folder);
    const ids = expectIntact(store);
    expect(ids.length).toBeGreaterThan(1500);
    expect(callbacksIn(onlyReport(folder))?.kept).toBe(ids.length);
    expect(onlyReport(folder).detail).toMatch(/the file ended after \d+ of \d+ pages/);
    // IDs of lost callbacks are never given again.
    store.writer.append([callback(0)]);
    expect(store.pages.counts().newestId).toBeGreaterThan(4000);
  });

  test('with a garbled header keeps everything', () => {
    const { folder, file, close } = filledStore(1000);
    close();
    overwrite(file, 0, 100);
    expect(expectIntact(openStore(folder))).toHaveLength(1000);
    expect(callbacksIn(onlyReport(folder))).toEqual({ label: 'callbacks', kept: 1000, lost: 0 });
  });

  test('without its first page keeps everything', () => {
    const { folder, file, close } = filledStore(1000);
    close();
    overwrite(file, 0, 4096);
    expect(expectIntact(openStore(folder))).toHaveLength(1000);
  });

  test.each(['empty', 'missing'])('%s is reported, and no body file is deleted', (kind) => {
    const { folder, file, close } = filledStore(500);
    close();
    const bodies = bodyFilesBelow(folder).map((name) => readFileSync(join(folder, name)));
    expect(bodies.length).toBeGreaterThan(0);
    if (kind === 'empty') truncateSync(file, 0);
    else rmSync(file);
    const store = openStore(folder);
    expect(expectIntact(store)).toEqual([]);
    const report = onlyReport(folder);
    expect(callbacksIn(report)).toEqual({ label: 'callbacks', kept: 0, lost: null });
    expect(report.keptBodyFiles).toBe(bodies.length);
    const kept = bodyFilesBelow(join(folder, `${report.id}-bodies`));
    expect(kept.map((name) => readFileSync(join(folder, `${report.id}-bodies`, name)))).toEqual(bodies);
  });

  test('empty beside a log from a kill keeps what the log has', () => {
    const killed = copyAsKilled(filledStore(1000).folder);
    truncateSync(join(killed, 'app.sqlite'), 0);
    expect(expectIntact(openStore(killed))).toHaveLength(1000);
  });

  test('with its log cut off says that the newest changes are lost, and deletes no body', () => {
    const killed = copyAsKilled(filledStore(2000).folder);
    const before = bodyFilesBelow(killed).length;
    cutTo(join(killed, 'app.sqlite-wal'), 0.5);
    const store = openStore(killed);
    const ids = expectIntact(store);
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.length).toBeLessThan(2000);
    const report = onlyReport(killed);
    expect(report.detail).toMatch(/the last \d+ pages of its write-ahead log were missing or damaged/);
    expect(callbacksIn(report)).toEqual({ label: 'callbacks', kept: ids.length, lost: null });
    expect(statSync(join(killed, `${report.keptAs}-wal`)).size).toBeGreaterThan(0);
    expect(new Set(bodyFilesBelow(killed).map((name) => name.split('/').at(-1))).size).toBe(before);
  });
});

describe('an undamaged app.sqlite', () => {
  test('after a kill is opened as it is, without a report', () => {
    const killed = copyAsKilled(filledStore(1000).folder);
    expect(expectIntact(openStore(killed))).toHaveLength(1000);
    expect(reportsIn(killed)).toEqual([]);
  });

  test('gives deleted callbacks no way back', () => {
    const { folder, file, writer, close } = filledStore(2000);
    writer.remove(Array.from({ length: 1500 }, (_, index) => index + 1));
    close();
    overwrite(file, Math.floor(statSync(file).size * 0.8), 400_000);
    const ids = expectIntact(openStore(folder));
    expect(ids.length).toBeGreaterThan(50);
    expect(ids.filter((id) => id <= 1500)).toEqual([]);
  });
});
