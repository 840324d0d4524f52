// Commands of the Help screen, and those that open one of its pages.
import type { CommandTable } from './command.ts';

export const helpCommands = {
  'help.search': { title: 'Search help', context: 'help', keys: ['/'], keywords: 'find', focusesField: true },
} as const satisfies CommandTable;

export const settingsCommands = {
  'settings.search': {
    title: 'Search settings',
    context: 'settings',
    keys: ['/'],
    keywords: 'find',
    focusesField: true,
  },
} as const satisfies CommandTable;

export const helpPageCommands = {
  'help.about': { title: 'About Rainbell', context: 'everywhere', keywords: 'version license credits' },
  'help.start': { title: 'Get started', context: 'everywhere', keywords: 'first steps tutorial checklist begin' },
  'help.report': { title: 'Report a problem', context: 'everywhere', keywords: 'bug issue support diagnostics' },
} as const satisfies CommandTable;
