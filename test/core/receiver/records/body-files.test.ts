// The files with long bodies: their names, what is in them, and what becomes of them at a start.
import fs, { readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { readBody, settleSegments } from '#core/receiver/records/body-segments.ts';
import { systemClock } from '#shared/time/clock.ts';
import { filledStore } from '#test/storage/app-store.ts';
import { nextDescriptor, openSegments, openStore } from './body-store.ts';

test('writes bodies one behind the other, into a file of the user that gets its name with the first row', () => {
  const { file, files, folder, segments } = openSegments();
  expect([segments.append([]), files()]).toEqual([[], []]);
  const pieces = { chunks: [Buffer.from('de'), Buffer.from('f'), Buffer.from('gh')], length: 5 };
  expect(segments.append([Buffer.from('abc'), pieces])).toEqual([
    { segment: 1, offset: 0 },
    { segment: 1, offset: 3 },
  ]);
  expect(files()).toEqual(['1.bodies.new']);
  expect(readBody(file, { segment: 1, offset: 3 }, 5)?.toString()).toBe('defgh');
  segments.confirm();
  segments.confirm();
  expect(files()).toEqual(['1.bodies']);
  expect(segments.append([Buffer.from('ij')])).toEqual([{ segment: 1, offset: 8 }]);
  expect(readFileSync(join(folder, '1.bodies'), 'utf8')).toBe('abcdefghij');
  expect([statSync(join(folder, '1.bodies')).mode & 0o777, statSync(folder).mode & 0o777]).toEqual([0o600, 0o700]);
});

test('reads what is there as a whole or not at all, and closes the file', () => {
  const { file, place } = openStore();
  place(['3.bodies'], 'abcdef');
  const read = (offset: number, length: number, segment = 3) => readBody(file, { segment, offset }, length)?.toString();
  expect([read(0, 6), read(2, 3), read(6, 0)]).toEqual(['abcdef', 'cde', '']);
  expect([read(0, 7), read(5, 2), read(0, 1, 4)]).toEqual([undefined, undefined, undefined]);
  const before = nextDescriptor(file);
  read(0, 6);
  expect(nextDescriptor(file)).toBe(before);
});

type Write = typeof fs.writevSync;
/** Runs work with another way to write, and names the calls that write to the disk. */
function withWrites<Result>(write: (original: Write, ...values: Parameters<Write>) => number, work: () => Result) {
  const calls: string[] = [];
  const { fdatasyncSync, writevSync } = fs;
  Object.assign(fs, {
    writevSync(...values: Parameters<Write>) {
      calls.push('write');
      return write(writevSync, ...values);
    },
    fdatasyncSync(descriptor: number) {
      calls.push('sync');
      fdatasyncSync(descriptor);
    },
  });
  syncBuiltinESMExports();
  try {
    return { result: work(), calls };
  } finally {
    Object.assign(fs, { fdatasyncSync, writevSync });
    syncBuiltinESMExports();
  }
}

test('writes on until all is on disk if the system takes less at once', () => {
  const { folder, segments } = openSegments();
  const bodies = ['abc', 'defgh', 'ijk'].map((text) => Buffer.from(text));
  // The first 4 bytes end within a body, the next 4 with one.
  const write = (original: Write, descriptor: number, buffers: readonly NodeJS.ArrayBufferView[], at?: number) =>
    original(descriptor, [Buffer.concat(buffers as Buffer[]).subarray(0, 4)], at);
  const { calls, result } = withWrites(write, () => segments.append(bodies));
  expect(result.map(({ offset }) => offset)).toEqual([0, 3, 8]);
  expect(calls).toEqual(['write', 'write', 'write', 'sync']);
  expect(readFileSync(join(folder, '1.bodies.new'), 'utf8')).toBe('abcdefghijk');
});

test('fails if the system takes nothing', () => {
  const { segments } = openSegments();
  let tries = 0;
  const write = () => {
    tries += 1;
    if (tries > 3) throw new Error('tried again');
    return 0;
  };
  expect(() => withWrites(write, () => segments.append([Buffer.from('a')]))).toThrow(
    expect.objectContaining({ code: 'EIO' }),
  );
  // What follows is written in its place.
  expect(segments.append([Buffer.from('b')])).toEqual([{ segment: 1, offset: 0 }]);
});

test.each([
  ['files', ['7.bodies', '9.bodies.new', '12.txt', 'x11.bodies'], [], 10],
  ['rows', ['7.bodies'], [12], 13],
  ['nothing', [], [], 1],
])('numbers its first file after those of %s', (_, names, named, next) => {
  const store = openStore();
  store.place(names);
  store.nameSegments(...named);
  expect(openSegments(store).segments.append([Buffer.from('a')])).toEqual([{ segment: next, offset: 0 }]);
});

test('deletes files that no callback names, except the one in use', () => {
  const store = openStore();
  store.place(['1.bodies', '2.bodies']);
  store.nameSegments(2);
  const { files, segments } = openSegments(store);
  segments.append([Buffer.from('a')]);
  segments.confirm();
  segments.drop([1, 2, 3, 9]);
  expect(files()).toEqual(['2.bodies', '3.bodies']);
  segments.close();
  segments.drop([3]);
  expect(files()).toEqual(['2.bodies']);
  expect(segments.append([Buffer.from('b')])).toEqual([{ segment: 4, offset: 0 }]);
});

/** The sentences about a start with this data folder. */
function openNotices(folder: string): readonly string[] {
  const { notices, close } = openAppDatabase({ file: join(folder, 'app.sqlite'), clock: systemClock });
  close();
  return notices;
}

describe('at a start', () => {
  test.each([
    ['gone', (file: string) => rmSync(file)],
    ['empty', (file: string) => truncateSync(file)],
    ['cut in its last body', (file: string) => truncateSync(file, statSync(file).size - 1)],
  ])('a body file that is %s is a notice, with the number of lost bodies', (state, damage) => {
    const store = filledStore(150);
    store.close();
    expect(openNotices(store.folder)).toEqual([]);
    damage(join(`${store.file}-bodies`, '1.bodies'));
    const lost = state === 'cut in its last body' ? 'The body of 1 callback is' : 'The bodies of 3 callbacks are';
    expect(openNotices(store.folder)).toEqual([
      `${lost} missing: files in app.sqlite-bodies are missing or incomplete. Check the disk for errors.`,
    ]);
  });

  test('files are renamed, deleted, or left', () => {
    const { db, files, nameSegments, place } = openStore();
    place(['1.bodies', '2.bodies.new', '3.bodies.new', '4.bodies', '5.bodies', '0.bodies', 'notes.txt']);
    nameSegments(1, 2);
    db.exec('INSERT INTO removed_segments VALUES (4)');
    settleSegments(db);
    expect(files()).toEqual(['0.bodies', '1.bodies', '2.bodies', '5.bodies', 'notes.txt']);
    expect(db.prepare('SELECT 1 FROM removed_segments').all()).toEqual([]);
  });

  test('nothing is done without files', () => {
    const { db, files } = openStore();
    settleSegments(db);
    expect(files()).toEqual([]);
  });
});
