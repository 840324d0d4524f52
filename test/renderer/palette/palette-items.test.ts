// What the palette offers, and what running it does. The store is real; core never answers.
import { beforeEach, describe, expect, it } from 'vitest';
import type { AppClient } from '#contract/app-rpc/contract.ts';
import type { AppMonitor } from '#contract/app-rpc/monitors.ts';
import type { AppState, AppStore } from '#renderer/store/app-state.ts';
import { createAppStore } from '#renderer/app/app-store.ts';
import {
  commandItems,
  dataItems,
  helpItems,
  type PaletteItem,
  placeItem,
  settingItems,
  textItems,
} from '#renderer/features/palette/palette-items.ts';
import { monitorOf } from '../monitors/monitor-samples.ts';

const silent = new Proxy({}, { get: () => () => new Promise(() => {}) });
const silentClient = new Proxy({}, { get: () => silent }) as AppClient;
const place = { name: 'Torino', countryCode: 'IT', lat: 45.0703, lng: -7.6869, population: null };
const ownMonitor = (id: string, part: Partial<AppMonitor> = {}) =>
  monitorOf(id, { callbackUri: null, toThisApp: true, geo: { lat: 1.234, lng: -2 }, ...part });

let store: AppStore;
beforeEach(() => {
  store = createAppStore(silentClient);
});
const state = () => store.getState();
const setPart = <Name extends keyof AppState>(name: Name, part: Partial<AppState[Name]>) =>
  store.setState({ [name]: { ...state()[name], ...part } } as Partial<AppState>);
/** What is shown of each and what it is found by. */
const rowsOf = (items: readonly PaletteItem[]) =>
  items.map(({ kind, title, hint, keywords }) => [kind, title, hint, keywords].join(' | '));
const statusWith = (part: object) => setPart('frame', { status: part as AppState['frame']['status'] });

describe('the palette’s commands', () => {
  const find = (id: string) => commandItems(store).find((item) => item.id === id);

  it('are those that can be run now, with a hint, and whether they belong to the screen on show', () => {
    state().frame.goTo('monitors');
    const hints = ['go.forecast', 'monitors.new', 'help.about'].map((id) => [find(id)?.hint, find(id)?.isHere]);
    expect(hints).toEqual([
      ['Screen', false],
      ['Monitors', true],
      ['Help', false],
    ]);
    expect([find('palette.open'), find('callbacks.newest')]).toEqual([undefined, undefined]);
    expect(find('help.about')?.keywords).not.toBe('');
    find('go.forecast')!.run();
    expect(state().frame.screen).toBe('forecast');
  });

  it('of the sandbox are offered in the sandbox', () => {
    statusWith({ connection: { isSandbox: true } });
    expect(find('sandbox.rain')?.hint).toBe('Sandbox');
    statusWith({ connection: { isSandbox: false } });
    expect(find('sandbox.rain')).toBeUndefined();
  });
});

it('the palette runs what was typed before Enter, whatever follows while it loads', () => {
  const { openPalette, typeAhead } = state().frame;
  openPalette(true);
  for (const key of ['a', 'b', 'Backspace', 'Enter', 'Backspace', 'c']) expect(typeAhead(key)).toBe(true);
  expect(state().frame).toMatchObject({ paletteText: 'a', isPaletteEntered: true });
  typeAhead('Escape');
  expect(state().frame.isPaletteOpen).toBe(false);
});

