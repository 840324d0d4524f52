// What SQLite's result codes mean for a user.
import { expect, it } from 'vitest';
import { describeStorageError, isDamage } from '#shared/errors/storage-error.ts';

it.each([
  [11, 'the database is damaged', true],
  [26, 'the database is damaged', true],
  // A file that was cut while it is open.
  [522, 'the database is damaged', true],
  [266, 'the disk cannot be read or written', false],
  [261, 'the database is locked by another program', false],
  [13, 'the disk is full', false],
])('SQLite’s code %i means: %s', (errcode, words, isDamaged) => {
  const error = Object.assign(new Error('from SQLite'), { errcode });
  expect([describeStorageError(error), isDamage(error)]).toEqual([words, isDamaged]);
});
