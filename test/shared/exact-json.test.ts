// JSON whose numbers a double can't hold.
import fc from 'fast-check';
import '#test/property-seed.ts';
import { expect, test } from 'vitest';
import { parseExactly, parseJsonObject } from '#shared/text/exact-json.ts';

test.each([
  '{"n":822106502566256641}',
  '[9007199254740993,-9007199254740993,0.1234567890123456789,1e999,1E-400]',
  '{"a":{"b":[100000000000000000000000,"822106502566256641"]}}',
])('%s is written as it was read', (text) => {
  expect(JSON.stringify(parseExactly(text))).toBe(text);
});

test('numbers that a double holds stay numbers', () => {
  expect(parseExactly('{"a":9007199254740992,"b":45.0703123456789,"c":1.10}')).toEqual({
    a: 9_007_199_254_740_992,
    b: 45.0703123456789,
    c: 1.1,
  });
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(parseExactly(text)).toEqual(JSON.parse(text));
    }),
  );
});

test('an object is distinguished from other JSON, behind a byte order mark, too', () => {
  expect(parseJsonObject('\uFEFF {"a":1}\n')).toEqual({ a: 1 });
  for (const text of ['[1]', 'null', '822106502566256641', '"a"', 'no', ''])
    expect(parseJsonObject(text)).toBeUndefined();
});
