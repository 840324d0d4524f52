// Which requests a condition matches: each field, header, and member of a JSON body.
import { expect, test } from 'vitest';
import { parseCallbackQuery } from '#contract/app-rpc/callback-query.ts';
import { responseRuleSchema } from '#contract/app-rpc/rules.ts';
import { fitsRequest, parseJson, textOfBody, textOfJson } from '#core/receiver/rules/request-match.ts';
import { createResponsePlan } from '#core/receiver/rules/response-plan.ts';
import { once } from '#shared/once.ts';
import { receivedCallback } from '#test/core/callbacks/callback-store.ts';

const json = { id: 'Rain_1', List: [{ depth: 7 }, 'two', null], on: true, nested: { a: { b: 'deep' } }, none: null };
const subject: Parameters<typeof fitsRequest>[1] = {
  method: 'POST',
  target: '/Hooks/A?x=1',
  remoteAddress: '192.0.2.7',
  headers: [
    ['X-One', 'First'],
    ['x-one', 'Second'],
    ['Content-Type', 'application/json'],
  ],
  monitorId: 'Rain_1',
  note: 'My Note',
  sizeBytes: 50,
  body: () => 'the body',
  json: () => json,
};

function matches(text: string, changes: Partial<Parameters<typeof fitsRequest>[1]> = {}): boolean {
  const { terms } = parseCallbackQuery(text);
  const [term] = terms;
  if (!term || terms.length !== 1) throw new Error(`not one term: ${text}`);
  return fitsRequest(term.condition as Parameters<typeof fitsRequest>[0], { ...subject, ...changes });
}

test.each([
  ['method:post', true],
  ['method:pos', false],
  ['method:po*', true],
  ['monitor:rain_1', true],
  ['monitor:rain', false],
  ['path:hooks/a?x', true],
  ['path:/other', false],
  ['from:0.2.7', true],
  ['from:0.2.8', false],
  ['body:bod', true],
  ['body:note', false],
  ['note:"my note"', true],
  ['note:body', false],
  // Anywhere: path, method, monitor, address, note, body, header.
  ['hooks', true],
  ['pos', true],
  ['rain_', true],
  ['192.0.2', true],
  ['note', true],
  ['body', true],
  ['"x-one: second"', true],
  ['"content-type: application/j"', true],
  ['nowhere', false],
  ['header:x-one', true],
  ['header:x-one=second', true],
  ['header:x-one=sec*', true],
  ['header:x-one=sec', false],
  ['header:x-two', false],
  ['size:50', true],
  ['size:51..60', false],
  ['size:40..49', false],
  ['size:40..50', true],
  ['json:id', true],
  ['json:id=rain_1', true],
  ['json:id=rain*', true],
  ['json:id=rain', false],
  ['json:ID=rain_1', true],
  ['json:list.0.depth=7', true],
  ['json:list.1=two', true],
  ['json:list.2=null', true],
  ['json:list.3', false],
  ['json:list.length', false],
  ['json:list.*.depth=7', true],
  ['json:list.*=two', true],
  ['json:on=true', true],
  ['json:none=null', true],
  ['json:none.a', false],
  ['json:id.a', false],
  ['json:*.a.b=deep', true],
  ['json:nested.*.b=deep', true],
  ['json:other', false],
])('%s: %s', (text, isMatch) => {
  expect(matches(text)).toBe(isMatch);
});

test('parts that are missing match nothing, and case is ignored', () => {
  expect(matches('monitor:rain_1', { monitorId: null })).toBe(false);
  expect(matches('json:id', { json: () => undefined })).toBe(false);
  expect(matches('from:fe80', { remoteAddress: 'FE80::1' })).toBe(true);
});

test('values are read as text', () => {
  const values = ['a', 7, null, [1], { a: 'b' }, undefined].map(textOfJson);
  expect(values).toEqual(['a', '7', 'null', '[1]', '{"a":"b"}', undefined]);
  const depth = 100_000;
  let deep: unknown[] = [];
  for (let level = 1; level < depth; level += 1) deep = [deep];
  // Electron's Node 24 can't write so deep a value, Node 26 can.
  expect(textOfJson(deep) ?? 'none').toBeOneOf(['none', `${'['.repeat(depth)}${']'.repeat(depth)}`]);
  expect([parseJson('{"a":1}'), parseJson('{')]).toEqual([{ a: 1 }, undefined]);
});

test('a body that is decoded costs what it could become', () => {
  const headers: [string, string][] = [['Content-Encoding', 'gzip']];
  const costs: number[] = [];
  const read = (request: Parameters<typeof textOfBody>[0]) =>
    textOfBody(request, 100, (bytes) => void costs.push(bytes));
  const body = Buffer.from('plain');
  expect(read({ headers: [], body, truncated: false })).toBe('plain');
  expect(read({ headers, body, truncated: false })).toBe('plain');
  expect(costs).toEqual([100]);
});

test('a value is made once', () => {
  let made = 0;
  const value = once(() => (made += 1));
  expect([made, value(), value(), made]).toEqual([0, 1, 1, 1]);
});

const rule = responseRuleSchema.parse({ name: 'r', path: '/*', steps: [{ kind: 'answer', status: 201 }] });
const plan = (changes: Partial<typeof rule>) =>
  createResponsePlan(
    { pause: 'off', rules: [{ ...rule, ...changes }] },
    { clock: { elapsed: () => 0 }, random: () => 0 },
  );

// A rule with such a condition is refused, because none of it is known before the response.
test.each(['status:201', 'after:2020-01-01', 'outcome:answered', 'verdict:verified', 'is:event'])(
  'a rule never matches by %s',
  (condition) => {
    const { problems } = parseCallbackQuery(condition);
    expect(problems).toEqual([]);
    expect(plan({ condition }).take(receivedCallback())).toBeUndefined();
  },
);

test.each([
  [{}, true],
  [{ isOn: false }, false],
  [{ method: 'POST' }, true],
  [{ method: 'PUT' }, false],
  [{ path: '/hooks/*' }, true],
  [{ path: '/hooks' }, false],
  [{ condition: 'monitor:precipitation_1' }, true],
  [{ condition: '-monitor:precipitation_1' }, false],
  [{ condition: 'monitor:x OR body:callback_uri' }, true],
  [{ condition: 'monitor:precipitation_1 body:nothing' }, false],
])('a rule with %j matches: %s', (changes, isMatch) => {
  expect(plan(changes).take(receivedCallback())?.status).toBe(isMatch ? 201 : undefined);
});

test('a response without placeholders is one object, whatever its text', () => {
  const text = '{{method}}';
  const step = {
    ...responseRuleSchema.parse({ name: 'r', path: '/*', steps: [{ kind: 'answer', status: 201 }] }).steps[0],
    body: text,
  };
  const { take } = plan({ steps: [step] as typeof rule.steps });
  expect(take(receivedCallback())).toMatchObject({ body: text });
  expect(take(receivedCallback())).toBe(take(receivedCallback()));
});
