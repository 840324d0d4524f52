// Commands with keys that work on every screen.
import { frameCommands } from '#shared/commands/frame-commands.ts';
import { shownZone } from '#renderer/store/shown.ts';
import { useAppStore } from '#renderer/store/use-app.ts';
import { chosenUnits, settingsOfUnits, unitPresets } from '#renderer/ui/text/units.ts';
import { useCommands } from '#renderer/store/use-commands.ts';

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
        (preset) => JSON.stringify(preset) === JSON.stringify(chosenUnits(values, navigator.language)),
      );
      const next = presets[(here + 1) % presets.length];
      if (next) void update(settingsOfUnits(next));
    },
  });
  return null;
}
