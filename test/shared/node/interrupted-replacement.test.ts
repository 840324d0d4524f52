// A replacement that is killed, runs out of space, or is followed by another: no byte of the old or the new files is lost.
import fs, { readFileSync, readdirSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { createCopy } from '#shared/node/database-copies.ts';
import { AppFailure } from '#core/errors/app-failure.ts';
import { canMount, smallDisk } from '#test/faults/small-disk.ts';
import { bodiesBelow, bodyFilesBelow, callback, expectIntact, filledStore, openStore, reportsIn } from './app-store.ts';
import { copyAsKilled, overwrite } from './damage.ts';

/** A folder with a damaged database, and a copy from before its last callbacks. */
async function damagedFolder(count: number, folder?: string): Promise<string> {
  const store = filledStore(count, folder);
  await createCopy(store.file, systemClock);
  store.writer.append(Array.from({ length: 100 }, (_, index) => callback(count + 1 + index)));
  store.close();
  overwrite(store.file, 0, 4096);
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

function openAndClose(folder: string): number[] {
  const store = openStore(folder);
  const ids = expectIntact(store);
  expect(store.db.prepare('PRAGMA quick_check').get()).toEqual({ quick_check: 'ok' });
  store.close();
  return ids;
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test('killed before any of its steps, the next start finishes it, and nothing is lost', async () => {
  const folder = await damagedFolder(300);
  const damaged = readFileSync(join(folder, 'app.sqlite'));
  const bodies = bodiesBelow(folder);
  const copies = copiesBeforeEachStep(folder, () => void openAndClose(folder));
  const planned = copies.filter((copy) => readdirSync(copy).includes('app.sqlite.replacement.json'));
  // Body files, the database, the new ones, the report, the plan: each was a step.
  expect(planned.length).toBeGreaterThan(5);
  for (const copy of copies) {
    for (let start = 0; start < 2; start += 1) {
      expect(openAndClose(copy)).toEqual(upTo(300));
      const [report, ...others] = reportsIn(copy);
      expect(others).toEqual([]);
      expect(readdirSync(copy).filter((name) => name.startsWith('app.sqlite.damaged-'))).toEqual([report?.id]);
      expect(readFileSync(join(copy, report?.id ?? '', 'app.sqlite')).equals(damaged)).toBe(true);
      expect(bodiesBelow(copy)).toEqual(bodies);
      expect(readdirSync(copy).filter((name) => name.includes('replacement'))).toEqual([]);
    }
  }
});

test('a plan that cannot be read changes nothing', () => {
  for (const plan of ['', '{"reason":"dama', '\u0000{', '{"reason":1}']) {
    const { folder, file, close } = filledStore(10);
    close();
    fs.writeFileSync(`${file}.replacement.json`, plan);
    expect(openAndClose(folder)).toEqual(upTo(10));
    expect(reportsIn(folder)).toEqual([]);
  }
});

test('starts despite a garbled lock file', async () => {
  const folder = await damagedFolder(100);
  fs.writeFileSync(join(folder, 'app.lock'), 'x'.repeat(5000));
  expect(openAndClose(folder)).toEqual(upTo(100));
});

test.runIf(canMount)(
  'on a full disk leaves everything as it was, names the cause, and works once there is room',
  async () => {
    const disk = smallDisk(8);
    await damagedFolder(2000, disk.folder);
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
    expect(openAndClose(disk.folder)).toEqual(upTo(2000));
    expect(reportsIn(disk.folder)).toHaveLength(1);
  },
);
