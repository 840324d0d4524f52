// What the receiver works out without a connection: paths, headers, reports, and verdicts.
import { expect, test } from 'vitest';
import { worstVerdict } from '#core/receiver/checks/callback-checks.ts';
import { fitsPath, pathOf } from '#core/receiver/requests/path-pattern.ts';
import { headersOf, receivedResponse } from '#core/receiver/responses/response-outcome.ts';
import { createBoundedRate } from '#core/ports/bounded-rate.ts';
import { createManualClock } from '../manual-clock.ts';

const now = Date.UTC(2026, 10, 23, 12);

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

test('a response has the headers that follow from its body, the time, and the connection (RFC 9110 §8.6, §6.6.1)', () => {
  const date: [string, string] = ['Date', 'Mon, 23 Nov 2026 12:00:00 GMT'];
  expect(headersOf({ ...receivedResponse, body: 'ü', headers: [['A', 'b']] }, now + 999, true)).toEqual([
    ['A', 'b'],
    ['content-length', '2'],
    date,
    ['Connection', 'keep-alive'],
    ['Keep-Alive', 'timeout=5'],
  ]);
  expect(headersOf({ ...receivedResponse, status: 204 }, now, false)).toEqual([date, ['Connection', 'close']]);
  expect(headersOf({ ...receivedResponse, status: 304, headers: [['DATE', 'x']] }, now, false)).toEqual([
    ['DATE', 'x'],
    ['Connection', 'close'],
  ]);
  expect(headersOf(receivedResponse, now + 1000, false)).toContainEqual(['Date', 'Mon, 23 Nov 2026 12:00:01 GMT']);
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

test('the worst check is the verdict', () => {
  const of = (...verdicts: ('ok' | 'warning' | 'error' | 'unknown')[]) =>
    worstVerdict(verdicts.map((verdict) => ({ check: 'hour', verdict, message: '' })));
  expect([of(), of('unknown'), of('unknown', 'ok'), of('ok', 'warning'), of('warning', 'error', 'ok')]).toEqual([
    'unknown',
    'unknown',
    'ok',
    'warning',
    'error',
  ]);
});
