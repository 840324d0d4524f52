// A rescue that is killed, runs out of space, or is followed by more damage: no byte of what it was to save is lost.
import fs, { readFileSync, readdirSync, statSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AppFailure } from '#core/errors/app-failure.ts';
import { canMount, smallDisk } from '#test/faults/small-disk.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { bodyFilesBelow, callback, expectIntact, filledStore, openStore, reportsIn } from './app-store.ts';
import { copyAsKilled, cutTo, overwrite } from './damage.ts';

/** A folder whose database lost pages in its middle, and body files with them. */
function damagedFolder(count: number, folder?: string): string {
  const store = filledStore(count, folder);
  store.close();
  overwrite(store.file, 10 * 4096, Math.floor(statSync(store.file).size / 3));
  return store.folder;
}

/** Runs `work`, and copies the folder before each call that changes names or writes a whole file: what kill -9 leaves there. */
function copiesBeforeEachStep(folder: string, work: () => void): string[] {
  const copies: string[] = [];
  let isCopying = false;
  const names = ['renameSync', 'linkSync', 'rmSync', 'mkdirSync', 'writeFileSync'] as const;
  const originals = names.map((name) => [name, fs[name]] as const);
  for (const [name, original] of originals) {
    const call = original as (...values: unknown[]) => unknown;
    Object.assign(fs, {
      [name](...values: unknown[]) {
        if (!isCopying && String(values[0]).startsWith(`${folder}/`)) {
          isCopying = true;
          copies.push(copyAsKilled(folder));
          isCopying = false;
        }
        return call(...values);
      },
    });
  }
  syncBuiltinESMExports();
  try {
    work();
  } finally {
    for (const [name, original] of originals) Object.assign(fs, { [name]: original });
    syncBuiltinESMExports();
  }
  return copies;
}

/** Contents, each once: a body file may have a second name. */
function bodiesBelow(folder: string): string[] {
  const contents = bodyFilesBelow(folder).map((name) => readFileSync(join(folder, name)).toString('latin1'));
  return [...new Set(contents)].toSorted();
}

function keptDatabases(folder: string): string[] {
  return readdirSync(folder).filter((name) => /^app\.sqlite\.damaged-[\dTZ_-]+$/.test(name));
}

