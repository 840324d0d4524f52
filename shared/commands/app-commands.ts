// Commands without keys that work on every screen: exports, appearance, sandbox, connections, help.
import type { CommandTable } from './command.ts';

export const appCommands = {
  'theme.light': {
    title: 'Use the light theme',
    context: 'everywhere',
    keywords: 'theme color look appearance bright',
  },
  'theme.dark': { title: 'Use the dark theme', context: 'everywhere', keywords: 'theme color look appearance night' },
  'token.refresh': { title: 'Refresh the access token', context: 'everywhere', keywords: 'renew oauth' },
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
    title: 'Make it rain for 20 minutes',
    context: 'everywhere',
    keywords: 'scenario weather precipitation',
  },
  'sandbox.clear': { title: 'Clear all scenarios', context: 'everywhere', keywords: 'weather stop rain' },
  'sandbox.hour': { title: 'Move the sandbox clock 1 hour ahead', context: 'everywhere', keywords: 'time cool-down' },
  'sandbox.now': { title: 'Reset the sandbox clock', context: 'everywhere', keywords: 'time back machine' },
} as const satisfies CommandTable;
