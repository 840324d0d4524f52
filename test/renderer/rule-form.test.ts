// Rules of the receiver as they are typed.
import { expect, test } from 'vitest';
import { receiverRulesSchema } from '#contract/app-rpc/rules.ts';
import { corsForms, emptyRule, formOfRule, problemsOf, rulesOf } from '#renderer/features/rules/rule-form.ts';

test('the rules for CORS answer what a browser asks first, and let pages read the answers', () => {
  const forms = corsForms(1);
  expect(forms.map(problemsOf)).toEqual([{}, {}]);
  const { rules } = receiverRulesSchema.parse(rulesOf(forms, 'off'));
  expect(rules[0]).toMatchObject({ method: 'OPTIONS', path: '/*', steps: [{ kind: 'answer', status: 204 }] });
  expect(rules[1]).toMatchObject({
    method: null,
    steps: [{ status: 200, headers: [['Access-Control-Allow-Origin', '*']] }],
  });
});

test('headers come back as they were typed, and a line without a colon is named', () => {
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
