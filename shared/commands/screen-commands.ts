// Commands of all screens except the forecast.
import { commandsIn } from './command.ts';

export const monitorCommands = commandsIn('monitors', {
  'monitors.filter': { title: 'Filter monitors', keys: ['/'], keywords: 'search find' },
  'monitors.new': { title: 'New monitor', keywords: 'create add register' },
  'monitors.import': { title: 'Create many monitors', keywords: 'import csv paste' },
});

export const callbackCommands = commandsIn('callbacks', {
  'callbacks.search': { title: 'Search callbacks', keys: ['/'], keywords: 'find filter' },
  'callbacks.newest': { title: 'Open the newest callback', keywords: 'latest last' },
  'callback.curl': { title: 'Copy the callback as cURL', keywords: 'shell curl' },
  'callback.resend': { title: 'Replay the callback', keywords: 'replay resend edit' },
  'callbacks.rules': { title: 'Edit response rules', keywords: 'receiver status delay' },
  'callbacks.forward': { title: 'Forward callbacks', keywords: 'send urls' },
  'callbacks.receiver': {
    title: 'Set up the receiver’s HTTPS, network, and secret',
    keywords: 'tls lan tunnel port signature',
  },
});

export const trafficCommands = commandsIn('traffic', {
  'traffic.filter': { title: 'Filter requests by URL', keys: ['/'], keywords: 'search find' },
});

export const helpCommands = commandsIn('help', {
  'help.search': { title: 'Search help', keys: ['/'], keywords: 'find' },
});

export const settingsCommands = commandsIn('settings', {
  'settings.search': { title: 'Search settings', keys: ['/'], keywords: 'find' },
});
