// The whole table of commands. Load it lazily: the first screen needs only parts of it.
import { type Command, type CommandContext, commandsIn, keysIn } from './command.ts';
import { chartKeys, forecastCommands } from './forecast-commands.ts';
import { frameCommands } from './frame-commands.ts';
import {
  callbackCommands,
  helpCommands,
  monitorCommands,
  settingsCommands,
  trafficCommands,
} from './screen-commands.ts';

export const allCommands = {
  ...frameCommands,
  // Open a screen; also in Electron's Go menu.
  ...commandsIn('everywhere', {
    'go.forecast': { title: 'Go to Forecast', accelerator: 'CmdOrCtrl+1', keywords: 'weather' },
    'go.monitors': { title: 'Go to Monitors', accelerator: 'CmdOrCtrl+2' },
    'go.events': { title: 'Go to Events', keywords: 'record history deliveries failed resend' },
    'go.callbacks': {
      title: 'Go to Callbacks',
      accelerator: 'CmdOrCtrl+3',
      keywords: 'receiver webhook stripe signature',
    },
    'go.access': { title: 'Go to Access', accelerator: 'CmdOrCtrl+4', keywords: 'tokens sign in oauth' },
    'go.traffic': { title: 'Go to Traffic', accelerator: 'CmdOrCtrl+5', keywords: 'requests http log' },
    'go.sandbox': { title: 'Go to Sandbox', accelerator: 'CmdOrCtrl+6', keywords: 'service clock scenarios' },
    'go.connections': { title: 'Go to Connections', accelerator: 'CmdOrCtrl+7', keywords: 'services credentials' },
    'go.settings': { title: 'Go to Settings', accelerator: 'CmdOrCtrl+,', keywords: 'preferences options' },
    'go.handler': { title: 'Develop a handler', keywords: 'webhook check endpoint test signature secret junit' },
    'go.help': { title: 'Go to Help', keywords: 'guide manual' },
  }),
  ...forecastCommands,
  ...monitorCommands,
  ...callbackCommands,
  ...trafficCommands,
  ...helpCommands,
  ...settingsCommands,
  ...commandsIn('everywhere', {
    'help.about': { title: 'About Rainbell', keywords: 'version license credits' },
    'help.start': { title: 'Get started', keywords: 'first steps tutorial checklist begin' },
    'help.report': { title: 'Report a problem', keywords: 'bug issue support diagnostics' },
  }),
  ...commandsIn('connections', {
    'connections.new': { title: 'New connection', keywords: 'add service credentials' },
  }),
  // Offered only if the active connection is a sandbox.
  ...commandsIn('everywhere', {
    'sandbox.rain': { title: 'Make it rain', keywords: 'scenario weather precipitation' },
    'sandbox.clear': { title: 'Clear all scenarios', keywords: 'weather stop rain' },
    'sandbox.hour': { title: 'Move the sandbox clock 1 hour ahead', keywords: 'time cool-down' },
  }),
  ...chartKeys,
  // Listed in the shortcuts sheet and the guide, but not run by the palette: each control reads its own.
  ...keysIn('monitor table', {
    'monitor.move': ['Go to the previous or next row', 'ArrowUp', 'ArrowDown'],
    'monitor.select': ['Select or deselect the row', 'Space'],
    'monitor.all': ['Select all rows', 'Mod+A'],
    'monitor.open': ['Open the details', 'Enter'],
    'monitor.delete': ['Delete the row or the selection', 'Delete'],
    'monitor.close': ['Close the details', 'Escape'],
  }),
  ...keysIn('callback list', {
    'callback.move': ['Open the previous or next callback', 'ArrowUp', 'ArrowDown'],
    'callback.select': ['Select or deselect the callback', 'Space'],
    'callback.range': ['Select a range of callbacks', 'Shift+ArrowUp', 'Shift+ArrowDown'],
    'callback.all': ['Select all matches', 'Mod+A'],
    'callback.delete': ['Delete the callback or the selection', 'Delete'],
  }),
  ...keysIn('request list', {
    'request.move': ['Open the previous or next request', 'ArrowUp', 'ArrowDown'],
  }),
  ...keysIn('map', {
    'map.move': ['Move by 0.1° (Shift: 1°, Alt: 10°)', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'],
    'map.zoom': ['Zoom in or out', '+', '-'],
    'map.world': ['Show the whole world', '0'],
    'map.marker': ['Go to the next or previous marker', 'N', 'P'],
    'map.pick': ['Pick the location, or open the monitor there', 'Enter'],
  }),
} as const;

export type CommandId = keyof typeof allCommands;

export const commandIds = Object.keys(allCommands) as CommandId[];

export function commandOf(id: CommandId): Command {
  return allCommands[id];
}

/** Titles of the contexts, in the order of the sheet and the guide. */
export const contextTitles: Readonly<Record<CommandContext, string>> = {
  everywhere: 'Everywhere',
  forecast: 'Forecast',
  chart: 'Forecast chart and table',
  monitors: 'Monitors',
  'monitor table': 'Monitor table',
  callbacks: 'Callbacks',
  'callback list': 'Callback list',
  traffic: 'Traffic',
  'request list': 'Request list',
  access: 'Access',
  sandbox: 'Sandbox',
  connections: 'Connections',
  settings: 'Settings',
  help: 'Help',
  map: 'Map',
};
