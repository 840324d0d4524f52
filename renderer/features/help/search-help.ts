// Finds sections of the help by words, also with a typing error.
import { createFuzzySearch } from '../../ui/text/fuzzy-search.ts';
import { type HelpPage, type HelpSection, textOfNodes } from '@rainbell/shared';

export type FoundSection = { page: HelpPage; section: HelpSection; excerpt: string };

const maxFound = 30;
const excerptLength = 160;

type Entry = { page: HelpPage; section: HelpSection; title: string; text: string };

const entriesOf = new WeakMap<readonly HelpPage[], readonly Entry[]>();

/** Sections whose title fits come first. */
export function searchHelp(pages: readonly HelpPage[], query: string): readonly FoundSection[] {
  const all = entriesOf.get(pages) ?? pages.flatMap(entriesOfPage);
  entriesOf.set(pages, all);
  const titles = createFuzzySearch(all.map(({ title }) => title)).find(query);
  const texts = createFuzzySearch(all.map(({ title, text }) => `${title} ${text}`)).find(query);
  const wanted = query.toLowerCase().split(/\s+/);
  const exact = all.flatMap(({ text, title }, place) =>
    wanted.every((word) => `${title} ${text}`.toLowerCase().includes(word)) ? [place] : [],
  );
  const places = new Set([...titles, ...exact, ...(exact.length > 0 ? [] : texts)]);
  return [...places].slice(0, maxFound).flatMap((place) => {
    const entry = all[place];
    return entry ? [{ page: entry.page, section: entry.section, excerpt: excerptOf(entry.text, wanted) }] : [];
  });
}

function entriesOfPage(page: HelpPage): Entry[] {
  return page.sections.map((section) => ({
    page,
    section,
    title: `${page.title} ${section.title}`,
    text: textOfNodes(section.body).replaceAll(/\s+/g, ' ').trim(),
  }));
}

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const at = Math.max(
    0,
    Math.min(...words.map((word) => lower.indexOf(word)).filter((place) => place >= 0), text.length),
  );
  const from = at === text.length || at < 60 ? 0 : text.lastIndexOf(' ', at - 40) + 1;
  const excerpt = text.slice(from, from + excerptLength);
  return `${from > 0 ? '…' : ''}${excerpt}${from + excerptLength < text.length ? '…' : ''}`;
}
