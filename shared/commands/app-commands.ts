// Commands without keys that work on every screen: connections and the sandbox.
import type { CommandTable } from './command.ts';

export const appCommands = {
  'connections.new': {
    title: 'New connection',
    context: 'connections',
    keywords: 'add service credentials',
    focusesField: true,
  },
} as const satisfies CommandTable;

/** Offered only if the active connection is a sandbox. */
export const sandboxCommands = {
  'sandbox.rain': {
    title: 'Make it rain',
    context: 'everywhere',
    keywords: 'scenario weather precipitation',
  },
  'sandbox.clear': { title: 'Clear all scenarios', context: 'everywhere', keywords: 'weather stop rain' },
  'sandbox.hour': { title: 'Move the sandbox clock 1 hour ahead', context: 'everywhere', keywords: 'time cool-down' },
} as const satisfies CommandTable;
