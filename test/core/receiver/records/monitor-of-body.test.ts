// Which monitor the body of a callback names. One store for all bodies, because each would take longer to open than to write.
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openCallbackStore, receivedCallback } from '#test/core/callbacks/callback-store.ts';

const plain = ['content-type', 'application/json'];
const gzip = [...plain, 'Content-Encoding', 'gzip'];
const utf8 = ['Content-Type', 'application/json; charset=utf-8'];
const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const latin1 = ['X-A', 'b', 'Content-Type', 'application/json; charset=iso-8859-1'];
/** A JSON object of so many bytes. */
const objectOf = (bytes: number) => `{"id":"m","x":"${'x'.repeat(bytes - 17)}"}`;

const bodies: [string, string | Buffer, string[], string | null][] = [
  ['an object', '{"a":1,"id":"m"}', plain, 'm'],
  ['an object without an ID', '{"ID":"m"}', plain, null],
  ['an object with a number', '{"id":5}', plain, null],
  ['an object in an object', '{"a":{"id":"m"}}', plain, null],
  ['broken JSON', '{"id":"m"', plain, null],
  ['a list', '[{"id":"m"}]', plain, null],
  ['nothing', '', plain, null],
  ['an object behind a space', ' {"id":"m"}', plain, 'm'],
  ['an object behind a tab', '\t{"id":"m"}', plain, 'm'],
  ['an object behind a byte order mark', '\uFEFF{"id":"m"}', plain, 'm'],
  ['an object in UTF-16', utf16('{"id":"m"}'), plain, 'm'],
  ['an object in UTF-16, big-endian', utf16('{"id":"m"}').swap16(), plain, 'm'],
  ['an object in UTF-16, big-endian, by its mark', utf16('\uFEFF{"id":"m"}').swap16(), utf8, 'm'],
  ['an object in Latin-1', Buffer.from('{"id":"ü"}', 'latin1'), latin1, 'ü'],
  ['a compressed object', gzipSync('{"id":"m"}'), gzip, 'm'],
  ['a compressed object without its coding', gzipSync('{"id":"m"}'), plain, null],
  ['an object that is not compressed', '{"id":"m"}', gzip, 'm'],
  ['a broken compressed object', '{"x"', gzip, null],
  ['an object of 16 KB', objectOf(16_384), plain, 'm'],
  ['an object of more than 16 KB', objectOf(16_385), plain, null],
  ['a compressed object of 16 KB', gzipSync(objectOf(16_384)), gzip, 'm'],
  ['a compressed object of more than 16 KB', gzipSync(objectOf(16_385)), gzip, null],
  ['an object with a long ID', `{"id":"${'i'.repeat(201)}"}`, plain, 'i'.repeat(200)],
];

test('finds the monitor of a body', () => {
  const { pages } = openCallbackStore(
    bodies.map(([, body, rawHeaders]) => ({ ...receivedCallback({ body }), rawHeaders })),
  );
  const found = [...pages.rows({}, 'oldestFirst')].map(({ monitorId }, index) => [bodies[index]?.[0], monitorId]);
  expect(found).toEqual(bodies.map(([name, , , monitorId]) => [name, monitorId]));
});
