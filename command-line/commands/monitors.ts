// `rainbell monitors list | create | update | delete` (docs/interface.md §4.5): the monitors of the connected application.
import { createServer } from 'node:net';
import { isLoopback } from '@rainbell/shared';
import type { AppClient, AppMonitor, CallbackTarget } from '@rainbell/contract/app-rpc';
import { AppFailure, findRunningApp } from '@rainbell/core';
import {
  readDataFolder,
  readLocation,
  readPlace,
  readPort,
  UsageError,
  type ParsedArguments,
} from '../terminal/arguments.ts';
import { commonOptions, type Command, type CommandContext } from '../terminal/command.ts';
import { readSettings } from '../session/command-host.ts';
import { serviceDetails, serviceOptions, serviceUsage } from '../session/credentials.ts';
import { exitCodes, type ExitCode } from '../terminal/exit-codes.ts';
import { type Output, tableLines } from '../terminal/output.ts';
import { withService } from '../session/service-session.ts';

const options = { json: commonOptions.json, ...serviceOptions };
const callbackOption = { value: 'URL', words: 'http:// or https:// URL that receives the callbacks' };
const thisAppOption = {
  words: 'send callbacks to this computer’s receiver (rainbell listen, rainbell wait, or the app)',
};
const locationOption = { value: 'LAT,LNG', words: 'latitude and longitude in degrees, such as 45.07,7.69' };
const createOptions = {
  port: {
    value: 'N',
    words: 'receiver’s port on this computer (default: the running app’s, or 4545 unless changed in the app)',
  },
  ...options,
};
const monitorFields = 'id, monitorType, callbackUri (null if the service omitted it), lat, lng, uri';

export const listMonitors: Command = {
  name: 'monitors list',
  usage: serviceUsage,
  summary: 'Print the application’s monitors',
  details: [serviceDetails, `With --json: one object {monitors}, each with ${monitorFields}.`],
  options,
  examples: ['monitors list', 'monitors list --connection Production --json'],
  async run(given, context) {
    const { output } = context;
    const monitors = await withService(given, context, ({ client }) => readMonitors(client, output));
    if (given.isSet('json')) {
      output.printJson({ monitors: monitors.map(toJson) });
      return exitCodes.done;
    }
    const rows = monitors.map(({ id, geo, callbackUri }) => [id, String(geo.lat), String(geo.lng), callbackUri ?? '–']);
    for (const line of tableLines(['Monitor', 'Latitude', 'Longitude', 'Callback URL'], rows)) output.print(line);
    if (monitors.length === 0)
      output.info('The application has no monitors. Create one: rainbell monitors create LAT LNG.');
    return exitCodes.done;
  },
};

export const createMonitor: Command = {
  name: 'monitors create',
  usage: `LAT LNG [--callback URL | --port N] ${serviceUsage}`,
  summary: 'Create a precipitation monitor and print it',
  details: [
    serviceDetails,
    'Without --callback, callbacks go to this computer’s receiver (rainbell listen, rainbell wait, or the app).',
    `With --json: one object with ${monitorFields}.`,
  ],
  options: { callback: callbackOption, ...createOptions },
  examples: ['monitors create 45.07 7.69', 'monitors create 45.07 7.69 --callback https://example.com/hooks'],
  async run(given, context) {
    const geo = readPlace(given);
    const uri = readCallback(given);
    if (uri === undefined) await requireReachablePort(given);
    const callback = uri === undefined ? ({ kind: 'this-app' } as const) : ({ kind: 'address', uri } as const);
    const monitor = await withService(given, context, ({ client }) => client.monitors.create({ geo, callback }));
    return printMonitor(given, context, monitor);
  },
};

export const updateMonitor: Command = {
  name: 'monitors update',
  usage: `ID [--location LAT,LNG] [--callback URL | --this-app [--port N]] [--pause | --resume] ${serviceUsage}`,
  summary: 'Change a monitor’s location or callback URL, or pause or resume it',
  details: [serviceDetails, `With --json: one object with ${monitorFields}; {id, isOn} after --pause or --resume.`],
  options: {
    location: locationOption,
    callback: callbackOption,
    'this-app': thisAppOption,
    pause: { words: 'keep its ID and cool-down, but send no events' },
    resume: { words: 'end a pause, or turn on delivery that the service turned off' },
    ...createOptions,
  },
  examples: ['monitors update precipitation_12 --location 45.07,7.69', 'monitors update precipitation_12 --pause'],
  async run(given, context) {
    const id = readMonitorId(given);
    const callback = readNewCallback(given);
    const geo = given.text('location') === undefined ? undefined : readLocation(given);
    if (given.isSet('pause') || given.isSet('resume')) return switchMonitor(given, context, id, geo ?? callback);
    const missing = 'missing --location LAT,LNG, --callback URL, --this-app, --pause, or --resume';
    if (!callback && !geo) throw new UsageError(missing, { isAboutUsage: true });
    if (callback?.kind === 'this-app') await requireReachablePort(given);
    const changes = { ...(geo && { geo }), ...(callback && { callback }) };
    const monitor = await withService(given, context, ({ client }) => client.monitors.update({ id, changes }));
    return printMonitor(given, context, monitor);
  },
};

