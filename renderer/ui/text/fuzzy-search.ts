// Search that forgives a typing error in each word, and takes words in any order. Loaded with the palette and the help only.
import UFuzzy from '@leeoniya/ufuzzy';

const shortWord = 4;
const maxWords = 8;
/** Only the beginning of a longer word is searched: the pattern for all its typing errors grows with the square of its length. */
const maxLetters = 60;

const rules = {
  intraMode: 1,
  // Digits are exact: a callback's number or a port is not almost another one.
  intraRules(term: string) {
    const max = term.length < shortWord || /\d/.test(term) ? 0 : 1;
    return { intraSlice: [1, Infinity], intraIns: max, intraSub: max, intraTrn: max, intraDel: max };
  },
} as const satisfies UFuzzy.Options;

const ascii = new UFuzzy(rules);
/** Slower by half. */
const anyScript = new UFuzzy({
  ...rules,
  unicode: true,
  interSplit: "[^\\p{L}\\d']+",
  intraSplit: '\\p{Ll}\\p{Lu}',
  intraBound: '\\p{L}\\d|\\d\\p{L}|\\p{Ll}\\p{Lu}',
  intraChars: "[\\p{L}\\d']",
  intraContr: "'\\p{L}{1,2}\\b",
});

/** Accents don't matter: `Malmo` finds Malmö. */
export function createFuzzySearch(texts: readonly string[]) {
  const haystack = UFuzzy.latinize([...texts]);
  return {
    /** Places in the list, in its order; `among` bounds the search to some. */
    find(text: string, among?: readonly number[]): readonly number[] {
      const needle = UFuzzy.latinize(text);
      const matcher = /^[ -~]*$/.test(needle) ? ascii : anyScript;
      // The longest first: each further word looks only at what is left.
      const words = matcher
        .split(needle)
        .slice(0, maxWords)
        .map((word) => word.slice(0, maxLetters))
        .toSorted((one, other) => other.length - one.length);
      let places: number[] | undefined = among && [...among];
      for (const word of words) {
        places = matcher.filter(haystack, word, places) ?? [];
        if (places.length === 0) break;
      }
      return places ?? [];
    },
  };
}
