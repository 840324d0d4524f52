// Commands of the frame: they work on every screen.
import { commandsIn } from './command.ts';

export const frameCommands = commandsIn('everywhere', {
  'palette.open': { title: 'Search commands and places', keys: ['Mod+K'], accelerator: 'CmdOrCtrl+K' },
  'help.keys': { title: 'Show keyboard shortcuts', keys: ['?'], keywords: 'keys cheat sheet hotkeys' },
  'help.open': { title: 'Open help', keys: ['F1'], keywords: 'guide manual documentation' },
  'zone.next': { title: 'Switch the time zone: place, mine, UTC', keys: ['Z'], keywords: 'times timezone' },
  'units.next': {
    title: 'Switch the units: metric, UK, US, aviation',
    keys: ['U'],
    keywords: 'celsius fahrenheit temperature wind',
  },
});
