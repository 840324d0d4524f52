// Commands of the frame: they work on every screen.
import type { CommandTable } from './command.ts';

export const frameCommands = {
  'palette.open': {
    title: 'Search commands and places',
    context: 'everywhere',
    keys: ['Mod+K'],
    accelerator: 'CmdOrCtrl+K',
  },
  'help.keys': {
    title: 'Show keyboard shortcuts',
    context: 'everywhere',
    keys: ['?'],
    keywords: 'keys cheat sheet hotkeys',
  },
  'help.open': { title: 'Open help', context: 'everywhere', keys: ['F1'], keywords: 'guide manual documentation' },
  'zone.next': {
    title: 'Switch the time zone: place, mine, UTC',
    context: 'everywhere',
    keys: ['Z'],
    keywords: 'times timezone',
  },
  'units.next': {
    title: 'Switch the units: metric, UK, US, aviation',
    context: 'everywhere',
    keys: ['U'],
    keywords: 'celsius fahrenheit temperature wind',
  },
} as const satisfies CommandTable;
