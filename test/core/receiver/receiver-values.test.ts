// What the receiver works out without a connection: paths and reports.
import { expect, test } from 'vitest';
import { fitsPath, pathOf } from '#core/receiver/requests/path-pattern.ts';
import { createBoundedRate } from '#core/ports/bounded-rate.ts';
import { createManualClock } from '../manual-clock.ts';

test.each([
  ['/a', '/a', true],
  ['/a', '/ab', false],
  ['/a*', '/ab', true],
  ['/a*', '/b', false],
  ['/*', '/', true],
])('the pattern %s fits %s: %s', (pattern, path, fits) => {
  expect(fitsPath(pattern, path)).toBe(fits);
});

test.each([
  ['/a?b?c', '/a'],
  ['http://a.example/x/y?z', '/x/y'],
  ['http://a.example/x/', '/x/'],
  ['/x/', '/x/'],
  ['*', '*'],
  ['', ''],
])('the path of %j is %j', (target, path) => {
  expect(pathOf(target)).toBe(path);
});

test('a bounded rate reports at once, then at most once per interval', () => {
  const clock = createManualClock();
  const reports: number[] = [];
  const rate = createBoundedRate(clock, 100, () => void reports.push(clock.elapsed()));
  rate.cancel();
  rate.report();
  rate.report();
  rate.report();
  clock.advance(99);
  expect(reports).toEqual([0]);
  clock.advance(201);
  expect(reports).toEqual([0, 100]);
  rate.report();
  rate.report();
  rate.cancel();
  clock.advance(500);
  expect(reports).toEqual([0, 100, 300]);
});