async function switchMonitor(given: ParsedArguments, context: CommandContext, id: string, other: unknown) {
  const isOn = given.isSet('resume');
  if ((isOn && given.isSet('pause')) || other !== undefined)
    throw new UsageError('--pause and --resume can’t be used with other changes.');
  await withService(given, context, ({ client }) => client.monitors.setOn({ id, isOn }));
  if (given.isSet('json')) context.output.printJson({ id, isOn });
  else context.output.print(isOn ? `${id} was resumed` : `${id} was paused`);
  return exitCodes.done;
}

export const deleteMonitor: Command = {
  name: 'monitors delete',
  usage: `ID ${serviceUsage}`,
  summary: 'Delete a monitor (exit code 3 if the application has no such monitor)',
  details: [serviceDetails, 'With --json: one object {deleted} with the ID.'],
  options,
  examples: ['monitors delete precipitation_12'],
  async run(given, context) {
    const id = readMonitorId(given);
    await withService(given, context, ({ client }) => client.monitors.delete({ id }));
    if (given.isSet('json')) context.output.printJson({ deleted: id });
    else context.output.print(`${id} was deleted`);
    return exitCodes.done;
  },
};

/** Reads all monitors, and prints what of the list can't be shown. */
export async function readMonitors(client: AppClient, output: Output): Promise<AppMonitor[]> {
  const { monitors, problems } = await client.monitors.list();
  for (const problem of problems) output.info(problem);
  return monitors;
}

function printMonitor(given: ParsedArguments, { output }: CommandContext, monitor: AppMonitor): ExitCode {
  const { id, geo, callbackUri } = monitor;
  if (given.isSet('json')) output.printJson(toJson(monitor));
  else if (callbackUri === null) output.print(`${id} watches ${geo.lat}, ${geo.lng}`);
  else output.print(`${id} watches ${geo.lat}, ${geo.lng}; callbacks go to ${callbackUri}`);
  return exitCodes.done;
}

function readMonitorId(given: ParsedArguments): string {
  const [id = ''] = given.words;
  if (id.trim() !== '') return id;
  throw new UsageError('The monitor’s ID is empty; rainbell monitors list shows the IDs.');
}

function readNewCallback(given: ParsedArguments): CallbackTarget | undefined {
  const isThisApp = given.isSet('this-app');
  if (given.text('callback') !== undefined && isThisApp) {
    throw new UsageError('--callback and --this-app can’t be used together.');
  }
  const uri = isThisApp || given.text('callback') !== undefined ? readCallback(given) : undefined;
  if (isThisApp) return { kind: 'this-app' };
  return uri === undefined ? undefined : { kind: 'address', uri };
}

/** Throws if another program has the port of the settings, where `listen` and `wait` would receive a new monitor's callbacks. */
export async function requireReachablePort(given: ParsedArguments): Promise<void> {
  const dataFolder = readDataFolder(given);
  if (readPort(given) !== undefined) return;
  const running = await findRunningApp(dataFolder, 'command');
  const receiver = (await running?.client.app.status())?.receiver.baseUrl;
  running?.close();
  if (receiver) return;
  const { receiverPort, publicBase } = readSettings(dataFolder);
  if (publicBase !== null || (await isPortFree(receiverPort))) return;
  throw new AppFailure(
    'PORT_TAKEN',
    `Port ${receiverPort} is in use by another program, so callbacks would not reach Rainbell. Start rainbell listen first (it finds a free port), or choose a port with --port, here and for listen and wait.`,
  );
}

function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host: '127.0.0.1', port }, () => server.close(() => resolve(true)));
  });
}

function readCallback(given: ParsedArguments): string | undefined {
  const uri = given.text('callback');
  if (uri !== undefined && given.text('port') !== undefined) {
    throw new UsageError('--callback and --port can’t be used together: the port is part of the callback URL.');
  }
  const baseUrl = URL.parse(given.text('base-url') ?? 'http://127.0.0.1');
  if (uri === undefined && !isLoopback(baseUrl?.hostname ?? '')) {
    throw new UsageError('A remote service can’t reach this computer: use --callback with a URL that it can reach.');
  }
  return uri;
}

function toJson({ id, monitorType, callbackUri, geo, uri }: AppMonitor) {
  return { id, monitorType, callbackUri, lat: geo.lat, lng: geo.lng, uri };
}
