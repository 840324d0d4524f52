// What the palette offers, and what running it does. The store is real; core never answers.
import { beforeEach, describe, expect, it } from 'vitest';
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
import { silentClient } from '../silent-client.ts';
import { monitorOf } from '../monitors/monitor-samples.ts';

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
/** Everything but what running it does. */
const shown = (items: readonly PaletteItem[]) => items.map(({ run: _run, ...item }) => item);
const plain = { keys: [], keywords: '', isHere: false };

describe('the palette’s commands', () => {
  const find = (id: string, before?: readonly PaletteItem[]) =>
    commandItems(store, before).find((item) => item.id === id);

  it('have a hint, keys, and what they belong to', () => {
    state().frame.goTo('monitors');
    expect(shown([find('go.forecast')!, find('monitors.new')!])).toEqual([
      expect.objectContaining({ kind: 'command', hint: 'Screen', isHere: false }),
      expect.objectContaining({ kind: 'command', hint: 'Monitors', isHere: true }),
    ]);
    const hints = ['help.about', 'go.help'].map((id) => [id, find(id)?.hint]);
    expect(hints).toEqual([
      ['help.about', 'Help'],
      ['go.help', 'Screen'],
    ]);
    expect(find('help.about')?.keywords).not.toBe('');
    find('go.forecast')!.run();
    expect(state().frame.screen).toBe('forecast');
  });

  it('of the sandbox are offered in the sandbox', () => {
    setPart('frame', { status: { connection: { isSandbox: true } } as AppState['frame']['status'] });
    const hints = ['sandbox.rain', 'sandbox.hour'].map((id) => find(id)?.hint);
    expect(hints).toEqual(['Sandbox', 'Sandbox']);
    setPart('frame', { status: { connection: { isSandbox: false } } as AppState['frame']['status'] });
    expect(find('sandbox.rain')).toBeUndefined();
  });

  it('are those that can be run now, or could be before', () => {
    expect(find('palette.open')).toBeUndefined();
    expect(find('callbacks.newest')).toBeUndefined();
    const before = { ...find('help.about')!, id: 'callbacks.newest' };
    expect(find('callbacks.newest', [before])?.id).toBe('callbacks.newest');
    expect(find('palette.open', [{ ...before, id: 'palette.open' }])).toBeUndefined();
  });
});

describe('the palette’s data', () => {
  const connections = [
    { id: 'c1', name: 'One' },
    { id: 'c2', name: 'Two' },
  ] as unknown as AppState['connections']['items'];
  const filters = [{ name: 'Late', query: 'is:late' }] as unknown as AppState['callbackSearch']['filters'];
  const monitors = [ownMonitor('p1', { name: 'Harbor', tags: ['a', 'b'] }), ownMonitor('p2')];
  const items = () => dataItems(store, { monitors, connections, selectedId: 'c1', savedPlaces: [place], filters });

  it('are the other connections, saved places, searches, and monitors', () => {
    expect(shown(items())).toEqual([
      {
        ...plain,
        id: 'connection:c2',
        title: 'Use Two',
        hint: 'Connection',
        keywords: expect.stringContaining('switch') as string,
        kind: 'connection',
      },
      ...shown([placeItem(store, place, true)]),
      { ...plain, id: 'filter:Late', title: 'Late', hint: 'Saved search', keywords: 'is:late', kind: 'search' },
      {
        ...plain,
        id: 'monitor:p1',
        title: 'Harbor',
        hint: 'Monitor · p1',
        keywords: 'p1 a b monitor',
        kind: 'monitor',
      },
      { ...plain, id: 'monitor:p2', title: 'p2', hint: 'Monitor · 1.23, −2', keywords: 'p2  monitor', kind: 'monitor' },
    ]);
  });

  it('open what they name', async () => {
    const [, , search, monitor] = items();
    setPart('monitors', { items: monitors });
    monitor!.run();
    expect([state().frame.screen, state().monitors.selectedId]).toEqual(['monitors', 'p1']);
    search!.run();
    expect(state().frame.screen).toBe('callbacks');
    await expect.poll(() => state().callbackSearch.query).toBe('is:late');
  });
});

