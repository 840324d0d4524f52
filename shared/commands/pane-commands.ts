// Commands of screens with a list and the details of one item.
import { commandsIn } from './command.ts';

export const paneCommands = commandsIn('everywhere', {
  'pane.toggle': { title: 'Collapse or expand the details pane', keys: [']'], keywords: 'hide show side panel' },
});
