// Names with a typing error: a letter too many, missing, wrong, or two swapped in each word.
import uFuzzy from '@leeoniya/ufuzzy';

/** Names to compare, largest places first: all names in Latin letters of about 3,000 cities. */
const maximumNames = 30_000;
const minTextLength = 4;

/**
 * Returns a function that finds the names that a text probably means, as their positions in `text`: lines of folded names
 * with a tab between, the largest places first. Its list of names is made when it is first needed.
 */
export function createNameGuesser(text: Buffer): (wanted: string) => number[] {
  const fuzzy = new uFuzzy({ intraMode: 1, intraIns: 1, intraSub: 1, intraTrn: 1, intraDel: 1, interLft: 1 });
  let names: string[] | undefined;
  const positions = new Uint32Array(maximumNames);

  function readNames(): string[] {
    const read: string[] = [];
    for (let at = 1; read.length < maximumNames && at < text.length;) {
      let end = at;
      let isPlain = true;
      for (; text[end] !== 9 && text[end] !== 10; end += 1) isPlain &&= (text[end] ?? 0) < 128;
      if (isPlain && end - at >= minTextLength) {
        positions[read.length] = at;
        read.push(text.toString('latin1', at, end));
      }
      at = end + 1;
    }
    return read;
  }

  return (wanted) => {
    if (wanted.length < minTextLength) return [];
    names ??= readNames();
    const found = fuzzy.filter(names, wanted) ?? [];
    // The largest places come first; among them, a name of about the same length is likelier than the start of a longer one.
    const distance = (index: number) => Math.abs((names?.[index]?.length ?? 0) - wanted.length);
    const likely = found.slice(0, 500).toSorted((a, b) => distance(a) - distance(b) || a - b);
    return likely.map((index) => positions[index] ?? 0);
  };
}
