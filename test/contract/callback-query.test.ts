// The query language of the callback list.
import fc from 'fast-check';
import '#test/property-seed.ts';
import { describe, expect, test } from 'vitest';
import { matchesPattern, parseCallbackQuery } from '#contract/app-rpc/callback-query.ts';

const conditions = (query: string) => parseCallbackQuery(query).terms.map(({ condition }) => condition);

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

  test('reads sizes, times, and outcomes', () => {
    expect(conditions('size:>1kB size:<=500 size:7 size:100..2MB')).toEqual([
      { kind: 'size', from: 1001, to: Infinity },
      { kind: 'size', from: 0, to: 500 },
      { kind: 'size', from: 7, to: 7 },
      { kind: 'size', from: 100, to: 2_000_000 },
    ]);
    const [noon, midnight] = [Date.UTC(2026, 10, 22, 12), Date.UTC(2026, 10, 23)];
    expect(conditions('after:2026-11-22T12:00 before:2026-11-23 after:2026-11-22T14:00:00+02:00')).toEqual([
      { kind: 'time', from: noon, before: Infinity },
      { kind: 'time', from: -Infinity, before: midnight },
      { kind: 'time', from: noon, before: Infinity },
    ]);
    expect(conditions('outcome:closed')).toEqual([{ kind: 'outcome', outcome: 'closed' }]);
    const wrong = 'size:big before:yesterday before:2026-13-40 outcome:fine size:5..';
    expect(parseCallbackQuery(wrong).problems.map(({ term }) => term)).toEqual(wrong.split(' '));
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

  test('of words and operators has a term for each', () => {
    expect(conditions('method:POST monitor:Torino is:warning rain')).toEqual([
      { kind: 'field', field: 'method', text: 'post' },
      { kind: 'field', field: 'monitor', text: 'torino' },
      { kind: 'is', mark: 'warning' },
      { kind: 'text', text: 'rain' },
    ]);
  });

  test('without anything has no terms', () => {
    expect(parseCallbackQuery('  ')).toEqual({ alternatives: [[]], terms: [], problems: [] });
    expect(parseCallbackQuery('""')).toEqual({ alternatives: [[]], terms: [], problems: [] });
  });

  test('keeps quoted words together, even after an operator and without the last quote', () => {
    expect(conditions('"heavy rain" body:"two words" "open end')).toEqual([
      { kind: 'text', text: 'heavy rain' },
      { kind: 'field', field: 'body', text: 'two words' },
      { kind: 'text', text: 'open end' },
    ]);
  });

  test('takes a quoted operator and an address for a text', () => {
    expect(conditions('"is:warning" http://example.test/a 12:30')).toEqual([
      { kind: 'text', text: 'is:warning' },
      { kind: 'text', text: 'http://example.test/a' },
      { kind: 'text', text: '12:30' },
    ]);
  });

  test('turns a term around with a minus, which inside of a word is a letter', () => {
    expect(parseCallbackQuery('-is:test user-agent').terms).toEqual([
      { isNot: true, condition: { kind: 'is', mark: 'test' } },
      { isNot: false, condition: { kind: 'text', text: 'user-agent' } },
    ]);
  });

  test('reads statuses, families of them and closed connections', () => {
    expect(conditions('status:503 status:5xx status:closed')).toEqual([
      { kind: 'status', from: 503, to: 503 },
      { kind: 'status', from: 500, to: 599 },
      { kind: 'status', from: 0, to: 0 },
    ]);
  });

  test('reads headers with and without a value', () => {
    expect(conditions('header:User-Agent=curl header:x-id header:host:a=b')).toEqual([
      { kind: 'header', name: 'user-agent', text: 'curl' },
      { kind: 'header', name: 'x-id', text: '' },
      { kind: 'header', name: 'host', text: 'a=b' },
    ]);
  });

  test('reads JSON paths with and without a value', () => {
    expect(conditions('json:geo.type=Point json:$.list[0].id json:geo.coordinates.*=7.6')).toEqual([
      { kind: 'json', path: ['geo', 'type'], text: 'point' },
      { kind: 'json', path: ['list', '0', 'id'], text: undefined },
      { kind: 'json', path: ['geo', 'coordinates', '*'], text: '7.6' },
    ]);
  });

  test('says what is wrong with a term and goes on with the others', () => {
    expect(conditions('is:valid is:broken')).toEqual(conditions('is:ok is:error'));
    const { terms, problems } = parseCallbackQuery('is:purple status:abc method: json:=1 rain');
    expect(terms).toEqual([{ isNot: false, condition: { kind: 'text', text: 'rain' } }]);
    expect(problems.map(({ term }) => term)).toEqual(['is:purple', 'status:abc', 'method:', 'json:=1']);
    expect(problems[0]?.message).toContain('must be followed by one of valid, warning, broken, unknown,');
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
