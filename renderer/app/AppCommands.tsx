// Commands with keys that work on every screen.
import { useEffect } from 'react';
import { frameCommands } from '@rainbell/shared';
import type { AppStore } from '../store/app-state.ts';
import { shownZone } from '../store/shown.ts';
import { useAppStore } from '../store/use-app.ts';
import { chosenUnits, settingsOfUnits, unitPresets } from '../ui/text/units.ts';
import { useCommands } from '../store/use-commands.ts';
import { computerLocale } from '../ui/text/computer-zone.ts';

const zones = ['place', 'mine', 'utc'] as const;

export function AppCommands() {
  const store = useAppStore();
  useCommands(frameCommands, {
    'help.open': () => store.getState().frame.goTo('help'),
    'help.keys': () => store.getState().commands.openSheet(true),
    'zone.next': () => {
      const zone = shownZone(store.getState());
      void store.getState().settings.update({ zone: zones[(zones.indexOf(zone) + 1) % zones.length] ?? 'place' });
    },
    'units.next': () => {
      const { values, update } = store.getState().settings;
      const presets = Object.values(unitPresets);
      const here = presets.findIndex(
        (preset) => JSON.stringify(preset) === JSON.stringify(chosenUnits(values, computerLocale())),
      );
      const next = presets[(here + 1) % presets.length];
      if (next) void update(settingsOfUnits(next));
    },
  });
  useEffect(() => {
    // From the desktop app's menus. Only the page's own scripts and the main process can send it.
    const onCommand = ({ detail }: CustomEvent<unknown>) => void runFromMenu(store, detail);
    window.addEventListener('rainbell-command', onCommand as EventListener);
    return () => window.removeEventListener('rainbell-command', onCommand as EventListener);
  }, [store]);
  return null;
}

async function runFromMenu(store: AppStore, id: unknown): Promise<void> {
  const { runKnownCommand } = await import('../features/palette/run-command.ts');
  runKnownCommand(store, id);
}
