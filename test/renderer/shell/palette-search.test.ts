// What the palette finds: words in any order, typing errors, what was used last, and a monitor among thousands.
import { describe, expect, it } from 'vitest';
import { commandIds, commandOf } from '#shared/commands/all-commands.ts';
import type { PaletteItem } from '#renderer/features/palette/palette-items.ts';
import { createFuzzySearch } from '#renderer/ui/text/fuzzy-search.ts';
import { createItemSearch } from '#renderer/features/palette/rank-items.ts';

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
    ['dark', 'theme.dark'],
    ['429', 'fault.rate_limited'],
    ['newest', 'callbacks.newest'],
    ['aviation', 'units.aviation'],
    ['times utc', 'zone.utc'],
    ['24-hour', 'clock.24'],
    ['http 500', 'fault.error'],
    ['clock 1 hour', 'sandbox.hour'],
    ['export connections', 'connections.export'],
    ['forecast csv', 'forecast.csv'],
    ['monitors json', 'monitors.json'],
    ['copy as fetch', 'callback.fetch'],
    ['diagnostics', 'diagnostics.export'],
    ['report a problem', 'help.report'],
    ['what’s new', 'help.news'],
    ['genova', 'monitor 42'],
    ['precipitation 4711', 'monitor 4711'],
  ])('finds “%s” first as %s', (text, id) => {
    expect(first(text)).toBe(id);
  });

  it.each([
    ['exprot har', 'callbacks.har'],
    ['diagnostcs', 'diagnostics.export'],
    ['genvoa', 'monitor 42'],
    ['sandbx clock reset', 'sandbox.now'],
  ])('forgives the typing error in “%s”', (text, id) => {
    expect(first(text)).toBe(id);
  });

  it('puts what was used last before others that match as well', () => {
    expect(first('export')).not.toBe('callbacks.har');
    expect(first('export', ['callbacks.har'])).toBe('callbacks.har');
  });

  it('puts what the screen on show can do first', () => {
    const here = createItemSearch(commands.map((one) => ({ ...one, isHere: one.id === 'forecast.csv' })));
    expect(here.find('csv', []).good[0]?.id).toBe('forecast.csv');
  });

  it('finds nothing for other words, and a bounded number for a letter', () => {
    expect(search.find('xyzzy plugh', [])).toEqual({ good: [], fair: [] });
    expect(search.find('p', []).good.length).toBe(30);
  });
});
