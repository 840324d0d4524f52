// Refused requests: when those that have no row are counted, how a row is masked, and what it shows instead of checks.
import { expect, test } from 'vitest';
import { createRefusalLog, maskHead, type MoreRefusals } from '#core/receiver/refusals/refused-requests.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { refusalReasons } from '#contract/app-rpc/callback-outcome.ts';
import { refusalCheck } from '#core/receiver/checks/request-check.ts';

/** After so many that no further one has a row. */
function startFlooded() {
  const clock = createManualClock();
  const counts: number[] = [];
  const reasons: MoreRefusals['reason'][] = [];
  let rows = 0;
  let isRowGone = false;
  const log = createRefusalLog({
    clock,
    add: () => (rows += 1),
    addCounts(more: readonly MoreRefusals[]) {
      counts.push(...more.map(({ count }) => count));
      reasons.push(...more.map(({ reason }) => reason));
      return isRowGone ? more : [];
    },
  });
  const note = (count: number, reason: MoreRefusals['reason'] = 'malformed') => {
    for (let index = 0; index < count; index += 1)
      log.note({ reason, status: 400, remoteAddress: '', firstBytes: Buffer.from('x') });
  };
  note(50);
  return { clock, counts, log, note, reasons, rows: () => rows, removeRows: () => (isRowGone = true) };
}

test('counts each second in which there are more', () => {
  const { clock, counts, note, rows } = startFlooded();
  for (const count of [7, 8]) {
    note(count);
    clock.advance(999);
    expect(counts).toEqual(count === 7 ? [] : [7]);
    clock.advance(1);
  }
  expect([counts, rows()]).toEqual([[7, 8], 50]);
  clock.advance(5000);
  expect(counts).toHaveLength(2);
});

test('counts each reason for itself, and has a row for its first', () => {
  const { clock, counts, note, reasons, rows } = startFlooded();
  note(2);
  note(2, 'timeout');
  expect(rows()).toBe(51);
  clock.advance(1000);
  expect([counts, reasons]).toEqual([
    [2, 1],
    ['malformed', 'timeout'],
  ]);
});

test('has a row again after its rows were removed', () => {
  const { clock, note, removeRows, rows } = startFlooded();
  note(2);
  removeRows();
  clock.advance(1000);
  note(2);
  expect(rows()).toBe(51);
});

test('has one more row per minute, and at most 50 at once', () => {
  const { clock, note, rows } = startFlooded();
  clock.advance(150_000);
  note(60);
  expect(rows()).toBe(52);
  clock.advance(3_600_000);
  note(60);
  expect(rows()).toBe(102);
});

test.each([
  ['Authorization:Basic abc', 'Authorization:Basic *'],
  ['authorization: \t Bearer abc', 'authorization: \t Bearer *'],
  ['Accept:  a ; b ', 'Accept:  a ; b '],
  ['X: \xfc', 'X: \xfc'],
  ['Empty:', 'Empty:'],
  ['no header', 'no header'],
  [': none', ': none'],
])('masks %j as %j', (line, masked) => {
  const whole = (text: string) => `GET / HTTP/1.1\r\n${text}\r\n\r\n`;
  const found = maskHead(Buffer.from(whole(line), 'latin1')).toString('latin1');
  expect(found.replaceAll(/\*+/g, '*')).toBe(whole(masked));
});

const check = (count: number, status: number) => refusalCheck({ reason: 'timeout', count, lastAt: '' }, status);

test('is an error of the request, with the status sent and similar requests', () => {
  const { message, ...rest } = check(1, 408);
  expect(rest).toEqual({ check: 'request', verdict: 'error' });
  expect(message).toMatch(/^Refused with 408\. .*in time\.$/);
  expect(check(1, 0).message).toMatch(/^Refused without a response\. /);
  expect(check(2, 0).message).toMatch(/in time\. 1 similar request was /);
  expect(check(3, 0).message).toMatch(/in time\. 2 similar requests were /);
});

test('has a sentence of its own for each reason', () => {
  const messages = refusalReasons.map((reason) => refusalCheck({ reason, count: 1, lastAt: '' }, 0).message);
  expect(new Set(messages).size).toBe(refusalReasons.length);
  for (const message of messages) expect(message).toMatch(/ [A-Z][^.]{20,}.*\.$/);
});