it('the palette’s data are the other connections, saved places, searches, and monitors, and open what they name', async () => {
  const connections = [
    { id: 'c1', name: 'One' },
    { id: 'c2', name: 'Two' },
  ] as unknown as AppState['connections']['items'];
  const filters = [{ name: 'Late', query: 'is:late' }] as unknown as AppState['callbackSearch']['filters'];
  const monitors = [ownMonitor('p1', { name: 'Harbor', tags: ['a', 'b'] }), ownMonitor('p2')];
  const items = dataItems(store, { monitors, connections, selectedId: 'c1', savedPlaces: [place], filters });
  expect(rowsOf(items)).toEqual([
    'connection | Use Two | Connection | switch connection service',
    'place | Torino, Italy | Saved place · 45.07, −7.69 | forecast weather',
    'search | Late | Saved search | is:late',
    'monitor | Harbor | Monitor · p1 | p1 a b monitor',
    'monitor | p2 | Monitor · 1.23, −2 | p2  monitor',
  ]);
  expect(rowsOf([placeItem(store, place)])).toEqual([
    'place | Torino, Italy | Place · 45.07, −7.69 | forecast weather',
  ]);
  const ids = ['connection:c2', 'place:Torino:45.0703:-7.6869', 'filter:Late', 'monitor:p1', 'monitor:p2'];
  expect(items.map(({ id }) => id)).toEqual(ids);
  const [, saved, search, monitor] = items;
  setPart('monitors', { items: monitors });
  monitor!.run();
  expect([state().frame.screen, state().monitors.selectedId]).toEqual(['monitors', 'p1']);
  search!.run();
  expect(state().frame.screen).toBe('callbacks');
  await expect.poll(() => state().callbackSearch.query).toBe('is:late');
  saved!.run();
  expect(state().frame.screen).toBe('forecast');
  await expect.poll(() => state().settings.values.place).toMatchObject({ lat: 45.0703, lng: -7.6869 });
});

it('the palette’s settings are those of the host, and open their section', () => {
  const [electron, headless] = ['electron', 'headless'].map((host) => {
    statusWith({ host });
    return settingItems(store).map(({ id }) => id);
  });
  expect(headless).toContain('setting:theme');
  expect(electron).toEqual(expect.arrayContaining(headless ?? []));
  expect(electron?.length).toBeGreaterThan(headless?.length ?? 0);
  const item = settingItems(store).find(({ id }) => id === 'setting:windUnit')!;
  expect(rowsOf([item])).toEqual([
    expect.stringMatching(/^setting \| Wind speed \| Settings · Units \| .* setting option preference$/),
  ]);
  item.run();
  expect([state().frame.screen, state().frame.sections]).toMatchObject(['settings', { settings: 'units' }]);
});

it('the palette’s help has pages and their sections down to the second level', () => {
  const section = (id: string, depth: number, title: string) => ({ id, depth, title, body: [] });
  const sections = [section('', 1, 'Guide'), section('a', 2, 'A'), section('b', 3, 'B')];
  const found = helpItems(store, [{ name: 'guide', title: 'Guide', file: '', sections }]);
  expect(rowsOf(found)).toEqual([
    'help | Guide | Help | Guide help how to',
    'help | A | Help · Guide | Guide help how to',
  ]);
  found[1]!.run();
  expect(state().frame.screen).toBe('help');
  expect(state().help).toMatchObject({ page: 'guide' });
});

it('the typed text opens the callback of its number if there is one, and is searched in callbacks and in the help', async () => {
  const selected: (number | null)[] = [];
  const select = (id: number | null) => Promise.resolve(void selected.push(id));
  setPart('callbacks', { newestId: () => 1_234, select });
  const first = (text: string) => rowsOf(textItems(store, text).first);
  for (const text of ['1234', ' #1234 ', 'Callback 1234', 'callback #1234'])
    expect(first(text)).toEqual(['callback | Open callback 1,234 | Callback | ']);
  for (const text of ['1235', '0', '12a', 'x 12', '-1', '1234567890123', '']) expect(first(text)).toEqual([]);
  textItems(store, '1234').first[0]!.run();
  expect([state().frame.screen, selected]).toEqual(['callbacks', [1_234]]);
  const [inCallbacks, inHelp] = textItems(store, ' late rain ').last;
  expect(rowsOf([inCallbacks!, inHelp!])).toEqual([
    'search | Search callbacks for “late rain” | Callbacks | ',
    'search | Search help for “late rain” | Help | ',
  ]);
  inHelp!.run();
  expect([state().frame.screen, state().help.search]).toEqual(['help', 'late rain']);
  inCallbacks!.run();
  expect(state().frame.screen).toBe('callbacks');
  await expect.poll(() => state().callbackSearch.query).toBe('late rain');
});
