// What the palette finds: words in any order, typing errors, what was used last, and a monitor among thousands.
import { describe, expect, it } from 'vitest';
import { commandIds, commandOf } from '#shared/commands/all-commands.ts';
import type { PaletteItem } from '#renderer/features/palette/palette-items.ts';
import { createFuzzySearch } from '#renderer/ui/text/fuzzy-search.ts';
import { createItemSearch } from '#renderer/features/palette/item-search.ts';

const item = (id: string, title: string, more: Partial<PaletteItem> = {}): PaletteItem => ({
  id,
  title,
  hint: '',
  keys: [],
  keywords: '',
  kind: 'command',
  isHere: false,
  run: () => undefined,
  ...more,
});
const commands = commandIds
  .filter((id) => commandOf(id).isKeyOnly !== true)
  .map((id) => item(id, commandOf(id).title, { keywords: commandOf(id).keywords ?? '' }));
const monitors = Array.from({ length: 5_000 }, (_, index) =>
  item(`monitor ${index + 1}`, index === 41 ? 'Porto di Genova' : `precipitation_${index + 1}`, {
    hint: `Monitor · precipitation_${index + 1}`,
    kind: 'monitor',
  }),
);
const pages = ['Keyboard shortcuts', 'Forecast', 'Copy a link'].map((title) =>
  item(`help ${title}`, title, { hint: 'Help · Find your way', keywords: 'help how to', kind: 'help' }),
);
const search = createItemSearch([...commands, ...monitors, ...pages]);
const first = (text: string, recent: readonly string[] = []) => {
  const { good, fair } = search.find(text, recent);
  return [...good, ...fair][0]?.id;
};

describe('a search that forgives typing errors', () => {
  // The pattern of such a word was too large for V8, which ends the whole page.
  it.each(['a', '日', "'"])('of a pasted text of 20,000 × %s ends, and finds nothing', (letter) => {
    expect(createFuzzySearch(['Torino', 'precipitation_1']).find(letter.repeat(20_000))).toEqual([]);
  });
});

describe('the palette’s search', () => {
  it.each([
    ['callbacks', 'go.callbacks'],
    ['go forecast', 'go.forecast'],
    ['new monitor', 'monitors.new'],
    ['monitor new', 'monitors.new'],
    ['rain', 'sandbox.rain'],
    ['copy curl callback', 'callback.curl'],
    ['curl callback', 'callback.curl'],
    ['fahrenheit', 'units.next'],
    ['keyboard shortcuts', 'help.keys'],
    ['newest', 'callbacks.newest'],
    ['utc', 'zone.next'],
    ['clock 1 hour', 'sandbox.hour'],
    ['diagnostics', 'help.report'],
    ['report a problem', 'help.report'],
    ['genova', 'monitor 42'],
    ['precipitation 4711', 'monitor 4711'],
  ])('finds “%s” first as %s', (text, id) => {
    expect(first(text)).toBe(id);
  });

  it.each([
    ['reprot problem', 'help.report'],
    ['diagnostcs', 'help.report'],
    ['genvoa', 'monitor 42'],
  ])('forgives the typing error in “%s”', (text, id) => {
    expect(first(text)).toBe(id);
  });

  it('puts what was used last before others that match as well', () => {
    expect(first('show')).not.toBe('pane.headers');
    expect(first('show', ['pane.headers'])).toBe('pane.headers');
  });

  it('puts what the screen on show can do first', () => {
    const here = createItemSearch(commands.map((one) => ({ ...one, isHere: one.id === 'callbacks.receiver' })));
    expect(here.find('secret', []).good[0]?.id).toBe('callbacks.receiver');
  });

  it('finds nothing for other words, and a bounded number for a letter', () => {
    expect(search.find('xyzzy plugh', [])).toEqual({ good: [], fair: [] });
    expect(search.find('p', []).good.length).toBe(30);
  });
});

describe('the order of what the palette finds', () => {
  const order = (text: string, items: readonly PaletteItem[], recent: readonly string[] = []) =>
    createItemSearch(items)
      .find(text, recent)
      .good.map(({ id }) => id);
  const place = (id: string, title: string, more: Partial<PaletteItem> = {}) =>
    item(id, title, { kind: 'place', ...more });

  it.each<[string, string, PaletteItem, PaletteItem]>([
    ['words in the title before keywords', 'rain', place('a', 'Rain'), place('b', 'Map', { keywords: 'rain' })],
    [
      'all words in the title before one',
      'rain map',
      place('a', 'A rain map'),
      place('b', 'Rain', { keywords: 'map' }),
    ],
    ['whole words before beginnings', 'rain', place('a', 'Rain in Turin'), place('b', 'Rainy')],
    ['each word whole', 'rain map', place('a', 'The map of rain'), place('b', 'The mapped rain')],
    ['the whole title before a part', 'rain', place('a', 'Rain'), place('b', 'Rain map', { isHere: true })],
    ['the title’s beginning before its middle', 'rain', place('a', 'Rain map'), place('b', 'Map rain')],
    ['a shorter title', 'rain', place('a', 'Rain map'), place('b', 'Rain map two')],
    ['what the screen has', 'rain', place('a', 'Rain map', { isHere: true }), place('b', 'Rain map')],
    ['screens', 'rain', place('go.a', 'Rain map'), place('b', 'Rain map', { isHere: true })],
    ['commands', 'rain', item('a', 'Rain map two'), place('b', 'Rain map')],
    ['others before help', 'rain', place('a', 'Rain map'), place('b', 'Rain map', { kind: 'help' })],
    ['a part before a page with this title', 'rain', place('a', 'Rain map'), place('b', 'Rain', { kind: 'help' })],
    ['accents do not matter', 'sao', place('a', 'SÃO Tomé'), place('b', 'Xsao', { keywords: 'sao' })],
  ])('has first: %s', (_rule, text, one, other) => {
    expect(order(text, [other, one])).toEqual([one.id, other.id]);
    expect(order(text, [one, other])).toEqual([one.id, other.id]);
  });

  it('has what was used last first, and of equal ones the earlier', () => {
    const items = ['a', 'b', 'c'].map((id) => place(id, 'Rain'));
    expect(order('rain', items)).toEqual(['a', 'b', 'c']);
    expect(order('rain', items, ['c', 'b'])).toEqual(['c', 'b', 'a']);
    const many = Array.from({ length: 40 }, (_, index) => place(`p${index}`, index === 39 ? 'Rain' : 'Rain map'));
    expect(order('rain', many)).toEqual(['p39', ...many.slice(0, 29).map(({ id }) => id)]);
    expect(order(' - ', items)).toEqual([]);
  });

  it('looks for typing errors only if at most two items have the words, and has commands first', () => {
    const found = (count: number) => {
      const good = Array.from({ length: count }, (_, index) => place(`p${index}`, 'diagnostics'));
      const others = [
        place('keyword', 'Map', { keywords: 'xdiagnostics' }),
        place('title', 'Xdiagnostics'),
        item('command', 'Do', { keywords: 'xdiagnostics' }),
      ];
      const { good: all, fair } = createItemSearch([...good, ...others]).find('diagnostics', []);
      return [all.length, fair.map(({ id }) => id)];
    };
    expect(found(2)).toEqual([2, ['command', 'title', 'keyword']]);
    expect(found(3)).toEqual([3, []]);
    const many = Array.from({ length: 40 }, (_, index) => place(`x${index}`, 'Xdiagnostics'));
    const { fair } = createItemSearch([place('good', 'diagnostics'), ...many]).find('diagnostics', []);
    expect(fair).toHaveLength(29);
  });
});
