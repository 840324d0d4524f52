// Where a text stops being JSON, as an error names it.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { syntaxErrorPlace } from '#core/http/json-syntax.ts';

it.each([
  ['<html>', 1, 1, false],
  ['<!doctype html>\n<p>A page that is long enough for another message of V8</p>', 1, 1, false],
  ['{"a": 1,\n "b": nope}', 16, 2, false],
  ['{"é": 1,}', 10, 1, false],
  ['[1, 2]]', 7, 1, false],
  ['{"a" 1}', 6, 1, false],
  ['[01]', 2, 1, false],
  ['', 1, 1, false],
  ['{"objects": [\n{"é": 1},\n', 25, 3, true],
  ['{"a": "unfinis', 14, 1, true],
  ['{"a": "end\\', 11, 1, true],
  ['[1, tru', 7, 1, true],
  ['[1, -', 5, 1, true],
])('%j is not JSON from byte %i on (line %i)', (text, byte, line, isCutOff) => {
  expect(() => JSON.parse(text)).toThrow('JSON');
  expect(syntaxErrorPlace(text)).toEqual({ byte, line, isCutOff });
});

it('calls each beginning of JSON that is not JSON itself cut off', () => {
  const isJson = (text: string) => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  fc.assert(
    fc.property(fc.json({ maxDepth: 3 }), fc.nat(), (json, length) => {
      const text = json.slice(0, 1 + (length % json.length));
      fc.pre(!isJson(text));
      expect({ text, ...syntaxErrorPlace(text) }).toMatchObject({ isCutOff: true, byte: Buffer.byteLength(text) });
    }),
  );
});
