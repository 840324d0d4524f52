// Imported by property-based tests (fast-check) for one seed in all of them: `npm test` tries the same cases on every machine,
// so that a red run means a change.
import fc from 'fast-check';

fc.configureGlobal({ seed: 20_261_121 });

const surrogates = 0x800;

/** As fast-check's unit `binary`, which takes a second for a table of all characters. */
export const anyCharacter = fc.integer({ min: 0, max: 0x10_ffff - surrogates }).map(
  (index) => String.fromCodePoint(index < 0xd8_00 ? index : index + surrogates),
  (character) => {
    const code = typeof character === 'string' ? (character.codePointAt(0) ?? -1) : -1;
    if (code < 0 || String.fromCodePoint(code) !== character) throw new Error('not one character');
    return code < 0xd8_00 ? code : code - surrogates;
  },
);
