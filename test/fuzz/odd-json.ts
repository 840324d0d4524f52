// JSON that no well-meaning program writes, for properties over parsers.
import fc from 'fast-check';
import { anyCharacter } from '#test/property-seed.ts';

const oddNumber = fc.constantFrom(0, -0, -1, 1e308, -1e308, 0.1, 2 ** 53, Number.MIN_VALUE);
const oddText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.constantFrom('', '__proto__', 'constructor', 'NaN', '\u0000', '\u202E', '<script>', '9'.repeat(400), '../..'),
);

/** Any JSON value of a few levels; names are often those that `names` lists, so that a parser looks closer. */
export function oddJson(names: readonly string[]): fc.Arbitrary<unknown> {
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(null, true, false),
      oddNumber,
      oddText,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.oneof(fc.constantFrom(...names), oddText), tie('value'), { maxKeys: 6, noNullPrototype: true }),
    ),
  }));
  return value;
}

/** The same as text, and text that is nearly JSON or nothing of the kind. */
export function oddJsonText(names: readonly string[]): fc.Arbitrary<string> {
  const whole = oddJson(names).map((value) => JSON.stringify(value));
  const cut = fc.tuple(whole, fc.nat(200)).map(([text, length]) => text.slice(0, length));
  return fc.oneof(whole, cut, oddText, fc.constant('['.repeat(5_000)));
}
