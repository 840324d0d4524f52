// What the receiver works out without a connection: paths, heads, refusals, keys, and verdicts.
import { describe, expect, test } from 'vitest';
import { worstVerdict } from '#core/receiver/checks/callback-checks.ts';
import { isWebhookKey, signatureOutcomeOf } from '#core/receiver/checks/signature-check.ts';
import { createRefusalLog, type MoreRefusals } from '#core/receiver/refusals/refusal-log.ts';
import { fitsPath, pathOf } from '#core/receiver/requests/path-pattern.ts';
import type { ReceivedCallback } from '#core/receiver/requests/received-callback.ts';
import { headBytes, headersOf, receivedResponse } from '#core/receiver/responses/response-outcome.ts';
import { createBoundedRate } from '#core/ports/bounded-rate.ts';
import { createManualClock } from '../manual-clock.ts';

const now = Date.UTC(2026, 10, 23, 12);
const key = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

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

describe('a response', () => {
  test('has the headers that follow from its body, the time, and the connection (RFC 9110 §8.6, §6.6.1)', () => {
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

  test('has as many bytes in its head as are sent', () => {
    const bytes = (text: string) => Buffer.byteLength(text);
    expect(headBytes(200, ['A', 'b', 'Cc', 'dd'])).toBe(bytes('HTTP/1.1 200 OK\r\nA: b\r\nCc: dd\r\n\r\n'));
    expect(headBytes(404, [])).toBe(bytes('HTTP/1.1 404 Not Found\r\n\r\n'));
    expect(headBytes(299, [])).toBe(bytes('HTTP/1.1 299 unknown\r\n\r\n'));
  });
});

describe('refused requests', () => {
  const refusal = (firstBytes: string, more = {}) => ({
    reason: 'malformed' as const,
    status: 400,
    remoteAddress: '192.0.2.7',
    firstBytes: Buffer.from(firstBytes, 'latin1'),
    ...more,
  });
  function start() {
    const clock = createManualClock(now);
    const rows: ReceivedCallback[] = [];
    const counts: (readonly MoreRefusals[])[] = [];
    const log = createRefusalLog({
      clock,
      add: (row) => void rows.push(row),
      addCounts: (more) => void counts.push(more),
    });
    return { clock, rows, counts, log };
  }

  test.each([
    ['POST /a?b HTTP/1.1\r\nHost: x\r\n', 'POST', '/a?b', '1.1'],
    ['POST /a\r\n', 'POST', '/a', ''],
    ['post /a HTTP/1.0\r\n', 'post', '/a', '1.0'],
    ['post /a\r\n', '', '', ''],
    ['\x16\x03\x01', '', '', ''],
  ])('keep what is known of %j', (text, method, target, httpVersion) => {
    const { rows, log } = start();
    log.note(refusal(text));
    expect(rows).toEqual([
      {
        receivedAt: now,
        method,
        target,
        httpVersion,
        remoteAddress: '192.0.2.7',
        rawHeaders: [],
        body: Buffer.from(text, 'latin1'),
        truncated: false,
        answeredStatus: 400,
        refusal: 'malformed',
      },
    ]);
  });

  test('keep 1024 bytes', () => {
    const { rows, log } = start();
    log.note(refusal('x'.repeat(1024)));
    log.note(refusal('x'.repeat(1025)));
    expect(rows.map(({ body, truncated }) => [body.length, truncated])).toEqual([
      [1024, false],
      [1024, true],
    ]);
  });

  test('beyond the rows are counted by reason', () => {
    const { clock, counts, log } = start();
    for (let index = 0; index < 52; index += 1) log.note(refusal(''));
    log.note(refusal('', { reason: 'timeout' }));
    clock.advance(1000);
    expect(counts).toEqual([
      [
        { reason: 'malformed', count: 2, lastAt: now },
        { reason: 'timeout', count: 1, lastAt: now },
      ],
    ]);
  });
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

describe('a key (Standard Webhooks)', () => {
  const bytes = (length: number) => Buffer.alloc(length, 7).toString('base64');
  test.each([
    [`whsec_${bytes(16)}`, true],
    [`whsec_${bytes(15)}`, false],
    [`whsec_${bytes(64)}`, true],
    [`whsec_${bytes(65)}`, false],
    [bytes(24), true],
    [`whpk_${bytes(32)}`, true],
    [`whpk_${bytes(31)}`, false],
    [`whpk_${bytes(33)}`, false],
    [`whsec_${bytes(24)} `, false],
    ['whsec_', false],
    [`other_${bytes(24)}`, false],
  ])('%s is one: %s', (text, isKey) => {
    expect(isWebhookKey(text)).toBe(isKey);
  });
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

test.each<[string, string[], boolean, string]>([
  ['without a signature', ['e', '1', ''], false, 'missing'],
  ['without an ID', ['', '1', 'v1,a'], false, 'wrong'],
  ['without a time', ['e', '', 'v1,a'], false, 'wrong'],
  ['of a body that was cut', ['e', '1', 'v1,a'], true, 'wrong'],
  ['of an unknown scheme', ['e', '1', 'v2,a'], false, 'unchecked'],
  ['of an unknown scheme beside nonsense', ['e', '1', 'v2,a nonsense'], false, 'wrong'],
])('a signature %s', (_, values, truncated, outcome) => {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const headers = names.map((name, index): [string, string] => [name, values[index] ?? '']);
  const signed = { headers: headers.filter(([, value]) => value !== ''), body: Buffer.from('{}'), truncated };
  expect(signatureOutcomeOf(signed, [key])).toBe(outcome);
});
