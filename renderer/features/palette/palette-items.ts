// What the palette offers in addition to the places that the search finds: commands, saved places, monitors, connections, searches,
// and pages of the help.
import { newestCallbackId, openCallback, searchCallbacks } from '../callbacks/selectors.ts';
import { activateConnection } from '../connections/selectors.ts';
import { showForecastOf } from '../forecast/selectors.ts';
import { openHelp, searchHelp } from '../help/selectors.ts';
import { openMonitor } from '../monitors/selectors.ts';
import {
  type AppMonitor,
  type Place,
  type SavedConnection,
  type SavedFilter,
  settingRows,
  settingSections,
} from '@rainbell/contract/app-rpc';
import { type CommandId, commandIds, commandOf, contextTitles, type HelpPage } from '@rainbell/shared';
import type { AppStore } from '../../store/app-state.ts';
import { formatCoordinates } from '../../ui/text/durations.ts';
import { formatPlace } from '../../ui/text/format-place.ts';
import { isAvailable, runCommand, screenOf } from './run-command.ts';

export type PaletteItem = {
  id: string;
  title: string;
  /** What it is, beside the title. */
  hint: string;
  keys: readonly string[];
  keywords: string;
  kind: 'command' | 'setting' | 'place' | 'monitor' | 'connection' | 'callback' | 'search' | 'help';
  /** Belongs to the screen on show. */
  isHere: boolean;
  run: () => void;
};

const plain = { keys: [], keywords: '', isHere: false } as const;

export function commandItems(store: AppStore): readonly PaletteItem[] {
  const { screen } = store.getState().frame;
  return commandIds
    .filter((id) => id !== 'palette.open' && isAvailable(store, id))
    .map((id) => {
      const { context, keys = [], keywords = '' } = commandOf(id);
      return {
        id,
        title: commandOf(id).title,
        hint: context === 'everywhere' ? groupOf(id) : contextTitles[context],
        keys,
        keywords: `${keywords} ${contextTitles[context]}`,
        kind: 'command' as const,
        isHere: screenOf(store, context) === screen,
        run: () => runCommand(store, id),
      };
    });
}

const groups: Readonly<Record<string, string>> = {
  go: 'Screen',
  zone: 'Times',
  units: 'Units',
  sandbox: 'Sandbox',
  help: 'Help',
};

function groupOf(id: CommandId): string {
  return groups[id.slice(0, id.indexOf('.'))] ?? 'Rainbell';
}

type Data = {
  monitors: readonly AppMonitor[];
  connections: readonly SavedConnection[];
  selectedId: string | null;
  savedPlaces: readonly Place[];
  filters: readonly SavedFilter[];
};

/** Called again only if one of them changes. */
export function dataItems(store: AppStore, data: Data): readonly PaletteItem[] {
  const state = () => store.getState();
  return [
    ...data.connections
      .filter(({ id }) => id !== data.selectedId)
      .map(({ id, name }): PaletteItem => ({
        ...plain,
        id: `connection:${id}`,
        title: `Use ${name}`,
        hint: 'Connection',
        keywords: 'switch connection service',
        kind: 'connection',
        run: () => activateConnection(state(), id),
      })),
    ...data.savedPlaces.map((place) => placeItem(store, place, true)),
    ...data.filters.map(({ name, query }): PaletteItem => ({
      ...plain,
      id: `filter:${name}`,
      title: name,
      hint: 'Saved search',
      keywords: query,
      kind: 'search',
      run: () => searchCallbacks(state(), query),
    })),
    ...data.monitors.map(({ id, name, tags, geo }): PaletteItem => ({
      ...plain,
      id: `monitor:${id}`,
      title: name === '' ? id : name,
      hint: name === '' ? `Monitor · ${formatCoordinates(geo, 2)}` : `Monitor · ${id}`,
      keywords: `${id} ${tags.join(' ')} monitor`,
      kind: 'monitor',
      run: () => openMonitor(state(), id),
    })),
  ];
}

export function settingItems(store: AppStore): readonly PaletteItem[] {
  const host = store.getState().frame.status?.host;
  return settingRows
    .filter((row) => row.host === undefined || row.host === host)
    .map(({ id, section, title, keywords }) => ({
      ...plain,
      id: `setting:${id}`,
      title,
      hint: `Settings · ${settingSections[section]}`,
      keywords: `${keywords} setting option preference`,
      kind: 'setting' as const,
      run: () => {
        store.getState().frame.goTo('settings');
        store.getState().frame.openSection('settings', section);
      },
    }));
}

export function helpItems(store: AppStore, pages: readonly HelpPage[]): readonly PaletteItem[] {
  return pages.flatMap((page) =>
    page.sections
      .filter(({ depth }) => depth <= 2)
      .map(({ id, title }) => ({
        ...plain,
        id: `help:${page.name}:${id}`,
        title,
        hint: id === '' ? 'Help' : `Help · ${page.title}`,
        keywords: `${page.title} help how to`,
        kind: 'help' as const,
        run: () => openHelp(store.getState(), page.name, id),
      })),
  );
}

export function placeItem(store: AppStore, place: Place, isSaved = false): PaletteItem {
  const at = formatCoordinates(place, 2);
  return {
    ...plain,
    id: `place:${place.name}:${place.lat}:${place.lng}`,
    title: formatPlace(place),
    hint: isSaved ? `Saved place · ${at}` : `Place · ${at}`,
    keywords: 'forecast weather',
    kind: 'place',
    run: () => showForecastOf(store.getState(), place),
  };
}

/** What can be done with the typed text itself: open the callback of this number, or search. */
export function textItems(
  store: AppStore,
  text: string,
): { first: readonly PaletteItem[]; last: readonly PaletteItem[] } {
  const typed = text.trim();
  const number = /^(?:callback\s+)?#?(\d{1,12})$/i.exec(typed)?.[1];
  const newest = newestCallbackId(store.getState());
  const first: readonly PaletteItem[] =
    number === undefined || Number(number) > newest || Number(number) === 0
      ? []
      : [
          {
            ...plain,
            id: `callback:${number}`,
            title: `Open callback ${Number(number).toLocaleString('en')}`,
            hint: 'Callback',
            kind: 'callback',
            run: () => openCallback(store.getState(), Number(number)),
          },
        ];
  const last: readonly PaletteItem[] = [
    {
      ...plain,
      id: 'search:callbacks',
      title: `Search callbacks for “${typed}”`,
      hint: 'Callbacks',
      kind: 'search',
      run: () => searchCallbacks(store.getState(), typed),
    },
    {
      ...plain,
      id: 'search:help',
      title: `Search help for “${typed}”`,
      hint: 'Help',
      kind: 'search',
      run: () => searchHelp(store.getState(), typed),
    },
  ];
  return { first, last };
}
