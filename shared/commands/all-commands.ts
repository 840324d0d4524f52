// The whole table of commands. Load it lazily: the first screen needs only parts of it.
import { appCommands, sandboxCommands } from './app-commands.ts';
import { chartKeys } from './chart-keys.ts';
import type { Command, CommandContext } from './command.ts';
import { controlKeys } from './control-keys.ts';
import { forecastCommands } from './forecast-commands.ts';
import { frameCommands } from './frame-commands.ts';
import { helpCommands, helpPageCommands, settingsCommands } from './help-commands.ts';
import { callbackCommands, monitorCommands, trafficCommands } from './list-commands.ts';
import { screenCommands } from './screen-commands.ts';

export const allCommands = {
  ...frameCommands,
  ...screenCommands,
  ...forecastCommands,
  ...monitorCommands,
  ...callbackCommands,
  ...trafficCommands,
  ...helpCommands,
  ...settingsCommands,
  ...helpPageCommands,
  ...appCommands,
  ...sandboxCommands,
  ...chartKeys,
  ...controlKeys,
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
