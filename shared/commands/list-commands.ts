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
  'monitors.refresh': { title: 'Refresh the monitors', context: 'monitors', keywords: 'reload list' },
  'monitors.csv': { title: 'Export monitors as CSV', context: 'monitors', keywords: 'save download' },
  'monitors.json': { title: 'Export monitors as JSON', context: 'monitors', keywords: 'save download' },
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
  'callback.fetch': { title: 'Copy the callback as fetch', context: 'callbacks', keywords: 'javascript' },
  'callback.resend': { title: 'Replay the callback', context: 'callbacks', keywords: 'replay resend edit' },
  'callback.proof': {
    title: 'Export the callback as a page',
    context: 'callbacks',
    keywords: 'proof html share evidence',
  },
  'callbacks.json': { title: 'Export callbacks as JSON', context: 'callbacks', keywords: 'save download' },
  'callbacks.ndjson': { title: 'Export callbacks as NDJSON', context: 'callbacks', keywords: 'save download' },
  'callbacks.csv': { title: 'Export callbacks as CSV', context: 'callbacks', keywords: 'save download' },
  'callbacks.har': { title: 'Export callbacks as HAR', context: 'callbacks', keywords: 'save download' },
  'callbacks.rules': { title: 'Edit response rules', context: 'callbacks', keywords: 'receiver status delay' },
  'callbacks.forward': { title: 'Forward callbacks', context: 'callbacks', keywords: 'send urls' },
  'callbacks.paths': { title: 'Name callback paths', context: 'callbacks', keywords: 'endpoints' },
  'callbacks.receiver': {
    title: 'Set up the receiver’s HTTPS, network, and secret',
    context: 'callbacks',
    keywords: 'tls lan tunnel port signature',
  },
  'callbacks.check': {
    title: 'Check an endpoint',
    context: 'callbacks',
    keywords: 'handler webhook test signature junit',
  },
  'callbacks.read': { title: 'Mark all callbacks as read', context: 'callbacks', keywords: 'unread seen' },
  'callbacks.import': { title: 'Import callbacks', context: 'callbacks', keywords: 'file har json open' },
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

export const connectionCommands = {
  'connections.import': { title: 'Import connections', context: 'connections', keywords: 'open file' },
} as const satisfies CommandTable;
