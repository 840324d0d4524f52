// How long a file with bodies gets. On its own, because 64 MB take longer to write than all other tests of body files.
import { expect, test } from 'vitest';
import { readBody } from '#core/receiver/records/body-segments.ts';
import { nextDescriptor, openSegments } from './body-store.ts';

test('starts another file at 64 MB', () => {
  const { file, files, segments } = openSegments();
  const chunk = Buffer.alloc(64 * 1024, 'x');
  const length = 64 * 1024 * 1024 - 1;
  const chunks = [...Array.from({ length: 1023 }, () => chunk), chunk.subarray(1)];
  expect(segments.append([{ chunks, length }])).toEqual([{ segment: 1, offset: 0 }]);
  segments.confirm();
  const descriptor = nextDescriptor(file);
  expect(segments.append([Buffer.from('ab')])).toEqual([{ segment: 1, offset: length }]);
  expect(segments.append([Buffer.from('c')])).toEqual([{ segment: 2, offset: 0 }]);
  expect(files()).toEqual(['1.bodies', '2.bodies.new']);
  expect(readBody(file, { segment: 1, offset: length - 2 }, 4)?.toString()).toBe('xxab');
  // The first one is closed, and the second one at the end.
  expect(nextDescriptor(file)).toBe(descriptor);
  segments.close();
  expect(nextDescriptor(file)).toBeLessThan(descriptor);
});
