// The files with long bodies: their names, what is in them, and what becomes of them at a start.
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import {
  bodyFolder,
  countMissingBodies,
  deleteUnnamedFiles,
  openBodyFiles,
  readBody,
} from '#core/receiver/records/body-files.ts';
import { createCallbackWriter } from '#core/receiver/records/callback-writer.ts';
import { openCallbackStore, receivedCallback } from '#test/core/callbacks/callback-store.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { filledStore } from '#test/shared/node/app-store.ts';

/** A database, and the folder with its body files. */
function openStore() {
  const { db, file, close } = openAppDatabase({
    file: join(temporaryFolder(), 'app.sqlite'),
    clock: createManualClock(),
  });
  onTestFinished(close);
  const folder = bodyFolder(file);
  return {
    db,
    file,
    folder,
    close,
    files: () => (existsSync(folder) ? readdirSync(folder).toSorted() : []),
    place(names: readonly string[], text = 'body') {
      mkdirSync(folder, { recursive: true });
      for (const name of names) writeFileSync(join(folder, name), text);
    },
    /** Says that a callback has its body in these. */
    nameFiles(...ids: readonly number[]) {
      const insert = db.prepare(
        `INSERT INTO callbacks (id, received_at, method, target, http_version, remote_address, answered_status, flags, size_bytes, body_file,
         body_offset, headers, body) VALUES (?1, 0, '', '', '', '', 0, 0, 4, ?1, 0, '[]', x'')`,
      );
      for (const id of ids) insert.run(id);
    },
  };
}

function openBodies(store = openStore()) {
  const bodies = openBodyFiles(store.db);
  onTestFinished(bodies.close);
  return { ...store, bodies };
}

/** Descriptors are the lowest free numbers. */
function nextDescriptor(file: string): number {
  const opened = openSync(file, 'r');
  closeSync(opened);
  return opened;
}

test('writes bodies one behind the other, into a file of the user with the ID of the first callback', () => {
  const { file, files, folder, bodies } = openBodies();
  expect([bodies.append([], 3), files()]).toEqual([[], []]);
  expect(bodies.append([Buffer.from('abc'), Buffer.from('defgh')], 3)).toEqual([
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
  // Not bytes, so it can't be written.
  const broken = JSON.parse('{"length":2}') as Buffer;
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

test('deletes at the start what a crash left without a callback, and no file of another kind', () => {
  const { db, file, files, nameFiles, place, close } = openStore();
  deleteUnnamedFiles(db);
  expect(files()).toEqual([]);
  place(['1.bodies', '4.bodies', 'x5.bodies', 'notes.txt']);
  nameFiles(1, 2);
  close();
  openAppDatabase({ file, clock: createManualClock() }).close();
  expect(files()).toEqual(['1.bodies', 'notes.txt', 'x5.bodies']);
});

test('starts another file at 64 MB', () => {
  const { file, files, bodies } = openBodies();
  const length = 64 * 1024 * 1024 - 1;
  expect(bodies.append([Buffer.alloc(length, 'x')], 7)).toEqual([{ file: 7, offset: 0 }]);
  const descriptor = nextDescriptor(file);
  expect(bodies.append([Buffer.from('ab')], 8)).toEqual([{ file: 7, offset: length }]);
  expect(bodies.append([Buffer.from('c')], 9)).toEqual([{ file: 9, offset: 0 }]);
  expect(files()).toEqual(['7.bodies', '9.bodies']);
  expect(readBody(file, { file: 7, offset: length - 2 }, 4)?.toString()).toBe('xxab');
  // The first one is closed, and the second one at the end.
  expect(nextDescriptor(file)).toBe(descriptor);
  bodies.close();
  expect(nextDescriptor(file)).toBeLessThan(descriptor);
});

test('long bodies come back to the byte, beside short ones, and go with the callback', () => {
  const { db, pages, writer } = openCallbackStore([]);
  const files = () => readdirSync(bodyFolder(db.location() ?? ''));
  const [long, short, other] = [randomBytes(100_000), randomBytes(16_384), randomBytes(17_500)];
  writer.append([long, short, other].map((body) => receivedCallback({ body })));
  writer.append([receivedCallback({ body: randomBytes(16_385) })]);
  expect([1, 2, 3].map((id) => pages.get(id)?.body)).toEqual([long, short, other]);
  const stored = db.prepare('SELECT length(body) AS inline, size_bytes AS size FROM callbacks').all();
  expect(stored).toEqual([
    { inline: 0, size: 100_000 },
    { inline: 16_384, size: 16_384 },
    { inline: 0, size: 17_500 },
    { inline: 0, size: 16_385 },
  ]);
  expect(writer.counters).toMatchObject({ total: 4, bytes: 100_000 + 16_384 + 17_500 + 16_385 });
  const later = createCallbackWriter(db);
  later.append([receivedCallback({ body: randomBytes(17_000) })]);
  writer.close();
  // A restart begins a new file.
  later.remove([1, 3]);
  expect(files()).toEqual(['1.bodies', '5.bodies']);
  later.remove([4]);
  expect(files()).toEqual(['5.bodies']);
  rmSync(join(bodyFolder(db.location() ?? ''), '5.bodies'));
  expect(pages.get(5)).toMatchObject({ truncated: true, sizeBytes: 17_000, body: Buffer.alloc(0) });
  later.close();
});
