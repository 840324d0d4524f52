// Search that forgives a typing error in each word, and takes words in any order. Loaded with the palette and the help only.
import UFuzzy from '@leeoniya/ufuzzy';

export type FuzzySearch = {
  /** Places in the list, best first. */
  find: (text: string) => readonly number[];
};

/** Each order of up to this many words is tried. */
const mostPermuted = 3;
const mostRanked = 2000;
const shortWord = 4;

const one = { intraSlice: [1, Infinity] as [number, number] };
const matcher = new UFuzzy({
  intraMode: 1,
  // Digits are exact: a callback's number or a port is not almost another one.
  intraRules: (term) =>
    term.length < shortWord || /\d/.test(term)
      ? { ...one, intraIns: 0, intraSub: 0, intraTrn: 0, intraDel: 0 }
      : { ...one, intraIns: 1, intraSub: 1, intraTrn: 1, intraDel: 1 },
  // Letters of all scripts; uFuzzy's usual set is Latin without accents.
  unicode: true,
  interSplit: "[^\\p{L}\\d']+",
  intraSplit: '\\p{Ll}\\p{Lu}',
  intraBound: '\\p{L}\\d|\\d\\p{L}|\\p{Ll}\\p{Lu}',
  intraChars: "[\\p{L}\\d']",
  intraContr: "'\\p{L}{1,2}\\b",
});

/** Accents don't matter: `Malmo` finds Malmö. */
export function createFuzzySearch(texts: readonly string[]): FuzzySearch {
  const haystack = UFuzzy.latinize([...texts]);
  return {
    find(text) {
      const needle = UFuzzy.latinize(text);
      const words = matcher.split(needle).length;
      if (words === 0) return [];
      const [places, info, order] = matcher.search(
        haystack,
        needle,
        words <= mostPermuted ? mostPermuted : 0,
        mostRanked,
      );
      if (places === null) return [];
      if (info === null) return places;
      return order.flatMap((at) => info.idx[at] ?? []);
    },
  };
}