it('a place of the palette opens its forecast', async () => {
  const [found, saved] = [placeItem(store, place), placeItem(store, place, true)];
  expect(shown([found, saved])).toEqual(
    ['Place', 'Saved place'].map((hint) => ({
      ...plain,
      id: 'place:Torino:45.0703:-7.6869',
      title: expect.stringContaining('Torino') as string,
      hint: `${hint} · 45.07, −7.69`,
      keywords: 'forecast weather',
      kind: 'place',
    })),
  );
  state().frame.goTo('settings');
  found.run();
  expect(state().frame.screen).toBe('forecast');
  await expect.poll(() => state().settings.values.place).toMatchObject({ lat: 45.0703, lng: -7.6869 });
});

describe('the palette’s settings and help', () => {
  it('are those of the host, and open their section', () => {
    const hosts = ['electron', 'headless'].map((host) => {
      setPart('frame', { status: { ...state().frame.status, host } as AppState['frame']['status'] });
      return new Set(settingItems(store).map(({ id }) => id));
    });
    const [electron, headless] = hosts as [Set<string>, Set<string>];
    expect([electron.has('setting:theme'), headless.has('setting:theme')]).toEqual([true, true]);
    expect([...electron].filter((id) => !headless.has(id)).length).toBeGreaterThan(0);
    const item = settingItems(store).find(({ id }) => id === 'setting:windUnit')!;
    expect(shown([item])).toEqual([
      {
        ...plain,
        id: 'setting:windUnit',
        title: expect.any(String) as string,
        hint: 'Settings · Units',
        keywords: expect.stringMatching(/ setting option preference$/) as string,
        kind: 'setting',
      },
    ]);
    state().frame.goTo('forecast');
    item.run();
    expect([state().frame.screen, state().frame.sections]).toEqual([
      'settings',
      expect.objectContaining({ settings: 'units' }),
    ]);
  });

  it('are pages and their sections down to the second level', () => {
    const section = (id: string, depth: number, title: string) => ({ id, depth, title, body: [] });
    const pages = [
      {
        name: 'guide',
        title: 'Guide',
        file: '',
        sections: [section('', 1, 'Guide'), section('a', 2, 'A'), section('b', 3, 'B')],
      },
    ];
    const found = helpItems(store, pages);
    const common = { ...plain, keywords: 'Guide help how to', kind: 'help' };
    expect(shown(found)).toEqual([
      { ...common, id: 'help:guide:', title: 'Guide', hint: 'Help' },
      { ...common, id: 'help:guide:a', title: 'A', hint: 'Help · Guide' },
    ]);
    state().frame.goTo('forecast');
    found[1]!.run();
    expect(state().frame.screen).toBe('help');
    expect(state().help).toMatchObject({ page: 'guide' });
  });
});

describe('the typed text', () => {
  const first = (text: string) => textItems(store, text).first.map(({ id }) => id);

  it('opens the callback of its number if there is one', () => {
    const selected: (number | null)[] = [];
    const select = (id: number | null) => Promise.resolve(void selected.push(id));
    setPart('callbacks', { newestId: () => 1_234, select });
    for (const text of ['1234', ' #1234 ', 'Callback 1234', 'callback #1234'])
      expect(first(text)).toEqual(['callback:1234']);
    for (const text of ['1235', '0', '12a', 'x 12', '-1', '1234567890123', '']) expect(first(text)).toEqual([]);
    const [item] = textItems(store, '1234').first;
    expect(shown([item!])).toEqual([
      { ...plain, id: 'callback:1234', title: 'Open callback 1,234', hint: 'Callback', kind: 'callback' },
    ]);
    state().frame.goTo('forecast');
    item!.run();
    expect([state().frame.screen, selected]).toEqual(['callbacks', [1_234]]);
  });

  it('is searched in callbacks and in the help', async () => {
    const { last } = textItems(store, ' late rain ');
    expect(shown(last)).toEqual([
      {
        ...plain,
        id: 'search:callbacks',
        title: expect.stringContaining('“late rain”') as string,
        hint: 'Callbacks',
        kind: 'search',
      },
      {
        ...plain,
        id: 'search:help',
        title: expect.stringContaining('“late rain”') as string,
        hint: 'Help',
        kind: 'search',
      },
    ]);
    state().frame.goTo('forecast');
    last[1]!.run();
    expect([state().frame.screen, state().help.search]).toEqual(['help', 'late rain']);
    last[0]!.run();
    expect(state().frame.screen).toBe('callbacks');
    await expect.poll(() => state().callbackSearch.query).toBe('late rain');
  });
});