/** What disk damage leaves of the plan; each must not parse. */
const brokenPlans: Readonly<Record<string, (plan: string) => string>> = {
  empty: () => '',
  truncated: (plan) => plan.slice(0, plan.length / 2),
  garbage: () => '\u0000\ufffd{"kept":',
  'of wrong fields': () => '{"kept":1,"target":[],"report":{}}',
  'of names outside its folder': (plan) => plan.replace(/"kept":"/, '"kept":"../'),
};

describe('a rescue', () => {
  test('that is killed before any of its steps is finished by the next start, and nothing is lost', () => {
    const folder = damagedFolder(600);
    const damaged = readFileSync(join(folder, 'app.sqlite'));
    const bodies = bodiesBelow(folder);
    let expected: number[] = [];
    const copies = copiesBeforeEachStep(folder, () => {
      const store = openStore(folder);
      expected = expectIntact(store);
      store.close();
    });
    expect(expected.length).toBeGreaterThan(100);
    expect(expected.length).toBeLessThan(600);
    const planned = copies.filter((copy) => readdirSync(copy).includes('app.sqlite.swap.json'));
    // Body files, the database, the new one, the report, the plan: each was a step.
    expect(planned.length).toBeGreaterThan(5);
    for (const copy of copies) {
      for (let start = 0; start < 2; start += 1) {
        const store = openStore(copy);
        expect(expectIntact(store)).toEqual(expected);
        expect(store.db.prepare('PRAGMA quick_check').get()).toEqual({ quick_check: 'ok' });
        store.close();
        const [report, ...others] = reportsIn(copy);
        expect(others).toEqual([]);
        expect(keptDatabases(copy)).toEqual([report?.keptAs]);
        expect(readFileSync(join(copy, report?.keptAs ?? '')).equals(damaged)).toBe(true);
        expect(report?.keptBodyFiles).toBe(bodyFilesBelow(join(copy, `${report?.id}-bodies`)).length);
        expect(bodiesBelow(copy)).toEqual(bodies);
        expect(readdirSync(copy).filter((name) => /swap|rescue/.test(name))).toEqual([]);
      }
    }
  });

  test('whose plan is damaged goes on at the next start, whatever the plan was killed in, and nothing is lost', () => {
    const folder = damagedFolder(600);
    const bodies = bodiesBelow(folder);
    let expected: number[] = [];
    const planned = copiesBeforeEachStep(folder, () => {
      const store = openStore(folder);
      expected = expectIntact(store);
      store.close();
    }).filter((copy) => readdirSync(copy).includes('app.sqlite.swap.json'));
    expect(planned.length).toBeGreaterThan(5);
    const ways = Object.values(brokenPlans);
    planned.forEach((copy, index) => {
      const breakPlan = ways[index % ways.length] ?? String;
      const plan = join(copy, 'app.sqlite.swap.json');
      fs.writeFileSync(plan, breakPlan(readFileSync(plan, 'utf8')));
      for (let start = 0; start < 2; start += 1) {
        const store = openStore(copy);
        expect(expectIntact(store)).toEqual(expected);
        store.close();
        const [report, ...others] = reportsIn(copy);
        expect(others).toEqual([]);
        expect(keptDatabases(copy)).toEqual([report?.keptAs]);
        expect(report?.keptBodyFiles).toBe(bodyFilesBelow(join(copy, `${report?.id}-bodies`)).length);
        expect(bodiesBelow(copy)).toEqual(bodies);
        const left = readdirSync(copy).filter((name) => /swap|rescue/.test(name));
        expect(left).toEqual([expect.stringMatching(/^app\.sqlite\.swap\.json\.damaged-/)]);
      }
    });
  });

  test('that never happened, but left a plan damaged in each way, changes nothing', () => {
    for (const breakPlan of Object.values(brokenPlans)) {
      const { folder, close } = filledStore(10);
      close();
      fs.writeFileSync(join(folder, 'app.sqlite.swap.json'), breakPlan('{"kept":"x","target":"y"}'));
      const store = openStore(folder);
      expect(expectIntact(store)).toHaveLength(10);
      store.close();
      expect(reportsIn(folder)).toEqual([]);
    }
  });

  test('of a folder that was rescued before keeps both old files and both reports, also within a millisecond', () => {
    // It does not move, so that both rescues have the same time.
    const clock = createManualClock();
    const folder = damagedFolder(600);
    const first = openStore(folder, clock);
    const kept = expectIntact(first);
    first.writer.append([callback(601)]);
    first.close();
    const old = keptDatabases(folder).map((name) => readFileSync(join(folder, name)));
    cutTo(first.file, 0.7);
    const damaged = readFileSync(first.file);

    const second = openStore(folder, clock);
    const left = expectIntact(second);
    expect(left.length).toBeGreaterThan(0);
    expect(kept.concat(601)).toEqual(expect.arrayContaining(left));
    const contents = keptDatabases(folder).map((name) => readFileSync(join(folder, name)));
    expect(contents).toHaveLength(2);
    for (const content of [...old, damaged]) expect(contents.some((other) => other.equals(content))).toBe(true);
    const reports = reportsIn(folder);
    expect(new Set(reports.map(({ keptAs }) => keptAs))).toEqual(new Set(keptDatabases(folder)));
    // IDs that were lost by the first damage are still known, and none is given again.
    second.writer.append([callback(0)]);
    expect(second.pages.counts().newestId).toBeGreaterThan(601);
  });

  test('starts despite a garbled lock file', () => {
    const folder = damagedFolder(100);
    fs.writeFileSync(join(folder, 'app.lock'), 'x'.repeat(5000));
    expect(expectIntact(openStore(folder)).length).toBeGreaterThan(0);
  });

  test.runIf(canMount)(
    'on a full disk leaves everything as it was, names the cause, and works once there is room',
    () => {
      const disk = smallDisk(8);
      damagedFolder(2000, disk.folder);
      const damaged = readFileSync(join(disk.folder, 'app.sqlite'));
      const bodies = bodyFilesBelow(disk.folder);
      disk.fill(200_000);
      const before = disk.freeBytes();
      let refusal: unknown;
      try {
        openStore(disk.folder);
      } catch (error) {
        refusal = error;
      }
      expect(refusal).toBeInstanceOf(AppFailure);
      expect(String(refusal)).toContain('the disk is full');
      expect(readFileSync(join(disk.folder, 'app.sqlite')).equals(damaged)).toBe(true);
      expect(bodyFilesBelow(disk.folder)).toEqual(bodies);
      expect(reportsIn(disk.folder)).toEqual([]);
      // The half of a new file must not fill the disk for others.
      expect(before - disk.freeBytes()).toBeLessThan(70_000);
      disk.makeRoom();
      const store = openStore(disk.folder);
      expect(expectIntact(store).length).toBeGreaterThan(500);
      expect(reportsIn(disk.folder)).toHaveLength(1);
      store.close();
    },
  );
});

test('body files without a callback are moved and reported once, also by a process that is killed before any step', () => {
  const { folder, db, close } = filledStore(600);
  // As if their rows were lost with a page that nothing reads.
  db.exec('DELETE FROM callback_bodies');
  close();
  const bodies = bodiesBelow(folder);
  expect(bodies.length).toBeGreaterThan(0);
  const copies = copiesBeforeEachStep(folder, () => openStore(folder).close());
  expect(copies.length).toBeGreaterThan(3);
  for (const copy of [folder, ...copies]) {
    for (let start = 0; start < 2; start += 1) {
      openStore(copy).close();
      const [report, ...others] = reportsIn(copy);
      expect(others).toEqual([]);
      expect(report).toMatchObject({ keptAs: null, keptBodyFiles: bodies.length });
      expect(bodiesBelow(join(copy, `${report?.id}-bodies`))).toEqual(bodies);
    }
  }
});
