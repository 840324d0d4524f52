import { lazy } from 'react';
import type { AppStore, Feature } from '../../store/app-state.ts';

export const palette: Feature = {
  dialogs: [
    {
      isOpen: (state) => state.frame.isPaletteOpen,
      View: lazy(async () => ({ default: (await import('./Palette.tsx')).Palette })),
    },
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
    // From the desktop app's menus. Only the page's own scripts and the main process can send it.
    const onCommand = ({ detail }: CustomEvent<unknown>) => void runFromMenu(store, detail);
    page.addEventListener('rainbell-command', onCommand as EventListener);
  },
};

async function runFromMenu(store: AppStore, id: unknown): Promise<void> {
  const { runKnownCommand } = await import('./run-command.ts');
  runKnownCommand(store, id);
}
