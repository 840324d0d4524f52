// What the palette offers. Commands only call what the screens call too.
import type { Place } from '#contract/app-rpc/places.ts';
import type { AppStore } from '#renderer/store/app-state.ts';
import { screens, screenTitles } from '#renderer/store/screens.ts';
import { shownPlace } from '#renderer/store/shown.ts';
import { coordinateWords } from '#renderer/ui/text/durations.ts';
import { placeWords } from '#renderer/ui/text/place-words.ts';

export type Command = { id: string; words: string; hint: string; run: () => void };

export function commands(store: AppStore, isSandbox: boolean): readonly Command[] {
  const state = () => store.getState();
  const here = () => shownPlace(state());
  const goTo = screens
    .filter((screen) => isSandbox || screen !== 'sandbox')
    .map((screen) => ({
      id: `go ${screen}`,
      words: `Go to ${screenTitles[screen]}`,
      hint: 'screen',
      run: () => state().frame.goTo(screen),
    }));
  const rain: Command = {
    id: 'rain',
    words: `Make it rain in ${placeWords(here())} for 20 minutes`,
    hint: 'sandbox',
    run: () => {
      const { lat, lng } = here();
      void state().sandbox.addScenario({ center: { lat, lng }, minutes: 20 }, placeWords(here()));
    },
  };
  return [
    ...goTo,
    { id: 'fetch', words: 'Fetch the forecast', hint: 'F5', run: () => fetchHere(store) },
    { id: 'compare', words: 'Compare forecasts', hint: 'forecast', run: () => compareHere(store) },
    {
      id: 'new monitor',
      words: 'New monitor',
      hint: 'monitor',
      run: () => state().monitors.openDialog({ kind: 'create', at: null }),
    },
    ...(isSandbox ? [rain] : []),
    ...connectionCommands(store),
    { id: 'token', words: 'Renew the access token', hint: 'access', run: () => void state().frame.renewToken() },
    ...(['light', 'dark', 'system'] as const).map((theme) => ({
      id: `theme ${theme}`,
      words: `Theme: ${theme}`,
      hint: 'look',
      run: () => void state().settings.update({ theme }),
    })),
  ];
}

function connectionCommands(store: AppStore): readonly Command[] {
  const { connections } = store.getState();
  return [
    ...connections.items
      .filter(({ id }) => id !== connections.selectedId)
      .map(({ id, name }) => ({
        id: `use ${id}`,
        words: `Use ${name}`,
        hint: 'connection',
        run: () => void connections.select(id),
      })),
    {
      id: 'new connection',
      words: 'New connection',
      hint: 'connection',
      run: () => connections.openEditor({ kind: 'create' }),
    },
  ];
}

function fetchHere(store: AppStore): void {
  store.getState().frame.goTo('forecast');
  void store.getState().forecast.refetch();
}

function compareHere(store: AppStore): void {
  store.getState().frame.goTo('forecast');
  void store.getState().compare.openFetches(shownPlace(store.getState()));
}

/** The forecast of each found place. */
export function placeCommands(store: AppStore, found: readonly Place[]): readonly Command[] {
  return found.map((place) => ({
    id: `place ${place.name} ${place.lat} ${place.lng}`,
    words: placeWords(place),
    hint: `forecast · ${coordinateWords(place, 2)}`,
    run: () => {
      const { settings, forecast, frame } = store.getState();
      frame.goTo('forecast');
      void settings.showPlace(place);
      void forecast.fetch({ lat: place.lat, lng: place.lng });
    },
  }));
}

/** Those that contain every typed word. */
export function matching(all: readonly Command[], text: string): readonly Command[] {
  const wanted = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return all.filter(({ words, hint }) => wanted.every((word) => `${words} ${hint}`.toLowerCase().includes(word)));
}
