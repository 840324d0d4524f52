// Commands of the Help and Settings screens.
import { commandsIn } from './command.ts';

export const helpCommands = commandsIn('help', {
  'help.search': { title: 'Search help', keys: ['/'], keywords: 'find' },
});

export const settingsCommands = commandsIn('settings', {
  'settings.search': { title: 'Search settings', keys: ['/'], keywords: 'find' },
});
