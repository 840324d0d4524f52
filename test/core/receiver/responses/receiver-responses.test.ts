// The receiver's own responses, and those of a rule's steps.
import { createServer, type ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import {
  responseOfStep,
  sendReceived,
  sendSentence,
  stoppingResponse,
  tooLongResponse,
  tooManyHeldResponse,
} from '#core/receiver/responses/receiver-responses.ts';
import type { ResponsePlanned } from '#core/receiver/responses/response-outcome.ts';
import { listen } from '#test/setup/listen.ts';

const text = ['content-type', 'text/plain; charset=utf-8'];
const held: ResponsePlanned = {
  action: 'answer',
  status: 504,
  headers: [],
  body: 'late',
  delayMs: 60_000,
  rule: 'r',
  step: 3,
  isHeld: true,
};

test.each([
  ['too many are held', tooManyHeldResponse(held), 503, [text, ['retry-after', '30']], /20 requests/, 'r', 3],
  ['the receiver stops', stoppingResponse(held), 503, [text, ['retry-after', '10']], /stopped/, 'r', 3],
  ['a body is too long', tooLongResponse(1000), 413, [text], / 1000 bytes/, null, null],
])('has a response if %s', (_, planned, status, headers, body, rule, step) => {
  const expected = { action: 'answer', status, headers, body: expect.stringMatching(body), delayMs: 0, rule, step };
  expect(planned).toEqual(expected);
});

const base = { delayMs: 5000, status: 202, headers: [['a', 'b']] as [string, string][], body: 'c' };
const step = { ...base, hasPlaceholders: false };

test('plans the response of a step', () => {
  const common = { delayMs: 5000, rule: 'r', step: 2 };
  expect(responseOfStep({ ...step, kind: 'answer' }, 'r', 2)).toEqual({ ...common, ...base, action: 'answer' });
  for (const kind of ['close', 'reset'] as const)
    expect(responseOfStep({ ...step, kind }, 'r', 2)).toEqual({
      ...common,
      action: kind,
      status: null,
      headers: [],
      body: '',
    });
  expect(responseOfStep({ ...step, kind: 'hold' }, 'r', null)).toEqual({
    ...common,
    step: null,
    action: 'answer',
    status: 504,
    headers: [text],
    body: expect.stringContaining(' 5 s'),
    isHeld: true,
  });
});

async function sent(send: (response: ServerResponse) => void) {
  const server = createServer((_, response) => send(response));
  const port = await listen(server);
  const response = await fetch(`http://127.0.0.1:${port}/`);
  const headers = ['content-type', 'content-length', 'x-a'].map((name) => response.headers.get(name));
  return [response.status, await response.text(), headers];
}

test('sends responses of requests that are not stored', async () => {
  expect(await sent(sendReceived)).toEqual([200, '', [null, '0', null]]);
  expect(await sent((response) => sendSentence(response, 418, 'grün', { 'x-a': 'b' }))).toEqual([
    418,
    'grün',
    [text[1], '5', 'b'],
  ]);
});
