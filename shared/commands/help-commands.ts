// Commands of the Help screen, and those that open one of its pages.
import { commandsIn } from './command.ts';

export const helpCommands = commandsIn('help', {
  'help.search': { title: 'Search help', keys: ['/'], keywords: 'find' },
});

export const settingsCommands = commandsIn('settings', {
  'settings.search': { title: 'Search settings', keys: ['/'], keywords: 'find' },
});

export const helpPageCommands = commandsIn('everywhere', {
  'help.about': { title: 'About Rainbell', keywords: 'version license credits' },
  'help.start': { title: 'Get started', keywords: 'first steps tutorial checklist begin' },
  'help.report': { title: 'Report a problem', keywords: 'bug issue support diagnostics' },
});
