// `rainbell monitors list | create | delete` (docs/interface.md §4.5): the monitors of the connected application.
import { isLoopback } from '#shared/network/loopback.ts';
import type { AppMonitor } from '#contract/app-rpc/monitors.ts';
import { createActiveConnection } from '#core/connection/active-connection.ts';
import type { OwnAddresses } from '#core/monitors/receiver-base.ts';
import { createMonitors, type Monitors } from '#core/monitors/monitors.ts';
import {
  readDataFolder,
  readPlace,
  readPort,
  requireArguments,
  UsageError,
  type ParsedArguments,
} from './arguments.ts';
import { commonOptions, type Command, type CommandContext } from './command.ts';
import { openConnection } from './connect.ts';
import { serviceDetails, serviceOptions } from './credentials.ts';
import { exitCodes } from './exit-codes.ts';
import { tableLines } from './output.ts';
import { findRunningReceiver, readSettings } from './receiver-session.ts';

const serviceUsage =
  '[--json] [--connection NAME | --base-url URL --client-id ID] [--client-secret-stdin] [--data DIR]';
const options = { json: commonOptions.json, ...serviceOptions, help: commonOptions.help };
const monitorFields = 'id, monitorType, callbackUri (null where the service left it out), lat, lng, uri';

export const listMonitors: Command = {
  name: 'monitors list',
  usage: serviceUsage,
  summary: 'Prints the monitors of the application.',
  details: [serviceDetails, `  With --json: one object {monitors}, each with ${monitorFields}.`],
  options,
  async run(given, context) {
    requireArguments(given, []);
    const { output } = context;
    const { monitors } = await withMonitors(given, context, (service) => service.list());
    if (given.isSet('json')) {
      output.printJson({ monitors: monitors.map(toJson) });
      return exitCodes.done;
    }
    const rows = monitors.map(({ id, geo, callbackUri }) => [id, String(geo.lat), String(geo.lng), callbackUri ?? '–']);
    for (const line of tableLines(['Monitor', 'Latitude', 'Longitude', 'Callback'], rows)) output.print(line);
    if (monitors.length === 0)
      output.info('The application has no monitors. Make one: rainbell monitors create LAT LNG.');
    return exitCodes.done;
  },
};

export const createMonitor: Command = {
  name: 'monitors create',
  usage: `LAT LNG [--callback URI | --port N] ${serviceUsage}`,
  summary: 'Registers a precipitation monitor and prints it.',
  details: [
    serviceDetails,
    '  Without --callback it calls this machine’s receiver, where rainbell listen, wait and the app receive.',
    `  With --json: one object with ${monitorFields}.`,
  ],
  options: {
    callback: { value: 'URI', words: 'the http:// or https:// address that is called when it rains' },
    port: {
      value: 'N',
      words: 'the receiver’s port on this machine; when not given, the running app’s, else the settings’ one (4545)',
    },
    ...options,
  },
  async run(given, context) {
    const { output } = context;
    const geo = readPlace(given);
    const uri = readCallback(given);
    const callback = uri === undefined ? ({ kind: 'this-app' } as const) : ({ kind: 'address', uri } as const);
    const monitor = await withMonitors(given, context, (service) => service.create({ geo, callback }));
    if (given.isSet('json')) output.printJson(toJson(monitor));
    else
      output.print(`${monitor.id} watches ${geo.lat}, ${geo.lng} and calls ${monitor.callbackUri ?? 'its callback'}`);
    return exitCodes.done;
  },
};

export const deleteMonitor: Command = {
  name: 'monitors delete',
  usage: `ID ${serviceUsage}`,
  summary: 'Deletes a monitor; exit code 3 where the application has no such monitor.',
  details: [serviceDetails, '  With --json: one object {deleted} with the id.'],
  options,
  async run(given, context) {
    const [id = ''] = requireArguments(given, ['the monitor’s ID']);
    if (id.trim() === '') throw new UsageError('The monitor’s ID is empty; rainbell monitors list shows the ids.');
    await withMonitors(given, context, (service) => service.delete(id));
    if (given.isSet('json')) context.output.printJson({ deleted: id });
    else context.output.print(`${id} is deleted`);
    return exitCodes.done;
  },
};

async function withMonitors<Result>(
  given: ParsedArguments,
  context: CommandContext,
  ask: (monitors: Monitors) => Promise<Result>,
): Promise<Result> {
  const { clock } = context;
  const own = ownAddresses(given, context);
  const opened = await openConnection(given, context);
  try {
    const activeConnection = createActiveConnection({ clock, onState: () => {} });
    activeConnection.use(opened.connection);
    // What the app keeps of monitors is the app's; a command writes none of it.
    const notes = { of: () => new Map(), set: () => {}, carryOver: () => {} };
    const history = { record: () => {}, of: () => [] };
    const callbacks = { newestOf: () => null };
    return await ask(
      createMonitors({ ...own, activeConnection, callbacks, notes, history, clock, onChanged: () => {} }),
    );
  } finally {
    await opened.close();
  }
}

/** That of the app that runs with the folder, else the one that the settings promise. */
function ownAddresses(given: ParsedArguments, { clock }: CommandContext): OwnAddresses {
  const dataFolder = readDataFolder(given);
  const wanted = readPort(given);
  const running = wanted === undefined ? findRunningReceiver({ dataFolder, clock }) : undefined;
  const baseUrl = running ?? `http://127.0.0.1:${wanted ?? readSettings(dataFolder).receiverPort}`;
  return {
    receiver: { state: () => ({ state: 'listening', baseUrl, notice: null }) },
    publicBase: () => readSettings(dataFolder).publicBase,
  };
}

function readCallback(given: ParsedArguments): string | undefined {
  const uri = given.text('callback');
  if (uri !== undefined && given.text('port') !== undefined) {
    throw new UsageError('--callback and --port exclude each other: the port is a part of the callback’s address.');
  }
  const baseUrl = URL.parse(given.text('base-url') ?? 'http://127.0.0.1');
  if (uri === undefined && !isLoopback(baseUrl?.hostname ?? '')) {
    throw new UsageError(
      'A service elsewhere cannot call this machine: name an address that it reaches with --callback.',
    );
  }
  return uri;
}

function toJson({ id, monitorType, callbackUri, geo, uri }: AppMonitor) {
  return { id, monitorType, callbackUri, lat: geo.lat, lng: geo.lng, uri };
}
