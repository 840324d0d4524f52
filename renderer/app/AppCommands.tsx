// Commands with keys that work on every screen.
import { useEffect } from 'react';
import { frameCommands } from '#shared/commands/frame-commands.ts';
import type { AppStore } from '#renderer/store/app-state.ts';
import { shownZone } from '#renderer/store/shown.ts';
import { useAppStore } from '#renderer/store/use-app.ts';
import { chosenUnits, settingsOfUnits, unitPresets } from '#renderer/ui/text/units.ts';
import { useCommands } from '#renderer/store/use-commands.ts';
import { computerLocale } from '#renderer/ui/text/computer-zone.ts';

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
  const [{ runCommand }, { commandIds }] = await Promise.all([
    import('#renderer/features/palette/run-command.ts'),
    import('#shared/commands/all-commands.ts'),
  ]);
  const known = commandIds.find((one) => one === id);
  if (known !== undefined) runCommand(store, known);
}
