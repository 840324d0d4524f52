import { lazy } from 'react';
import type { AppState, AppStore, Feature } from '../../store/app-state.ts';
import { atRest } from '../../ui/hooks/at-rest.ts';
import { isForecastPending } from '../forecast/selectors.ts';

export const palette: Feature = {
  dialogs: [
    { isOpen: (state) => state.frame.isPaletteOpen, View: lazy(loadPalette) },
    {
      isOpen: (state) => state.commands.isSheetOpen,
      View: lazy(async () => ({ default: (await import('./KeySheet.tsx')).KeySheet })),
    },
  ],
  commands: (store) => ({
    'palette.open': () => store.getState().frame.openPalette(true),
    'help.keys': () => store.getState().commands.openSheet(true),
  }),
  start(store, page) {
    warmUp(store);
    // From the desktop app's menus. Only the page's own scripts and the main process can send it.
    const onCommand = ({ detail }: CustomEvent<unknown>) => void runFromMenu(store, detail);
    page.addEventListener('rainbell-command', onCommand as EventListener);
  },
};

/**
 * The palette is at hand before the first Ctrl K, so that no keystroke is lost while it loads; but long after the first screen has
 * what it needs. What cannot be loaded now is loaded with the first Ctrl K.
 */
function warmUp(store: AppStore): void {
  const load = () =>
    void atRest()
      .then(loadPalette)
      .catch(() => {});
  const plan = (state: AppState) => setTimeout(load, isForecastPending(state) ? 3000 : 1000);
  let timer = plan(store.getState());
  store.subscribe((state, before) => {
    if (isForecastPending(state) === isForecastPending(before)) return;
    clearTimeout(timer);
    timer = plan(state);
  });
}

async function loadPalette() {
  return { default: (await import('./Palette.tsx')).Palette };
}

async function runFromMenu(store: AppStore, id: unknown): Promise<void> {
  const { runKnownCommand } = await import('./run-command.ts');
  runKnownCommand(store, id);
}
