// Which requests a condition matches: each field, header, and member of a JSON body.
import { expect, test } from 'vitest';
import { parseCallbackQuery } from '#contract/app-rpc/callback-query.ts';
import { fitsRequest, parseJson, textOfBody, textOfJson } from '#core/receiver/rules/request-match.ts';

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
  ['body:note', false],
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
