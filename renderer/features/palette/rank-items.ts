// Which items a text finds, best first. Words may come in any order, and each may have a typing error.
import { createFuzzySearch } from '#renderer/ui/text/fuzzy-search.ts';
import type { PaletteItem } from './palette-items.ts';

export type Found = {
  /** With every word at the start of one of their words. */
  good: readonly PaletteItem[];
  /** With a typing error, or with the words inside of others. */
  fair: readonly PaletteItem[];
};

const mostFound = 40;

export type ItemSearch = { find: (text: string, recent: readonly string[]) => Found };

/** Prepares the texts once, so that a keystroke among thousands of monitors stays cheap. */
export function createItemSearch(items: readonly PaletteItem[]): ItemSearch {
  const fuzzy = createFuzzySearch(items.map(({ title, keywords, hint }) => `${title} ${hint} ${keywords}`));
  return {
    find(text, recent) {
      const words = wordsOf(text);
      if (words.length === 0) return { good: [], fair: [] };
      const good: { item: PaletteItem; score: number }[] = [];
      const fair: PaletteItem[] = [];
      for (const [place, index] of fuzzy.find(text).entries()) {
        const item = items[index];
        if (!item) continue;
        const score = scoreOf(item, words, recent);
        if (score > 0) good.push({ item, score: score - place / 1e6 });
        else if (fair.length < mostFound) fair.push(item);
      }
      return {
        good: good
          .toSorted((one, other) => other.score - one.score)
          .slice(0, mostFound)
          .map(({ item }) => item),
        // Each group in the matcher's order: what can be done comes before what can be read.
        fair: fair.toSorted((one, other) => Number(other.kind === 'command') - Number(one.kind === 'command')),
      };
    },
  };
}

/** 0 if some word is not the start of one of the item's words. */
function scoreOf(
  { id, title, hint, keywords, kind, isHere }: PaletteItem,
  words: readonly string[],
  recent: readonly string[],
): number {
  const inTitle = wordsOf(title);
  const inAll = [...inTitle, ...wordsOf(`${hint} ${keywords}`)];
  const starts = (texts: readonly string[]) => words.every((word) => texts.some((text) => text.startsWith(word)));
  if (!starts(inAll)) return 0;
  const recency = recent.indexOf(id);
  return (
    1 +
    (starts(inTitle) ? 8 : 0) +
    (inTitle.length === words.length && starts(inTitle) ? 4 : 0) +
    (inTitle.at(0)?.startsWith(words[0] ?? '') ? 1 : 0) +
    (recency < 0 ? 0 : 3 - recency / 20) +
    (isHere ? 2 : 0) +
    (id.startsWith('go.') ? 4 : 0) +
    (kind === 'command' ? 1 : 0) -
    (kind === 'help' ? 1 : 0)
  );
}

function wordsOf(text: string): readonly string[] {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
