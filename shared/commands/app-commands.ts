// Commands without keys that work on every screen: exports, appearance, sandbox, connections, help.
import type { CommandTable } from './command.ts';

export const appCommands = {
  'theme.system': { title: 'Use the system theme', context: 'everywhere', keywords: 'theme color look appearance' },
  'theme.light': {
    title: 'Use the light theme',
    context: 'everywhere',
    keywords: 'theme color look appearance bright',
  },
  'theme.dark': { title: 'Use the dark theme', context: 'everywhere', keywords: 'theme color look appearance night' },
  'zone.place': { title: 'Show times in the place’s zone', context: 'everywhere', keywords: 'time zone local' },
  'zone.mine': { title: 'Show times in my zone', context: 'everywhere', keywords: 'time zone local' },
  'zone.utc': { title: 'Show times in UTC', context: 'everywhere', keywords: 'time zone gmt zulu' },
  'units.metric': { title: 'Use metric units', context: 'everywhere', keywords: 'celsius mm m/s temperature wind' },
  'units.uk': { title: 'Use UK units', context: 'everywhere', keywords: 'celsius mm mph temperature wind' },
  'units.us': { title: 'Use US units', context: 'everywhere', keywords: 'fahrenheit inch mph temperature wind' },
  'units.aviation': { title: 'Use aviation units', context: 'everywhere', keywords: 'celsius knots temperature wind' },
  'units.system': { title: 'Use the system units', context: 'everywhere', keywords: 'locale temperature wind' },
  'clock.24': { title: 'Use the 24-hour clock', context: 'everywhere', keywords: 'time format' },
  'clock.12': { title: 'Use the 12-hour clock', context: 'everywhere', keywords: 'time format am pm' },
  'token.refresh': { title: 'Refresh the access token', context: 'everywhere', keywords: 'renew oauth' },
  'connections.new': {
    title: 'New connection',
    context: 'connections',
    keywords: 'add service credentials',
    focusesField: true,
  },
  'connections.export': { title: 'Export connections', context: 'connections', keywords: 'save file' },
  'diagnostics.export': {
    title: 'Export diagnostics',
    context: 'everywhere',
    keywords: 'report a problem bug support zip log',
  },
  'updates.check': { title: 'Check for updates', context: 'everywhere', keywords: 'version release' },
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
  'sandbox.day': { title: 'Move the sandbox clock 1 day ahead', context: 'everywhere', keywords: 'time' },
  'sandbox.now': { title: 'Reset the sandbox clock', context: 'everywhere', keywords: 'time back machine' },
  'fault.slow': {
    title: 'Start fault: slow responses',
    context: 'everywhere',
    keywords: 'sandbox break delay timeout',
  },
  'fault.error': { title: 'Start fault: HTTP 500', context: 'everywhere', keywords: 'sandbox break error' },
  'fault.rate_limited': { title: 'Start fault: HTTP 429', context: 'everywhere', keywords: 'sandbox break rate limit' },
  'fault.unauthorized': { title: 'Start fault: HTTP 401', context: 'everywhere', keywords: 'sandbox break token' },
  'fault.malformed': { title: 'Start fault: malformed body', context: 'everywhere', keywords: 'sandbox break json' },
  'fault.stop': { title: 'Stop the fault', context: 'everywhere', keywords: 'sandbox repair' },
  'provider.auto': {
    title: 'Weather from the first live provider',
    context: 'everywhere',
    keywords: 'automatic source',
  },
  'provider.simulation': {
    title: 'Weather from the simulation',
    context: 'everywhere',
    keywords: 'provider offline source',
  },
} as const satisfies CommandTable;
