// Which items a text finds, best first. Words may come in any order, and each may have a typing error.
import { createFuzzySearch } from '../../ui/text/fuzzy-search.ts';
import type { PaletteItem } from './palette-items.ts';

type Found = {
  /** With every word of the search at the start of a word. */
  good: readonly PaletteItem[];
  /** With a typing error, or with the words inside of others. */
  fair: readonly PaletteItem[];
};

const maxFound = 30;
const enough = 2;

/** Prepares the texts once, so that a keystroke among thousands of monitors stays cheap. */
export function createItemSearch(items: readonly PaletteItem[]) {
  const fuzzy = createFuzzySearch(items.map(({ title, keywords, hint }) => `${title} ${hint} ${keywords}`));
  const titles = createFuzzySearch(items.map(({ title }) => title));
  const texts = items.map(({ title, keywords, hint }) => {
    const inTitle = ` ${splitWords(title).join(' ')}`;
    return { inTitle, inAll: `${inTitle} ${splitWords(`${hint} ${keywords}`).join(' ')}` };
  });
  return {
    find(text: string, recent: readonly string[]): Found {
      const starts = splitWords(text).map((word) => ` ${word}`);
      if (starts.length === 0) return { good: [], fair: [] };
      const good: { item: PaletteItem; score: number }[] = [];
      const isGood = new Set<number>();
      for (const [index, { inTitle, inAll }] of texts.entries()) {
        const item = items[index];
        if (!item || !starts.every((start) => inAll.includes(start))) continue;
        isGood.add(index);
        good.push({ item, score: scoreOf(item, inTitle, starts, recent) });
      }
      // Looking for typing errors is slower, and not needed if something was found without.
      const others = isGood.size > enough ? [] : fuzzy.find(text);
      const inTitles = new Set(others.length === 0 ? [] : titles.find(text, others));
      const fair = others
        .filter((index) => !isGood.has(index))
        .toSorted((one, other) => Number(inTitles.has(other)) - Number(inTitles.has(one)))
        .flatMap((index) => items[index] ?? [])
        .slice(0, maxFound - isGood.size);
      return {
        good: good
          .toSorted((one, other) => other.score - one.score)
          .slice(0, maxFound)
          .map(({ item }) => item),
        // What can be done comes before what can be read.
        fair: fair.toSorted((one, other) => Number(other.kind === 'command') - Number(one.kind === 'command')),
      };
    },
  };
}

function scoreOf(
  { id, kind, isHere }: PaletteItem,
  inTitle: string,
  starts: readonly string[],
  recent: readonly string[],
): number {
  const recency = recent.indexOf(id);
  const isAllInTitle = starts.every((start) => inTitle.includes(start));
  return (
    // The more of the title was typed, the better, if all else is equal.
    (isAllInTitle ? 8 + (0.5 * starts.length) / inTitle.split(' ').length : 0) +
    (starts.every((start) => `${inTitle} `.includes(`${start} `)) ? 2 : 0) +
    // A page that is named like a command must not come before it.
    (isAllInTitle && inTitle === starts.join('') && kind !== 'help' ? 4 : 0) +
    (inTitle.startsWith(starts[0] ?? '') ? 1 : 0) +
    (recency < 0 ? 0 : 3 - recency / 20) +
    (isHere ? 2 : 0) +
    (id.startsWith('go.') ? 4 : 0) +
    // Above what the share of the title adds.
    (kind === 'command' ? 1.5 : 0) -
    (kind === 'help' ? 1 : 0)
  );
}

function splitWords(text: string): readonly string[] {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
