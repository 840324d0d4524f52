// Commands of screens with a list and the details of one item.
import type { CommandTable } from './command.ts';

export const paneCommands = {
  'pane.toggle': {
    title: 'Collapse or expand the details pane',
    context: 'everywhere',
    keys: [']'],
    keywords: 'hide show side panel',
  },
} as const satisfies CommandTable;
