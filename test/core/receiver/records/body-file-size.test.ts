// How long a file with bodies gets. On its own, because 64 MB take longer to write than all other tests of body files.
import { expect, test } from 'vitest';
import { readBody } from '#core/receiver/records/body-files.ts';
import { nextDescriptor, openBodies } from './body-store.ts';

test('starts another file at 64 MB', () => {
  const { file, files, bodies } = openBodies();
  const chunk = Buffer.alloc(64 * 1024, 'x');
  const length = 64 * 1024 * 1024 - 1;
  const chunks = [...Array.from({ length: 1023 }, () => chunk), chunk.subarray(1)];
  expect(bodies.append([{ chunks, length }], 7)).toEqual([{ file: 7, offset: 0 }]);
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
