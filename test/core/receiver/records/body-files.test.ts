// The files with long bodies: their names, what is in them, and what becomes of them at a start.
import { readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countMissingBodies, deleteUnnamedFiles, readBody } from '#core/receiver/records/body-files.ts';
import { filledStore } from '#test/shared/node/app-store.ts';
import { nextDescriptor, openBodies, openStore } from './body-store.ts';

test('writes bodies one behind the other, into a file of the user with the ID of the first callback', () => {
  const { file, files, folder, bodies } = openBodies();
  expect([bodies.append([], 3), files()]).toEqual([[], []]);
  const pieces = { chunks: [Buffer.from('de'), Buffer.from('f'), Buffer.from('gh')], length: 5 };
  expect(bodies.append([Buffer.from('abc'), pieces], 3)).toEqual([
    { file: 3, offset: 0 },
    { file: 3, offset: 3 },
  ]);
  expect(readBody(file, { file: 3, offset: 3 }, 5)?.toString()).toBe('defgh');
  expect(bodies.append([Buffer.from('ij')], 9)).toEqual([{ file: 3, offset: 8 }]);
  expect(files()).toEqual(['3.bodies']);
  expect(readFileSync(join(folder, '3.bodies'), 'utf8')).toBe('abcdefghij');
  expect([statSync(join(folder, '3.bodies')).mode & 0o777, statSync(folder).mode & 0o777]).toEqual([0o600, 0o700]);
});

test('reads what is there as a whole or not at all, and closes the file', () => {
  const { file, place } = openStore();
  place(['3.bodies'], 'abcdef');
  const read = (offset: number, length: number, id = 3) => readBody(file, { file: id, offset }, length)?.toString();
  expect([read(0, 6), read(2, 3), read(6, 0)]).toEqual(['abcdef', 'cde', '']);
  expect([read(0, 7), read(5, 2), read(0, 1, 4)]).toEqual([undefined, undefined, undefined]);
  const before = nextDescriptor(file);
  read(0, 6);
  expect(nextDescriptor(file)).toBe(before);
});

test('goes on in another file after a failure', () => {
  const { bodies, file } = openBodies();
  bodies.append([Buffer.from('ab')], 1);
  const broken = {
    get chunks(): Buffer[] {
      throw new TypeError('broken');
    },
    length: 2,
  };
  expect(() => bodies.append([broken], 2)).toThrow(TypeError);
  expect(bodies.append([Buffer.from('de')], 2)).toEqual([{ file: 2, offset: 0 }]);
  const read = (id: number) => readBody(file, { file: id, offset: 0 }, 2)?.toString();
  expect([read(1), read(2)]).toEqual(['ab', 'de']);
});

test('deletes files that no callback names, except the one in use', () => {
  const store = openStore();
  store.place(['1.bodies', '2.bodies']);
  store.nameFiles(2);
  const { files, bodies } = openBodies(store);
  bodies.append([Buffer.from('a')], 3);
  bodies.drop([1, 2, 3, 9]);
  expect(files()).toEqual(['2.bodies', '3.bodies']);
  bodies.close();
  bodies.drop([3]);
  expect(files()).toEqual(['2.bodies']);
  expect(bodies.append([Buffer.from('b')], 4)).toEqual([{ file: 4, offset: 0 }]);
});

test.each([
  ['gone', (file: string) => rmSync(file), 3],
  ['empty', (file: string) => truncateSync(file), 3],
  ['cut in its last body', (file: string) => truncateSync(file, statSync(file).size - 1), 1],
])('counts the bodies that are missing if a file is %s', (_, damage, missing) => {
  const { db, file } = filledStore(150);
  expect(countMissingBodies(db)).toBe(0);
  damage(join(`${file}-bodies`, '1.bodies'));
  expect(countMissingBodies(db)).toBe(missing);
});

test('deletes at the start what no callback names, and no file of another kind', () => {
  const { db, files, nameFiles, place } = openStore();
  deleteUnnamedFiles(db);
  expect(files()).toEqual([]);
  place(['1.bodies', '4.bodies', 'x5.bodies', 'notes.txt']);
  nameFiles(1, 2);
  deleteUnnamedFiles(db);
  expect(files()).toEqual(['1.bodies', 'notes.txt', 'x5.bodies']);
});
