// Rules of the receiver as they are typed, with the one-line notation of their responses. The dialog: receiver-dialogs.test.tsx.
import { expect, test, describe, it } from 'vitest';
import { receiverRulesSchema } from '#contract/app-rpc/rules.ts';
import { emptyRule, formOfRule, problemsOf, rulesOf } from '#renderer/features/rules/rule-form.ts';
import { readSteps, writeSteps } from '#renderer/features/rules/step-notation.ts';

test('headers are restored as typed, and a line without a colon is named', () => {
  const form = { ...emptyRule(1), headers: 'Retry-After: 30\n\nX-Empty:\nX-Colon: a:b', steps: '503, 200' };
  const [rule] = rulesOf([form], 'off')?.rules ?? [];
  expect(rule?.steps[0]).toMatchObject({
    headers: [
      ['Retry-After', '30'],
      ['X-Empty', ''],
      ['X-Colon', 'a:b'],
    ],
  });
  expect(rule && formOfRule(rule, 1).headers).toBe('Retry-After: 30\nX-Empty: \nX-Colon: a:b');
  expect(problemsOf({ ...form, headers: 'no header' })).toHaveProperty('headers');
  expect(rulesOf([{ ...form, headers: 'no header' }], 'off')).toBeUndefined();
});

test('a rule comes back as it was typed, with conditions, limits, and steps with their own response', () => {
  const form = {
    ...emptyRule(1),
    condition: 'monitor:precipitation_7 json:geo.type=Point',
    steps: '500, reset, 200 after 2 s',
    body: 'all',
    headers: 'X-A: 1',
    own: { 2: { body: '{{json.id}}', headers: 'X-B: 2' } },
    hasPlaceholders: true,
    limit: '10 per 60 s',
    failure: '20% close after 1 s',
  };
  expect(problemsOf(form)).toEqual({});
  const [rule] = receiverRulesSchema.parse(rulesOf([form], 'off')).rules;
  expect(rule).toMatchObject({
    limit: { requests: 10, seconds: 60 },
    failure: { percent: 20, step: { kind: 'close', delayMs: 1000 } },
    steps: [
      { body: 'all', headers: [['X-A', '1']], hasPlaceholders: true },
      { kind: 'reset' },
      { body: '{{json.id}}', headers: [['X-B', '2']] },
    ],
  });
  expect(rule && formOfRule(rule, 1)).toEqual(form);
});

test.each([
  [{ condition: 'is:error' }, 'condition'],
  [{ body: '{{secret}}', hasPlaceholders: true }, 'body'],
  [{ limit: 'often' }, 'limit'],
  [{ limit: '0 per 60 s' }, 'limit'],
  [{ failure: '120 % 503' }, 'failure'],
  [{ failure: '20 % 503, 200' }, 'failure'],
])('%j is named as wrong at its field', (changes, field) => {
  expect(Object.keys(problemsOf({ ...emptyRule(1), ...changes }))).toEqual([field]);
});

test('a rule that an earlier version stored has no condition, limit, or placeholders', () => {
  const stored = { name: 'r', path: '/*', steps: [{ kind: 'answer', status: 200, body: '{{method}}' }] };
  expect(receiverRulesSchema.parse({ rules: [stored] }).rules[0]).toMatchObject({
    condition: '',
    limit: null,
    failure: null,
    steps: [{ body: '{{method}}', hasPlaceholders: false }],
  });
});

const plain = { body: '', headers: [] as [string, string][] };

describe('a sequence of answers in one line', () => {
  it('is read and written back the same', () => {
    const text = '500, 503 after 2 s, close, reset after 250 ms, hold, hold for 300 s, 200';
    const read = readSteps(text, plain);
    expect(read.ok && writeSteps(read.steps)).toBe(text);
  });

  it.each([
    ['', 'at least one response'],
    ['200, maybe', '“maybe” is not a response'],
    ['700', '200 to 599'],
    ['200 after 61 s', 'at most 60 s'],
    ['hold for 11 min', '1 s to 10 min'],
  ])('such as "%s" is refused with words', (text, words) => {
    const read = readSteps(text, plain);
    expect(read.ok ? 'accepted' : read.problem).toContain(words);
  });
});
