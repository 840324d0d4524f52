// Commands of the screens that show lists: monitors, callbacks, traffic.
import type { CommandTable } from './command.ts';

export const monitorCommands = {
  'monitors.filter': {
    title: 'Filter monitors',
    context: 'monitors',
    keys: ['/'],
    keywords: 'search find',
    focusesField: true,
  },
  'monitors.new': { title: 'New monitor', context: 'monitors', keywords: 'create add register' },
  'monitors.import': { title: 'Create many monitors', context: 'monitors', keywords: 'import csv paste' },
} as const satisfies CommandTable;

export const callbackCommands = {
  'callbacks.search': {
    title: 'Search callbacks',
    context: 'callbacks',
    keys: ['/'],
    keywords: 'find filter',
    focusesField: true,
  },
  'callbacks.newest': { title: 'Open the newest callback', context: 'callbacks', keywords: 'latest last' },
  'callback.curl': { title: 'Copy the callback as cURL', context: 'callbacks', keywords: 'shell curl' },
  'callback.resend': { title: 'Replay the callback', context: 'callbacks', keywords: 'replay resend edit' },
  'callbacks.rules': { title: 'Edit response rules', context: 'callbacks', keywords: 'receiver status delay' },
  'callbacks.forward': { title: 'Forward callbacks', context: 'callbacks', keywords: 'send urls' },
  'callbacks.receiver': {
    title: 'Set up the receiver’s HTTPS, network, and secret',
    context: 'callbacks',
    keywords: 'tls lan tunnel port signature',
  },
} as const satisfies CommandTable;

export const trafficCommands = {
  'traffic.filter': {
    title: 'Filter requests by URL',
    context: 'traffic',
    keys: ['/'],
    keywords: 'search find',
    focusesField: true,
  },
} as const satisfies CommandTable;
