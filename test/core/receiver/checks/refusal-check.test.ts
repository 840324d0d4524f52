// What a refused request shows instead of checks.
import { expect, test } from 'vitest';
import { refusalReasons } from '#contract/app-rpc/callback-outcome.ts';
import { refusalCheck } from '#core/receiver/refusals/refusal-check.ts';

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
