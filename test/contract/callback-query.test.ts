// The query language of the callback list.
import fc from 'fast-check';
import '#test/property-seed.ts';
import { describe, expect, test } from 'vitest';
import { matchesPattern, parseCallbackQuery } from '#contract/app-rpc/callback-query.ts';

describe('a query', () => {
  test('with OR has a list of terms for each side, and OR in quotes or small letters is a word', () => {
    const { alternatives, problems } = parseCallbackQuery('a is:test OR "OR" or');
    expect(alternatives.map((terms) => terms.map(({ condition }) => condition))).toEqual([
      [
        { kind: 'text', text: 'a' },
        { kind: 'is', mark: 'test' },
      ],
      [
        { kind: 'text', text: 'or' },
        { kind: 'text', text: 'or' },
      ],
    ]);
    expect(problems).toEqual([]);
    expect(parseCallbackQuery('OR a').problems).toMatchObject([{ term: 'OR' }]);
  });

  test.each([
    ['precipitation_7', 'precipitation_7', true],
    ['precipitation_7', 'precipitation_70', false],
    ['precipitation_7*', 'precipitation_70', true],
    ['*_7', 'precipitation_7', true],
    ['p*t*7', 'precipitation_7', true],
    ['a*a', 'a', false],
    ['*', '', true],
    ['a*b*b', 'ab', false],
  ])('the pattern %s and the value %s', (pattern, value, isMatch) => {
    expect(matchesPattern(pattern, value)).toBe(isMatch);
  });

  test('turns a term around with a minus, which inside of a word is a letter', () => {
    expect(parseCallbackQuery('-is:test user-agent').terms).toEqual([
      { isNot: true, condition: { kind: 'is', mark: 'test' } },
      { isNot: false, condition: { kind: 'text', text: 'user-agent' } },
    ]);
  });

  const [noon, midnight] = [Date.UTC(2026, 10, 22, 12), Date.UTC(2026, 10, 23)];
  const field = (name: string, text: string) => ({ kind: 'field', field: name, text });
  const word = (text: string) => ({ kind: 'text', text });

  test.each([
    ['', []],
    ['""', []],
    ['method:POST monitor:Torino rain', [field('method', 'post'), field('monitor', 'torino'), word('rain')]],
    ['"heavy rain" body:"two words" "open end', [word('heavy rain'), field('body', 'two words'), word('open end')]],
    ['"is:warning" http://example.test/a 12:30', [word('is:warning'), word('http://example.test/a'), word('12:30')]],
    [
      'is:warning outcome:closed',
      [
        { kind: 'is', mark: 'warning' },
        { kind: 'outcome', outcome: 'closed' },
      ],
    ],
    ['status:503', [{ kind: 'status', from: 503, to: 503 }]],
    ['status:5xx', [{ kind: 'status', from: 500, to: 599 }]],
    ['status:closed', [{ kind: 'status', from: 0, to: 0 }]],
    ['size:>1kB', [{ kind: 'size', from: 1001, to: Infinity }]],
    ['size:<=500', [{ kind: 'size', from: 0, to: 500 }]],
    ['size:7', [{ kind: 'size', from: 7, to: 7 }]],
    ['size:100..2MB', [{ kind: 'size', from: 100, to: 2_000_000 }]],
    ['after:2026-11-22T12:00', [{ kind: 'time', from: noon, before: Infinity }]],
    ['after:2026-11-22T14:00:00+02:00', [{ kind: 'time', from: noon, before: Infinity }]],
    ['before:2026-11-23', [{ kind: 'time', from: -Infinity, before: midnight }]],
    ['header:User-Agent=curl', [{ kind: 'header', name: 'user-agent', text: 'curl' }]],
    ['header:x-id', [{ kind: 'header', name: 'x-id', text: '' }]],
    ['header:host:a=b', [{ kind: 'header', name: 'host', text: 'a=b' }]],
    ['json:geo.type=Point', [{ kind: 'json', path: ['geo', 'type'], text: 'point' }]],
    ['json:$.list[0].id', [{ kind: 'json', path: ['list', '0', 'id'], text: undefined }]],
    ['json:geo.coordinates.*=7.6', [{ kind: 'json', path: ['geo', 'coordinates', '*'], text: '7.6' }]],
  ])('%s has a term for each word and operator', (query, expected) => {
    const { terms, problems } = parseCallbackQuery(query);
    expect([terms.map(({ condition }) => condition), problems]).toEqual([expected, []]);
  });

  test('names wrong sizes, times, and outcomes', () => {
    const wrong = 'size:big before:yesterday before:2026-13-40 outcome:fine size:5..';
    expect(parseCallbackQuery(wrong).problems.map(({ term }) => term)).toEqual(wrong.split(' '));
  });

  test('says what is wrong with a term and goes on with the others', () => {
    const { terms, problems } = parseCallbackQuery('is:purple status:abc method: json:=1 rain');
    expect(terms).toEqual([{ isNot: false, condition: { kind: 'text', text: 'rain' } }]);
    expect(problems.map(({ term }) => term)).toEqual(['is:purple', 'status:abc', 'method:', 'json:=1']);
    expect(problems[0]?.message).toContain('must be followed by one of ok, warning, error, unknown,');
  });

  test('says which operator or comparison does not exist', () => {
    const { terms, problems } = parseCallbackQuery(
      'nosuch:term (method:put json:order.total>19000 localhost:4545 "a:b"',
    );
    expect(problems.map(({ term }) => term)).toEqual(['nosuch:term', '(method:put', 'json:order.total>19000']);
    expect(problems[0]?.message).toContain('There is no “nosuch:”. Use one of method, monitor,');
    expect(terms).toHaveLength(2);
  });

  test('of any text is read without an error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const { terms, problems } = parseCallbackQuery(text);
        expect(terms.length + problems.length).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});
