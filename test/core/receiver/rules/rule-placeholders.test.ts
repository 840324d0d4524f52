// What placeholders of a response are replaced with, and how much of it.
import { expect, test } from 'vitest';
import { receivedResponse } from '#core/receiver/responses/response-outcome.ts';
import { fillIn, readRequest, type RuleRequest } from '#core/receiver/rules/rule-request.ts';
import { receivedCallback } from '#test/core/callbacks/callback-store.ts';

const request = (body: unknown) => readRequest(receivedCallback({ body: JSON.stringify(body) }));
const fill = (text: string, { valueOf }: RuleRequest) => {
  const { body, headers } = fillIn({ ...receivedResponse, body: text, headers: [['x-a', text]] }, {
    valueOf,
  } as RuleRequest);
  return [body, headers[0]?.[1]];
};
const both = (text: string) => [text, text];

test.each([
  ['{{json.a}}', { a: 'q"q' }, 'q"q'],
  ['{{quote json.a}}', { a: 'q"q' }, '"q\\"q"'],
  ['{{ quote  json.none }}', {}, '""'],
  ['{{json.none.a}}', { none: null }, ''],
  ['{{json.a.b}}', { a: { b: true } }, 'true'],
  ['{{json.a.b}}', { a: 7 }, ''],
  ['{{json.toString}}', {}, ''],
  ['{{monitor}}', { id: 7 }, ''],
  ['{{monitor}}', null, ''],
  ['{{method}} {{path}}', {}, 'POST /hooks/a'],
])('fills in %s', (text, body, filled) => {
  expect(fill(text, request(body))).toEqual(both(filled));
});

test('fills in numbers as they were written', () => {
  const body = '{"n":822106502566256641,"list":[9007199254740993]}';
  const read = readRequest(receivedCallback({ body }));
  expect(fill('{"ack":{{json.n}}}', read)).toEqual(both('{"ack":822106502566256641}'));
  expect(fill('{{json.list}} {{json.n.rawJSON}}', read)).toEqual(both('[9007199254740993] '));
});

test('fills in a header in UTF-8 as text, and in a header as the same bytes', () => {
  const bytes = Buffer.from('Zürich 東京').toString('latin1');
  const read = readRequest(receivedCallback({ rawHeaders: ['X-Place', bytes] }));
  const response = {
    ...receivedResponse,
    body: '{{header.x-place}}',
    headers: [['x-a', '{{header.x-place}}']] as const,
  };
  const { body, headers } = fillIn({ ...response, headers: [...response.headers] }, read);
  expect(body).toBe('Zürich 東京');
  expect(headers[0]?.[1]).toBe(bytes.replaceAll(/[\u0080-\u009f]/g, '?'));
});

const repeating = (length: number, text = 'x') => ({ valueOf: () => text.repeat(length) }) as unknown as RuleRequest;

test('fills in at most 4,096 characters of a header', () => {
  expect(fill('{{body}}', repeating(5000))).toEqual(['x'.repeat(5000), 'x'.repeat(4096)]);
  expect(fill('{{body}}{{body}}', repeating(2048))[1]).toHaveLength(4096);
});

test('puts a question mark for what a header cannot contain', () => {
  expect(fill('{{body}}', repeating(1, 'a\tb\nc\u007fd\u00a0e€f~'))[1]).toBe('a\tb?c?d\u00a0e?f~');
});

test.each([
  ['of 64 KB', '\ufffd', 65_536],
  ['that ends within a character', 'ü', 65_535],
])('keeps whole characters of a body %s', (_, last, bytes) => {
  const rest = 65_536 - Buffer.byteLength(last);
  const text = `${'x'.repeat(bytes === 65_536 ? rest : rest + 1)}${last}`;
  const [body = ''] = fill('{{body}}', repeating(1, text));
  expect(Buffer.byteLength(body)).toBe(bytes);
  expect(body).toBe(text.slice(0, bytes === 65_536 ? undefined : -1));
});

// Without a limit, this would be longer than the longest string.
test('reads no more of a value than fits', () => {
  const [body] = fill('{{body}}'.repeat(600), repeating(1024 * 1024));
  expect(body).toHaveLength(65_536);
});
