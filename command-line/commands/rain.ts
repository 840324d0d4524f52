// `rainbell rain` and `rainbell test-event`: make our own service call a monitor's callback, and wait for the result of the call.
import { parseTimestamp } from '@rainbell/shared';
import { pause } from '@rainbell/shared/node';
import {
  distanceKm,
  formatFailure,
  type LatLng,
  precipitationTypes,
  rainAt,
  readRainSeries,
} from '@rainbell/contract/service-api';
import type { AppClient } from '@rainbell/contract/app-rpc';
import { AppFailure } from '@rainbell/core';
import { readLocation, UsageError, type ParsedArguments } from '../terminal/arguments.ts';
import { commonOptions, type Command, type CommandContext } from '../terminal/command.ts';
import { serviceDetails, serviceOptions, serviceUsage } from '../session/credentials.ts';
import { withService } from '../session/service-session.ts';
import { exitCodes, type ExitCode } from '../terminal/exit-codes.ts';
import { readTextFile } from './monitor-files.ts';
import { readMonitors } from './monitors.ts';
import { readDuration } from '../terminal/read-time.ts';

const defaultMinutes = 20;
const kinds = precipitationTypes.filter((kind) => kind !== 'unknown');
const defaultTimeout = '30';
/** The delivery log is read so often while an event is awaited. */
const lookMs = 250;

export const rain: Command = {
  name: 'rain',
  usage: `(--monitor ID | --location LAT,LNG) [--mm N] [--kind KIND] [--minutes N | --series FILE] [--skip-cool-down] ${serviceUsage}`,
  summary: 'Make it rain in the sandbox at a monitor or a location, and wait for the monitors’ callbacks',
  details: [
    serviceDetails,
    'Only Rainbell’s own service can make it rain. A monitor in cool-down (one event an hour) doesn’t fire.\n' +
      'If the monitor named with --monitor is in cool-down, this command exits with 1 and prints when the cool-down ends.\n' +
      '--skip-cool-down moves the sandbox’s clock past the cool-down.',
    'Each line of a series applies from its minute until that of the next line, the last for 12 hours.',
    'With --json: one object {endsAt, events}; an event has monitorId, eventId, attempt, httpStatus, error, latencyMs.',
  ],
  options: {
    monitor: { value: 'ID', words: 'rain at this monitor’s location, and wait for its event' },
    location: { value: 'LAT,LNG', words: 'rain within 30 km of this location, and wait for all monitors there' },
    mm: { value: 'N', words: 'how much falls, in mm/h (default: an unknown amount)' },
    kind: { value: 'KIND', words: `what falls: ${kinds.join(', ')} (default: rain)` },
    minutes: { value: 'N', words: `how many minutes it rains, by the sandbox’s clock (default: ${defaultMinutes})` },
    series: { value: 'FILE', words: 'a series instead: CSV with minute,mm_per_hour[,kind,temperature_c,wind_ms]' },
    'skip-cool-down': { words: 'move the sandbox’s clock to the end of the cool-down first' },
    timeout: { value: 'TIME', words: `how long to wait for the callbacks: 90s, 5m (default: ${defaultTimeout}s)` },
    json: commonOptions.json,
    ...serviceOptions,
  },
  examples: [
    'rain --monitor precipitation_12 --skip-cool-down',
    'rain --location 45.07,7.69 --mm 3 --kind snow --minutes 20',
  ],
  async run(given, context) {
    const wanted = readWhere(given);
    const minutes = given.whole('minutes', 1, 4320) ?? defaultMinutes;
    const weather = readWeather(given);
    const csv = readSeries(given);
    const timeoutMs = readDuration('timeout', given.text('timeout') ?? defaultTimeout);
    return withService(given, context, async ({ client }) => {
      const monitors = await readMonitors(client, context.output);
      const chosen = monitors.find(({ id }) => id === wanted.monitorId);
      if (wanted.monitorId !== undefined && !chosen) {
        throw new AppFailure('NOT_FOUND', `The application has no monitor ${wanted.monitorId}.`);
      }
      const center = chosen?.geo ?? wanted.center;
      if (!center) throw new UsageError('missing --monitor ID or --location LAT,LNG', { isAboutUsage: true });
      const near = chosen ? [chosen] : monitors.filter(({ geo }) => distanceKm(geo, center) <= rainRadiusKm);
      const ids = near.map(({ id }) => id);
      const coolDown = await endOfCoolDown(client, ids);
      if (coolDown !== undefined && given.isSet('skip-cool-down')) {
        await client.sandbox.moveClock({ kind: 'set', instant: coolDown });
      } else if (chosen && coolDown !== undefined) {
        context.output.info(
          `${chosen.id} is in cool-down until ${coolDown} by the sandbox’s clock, so rain won’t cause a callback now. Add --skip-cool-down to move the clock.`,
        );
        return exitCodes.no;
      }
      const before = await callsOf(client, ids);
      const { scenarios } = await (
        csv === undefined
          ? client.sandbox.addScenario(rainAt(center, { minutes, ...weather }))
          : client.sandbox.addSeries({ center, csv })
      ).catch(explainForeign);
      const endsAt = scenarios.at(-1)?.endsAt ?? null;
      const events = await awaitEvents(client, ids, before, timeoutMs, context);
      return printEvents(given, context, { endsAt, ids, events });
    });
  },
};

export const testEvent: Command = {
  name: 'test-event',
  usage: `ID ${serviceUsage}`,
  summary: 'Send a test event to a monitor’s callback URL, and wait for the result',
  details: [
    serviceDetails,
    'A test event is signed like a real one, is marked as a test, and doesn’t start a cool-down.\n' +
      'Rainbell’s own service supports test events; other services may not.',
    'With --json: one object {events}; an event has monitorId, eventId, attempt, httpStatus, error, latencyMs.',
  ],
  options: {
    timeout: { value: 'TIME', words: `how long to wait for the callback: 90s, 5m (default: ${defaultTimeout}s)` },
    json: commonOptions.json,
    ...serviceOptions,
  },
  examples: ['test-event precipitation_12'],
  async run(given, context) {
    const [id = ''] = given.words;
    const timeoutMs = readDuration('timeout', given.text('timeout') ?? defaultTimeout);
    return withService(given, context, async ({ client }) => {
      const before = await callsOf(client, [id]);
      await client.monitors.sendTest({ id });
      const events = await awaitEvents(client, [id], before, timeoutMs, context);
      return printEvents(given, context, { ids: [id], events });
    });
  },
};

const rainRadiusKm = 30;

function readWhere(given: ParsedArguments): { monitorId?: string; center?: LatLng } {
  const monitorId = given.text('monitor');
  if ((monitorId === undefined) === (given.text('location') === undefined)) {
    throw new UsageError('specify either --monitor ID or --location LAT,LNG', { isAboutUsage: true });
  }
  if (monitorId !== undefined) return { monitorId };
  return { center: readLocation(given) };
}

function readWeather(given: ParsedArguments) {
  const mm = given.text('mm');
  const kind = given.choice('kind', kinds) ?? 'rain';
  const mmPerHour = mm === undefined ? undefined : Number(mm);
  if (mmPerHour !== undefined && !(mmPerHour >= 0.1 && mmPerHour <= 300)) {
    throw new UsageError(`--mm must be a number from 0.1 to 300, not “${mm}”.`);
  }
  return { kind, ...(mmPerHour === undefined ? {} : { mmPerHour }) };
}

function readSeries(given: ParsedArguments): string | undefined {
  const file = given.text('series');
  if (file === undefined) return undefined;
  const other = ['mm', 'kind', 'minutes'].find((name) => given.text(name) !== undefined);
  if (other !== undefined) throw new UsageError(`--series has its own amounts and times, so --${other} has no effect.`);
  const csv = readTextFile(file);
  const read = readRainSeries(csv);
  if (typeof read === 'string') throw new UsageError(`${file}: ${read}`);
  return csv;
}

/** The latest end of the monitors' cool-downs, if one of them is in cool-down by the service's clock. */
async function endOfCoolDown(client: AppClient, ids: readonly string[]): Promise<string | undefined> {
  const states = await client.monitors.deliveryStates();
  if (!states.isAvailable) throw noSandbox();
  const { clock } = await client.sandbox.state().catch(explainForeign);
  const now = parseTimestamp(clock.now) ?? 0;
  const ends = states.states.flatMap(({ monitor_id: id, next_event_allowed_at: at }) =>
    ids.includes(id) && at !== null && (parseTimestamp(at) ?? 0) > now ? [at] : [],
  );
  return ends.toSorted().at(-1);
}

function explainForeign(error: unknown): never {
  if (error instanceof AppFailure && error.details.httpStatus === 404) throw noSandbox(error);
  throw error;
}

function noSandbox(cause?: unknown): AppFailure {
  return new AppFailure(
    'REFUSED',
    'This service has no sandbox, so it can’t make it rain on demand. Use Rainbell’s own service on this computer.',
    {},
    { cause },
  );
}

type EventCall = {
  monitorId: string;
  eventId: string;
  attempt: number;
  httpStatus: number | null;
  error: string | null;
  latencyMs: number;
};

/** The first attempt for each of the monitors' newest events, newest first. */
async function callsOf({ monitors }: AppClient, ids: readonly string[]): Promise<EventCall[]> {
  const pages = await Promise.all(ids.map((monitor) => monitors.events({ monitor })));
  return pages
    .flatMap(({ objects }) => objects)
    .flatMap(({ id: eventId, monitor_id: monitorId, attempts: [first] }) => {
      if (!first) return [];
      const { attempt, http_status: httpStatus, error, latency_ms: latencyMs } = first;
      return [{ monitorId, eventId, attempt, httpStatus, error, latencyMs }];
    });
}

/** The first attempt of each monitor's next event; those that have none by the time limit are left out. */
async function awaitEvents(
  client: AppClient,
  ids: readonly string[],
  before: readonly EventCall[],
  timeoutMs: number,
  { clock, signal }: CommandContext,
): Promise<EventCall[]> {
  const known = new Set(before.map(({ eventId }) => eventId));
  const found = new Map<string, EventCall>();
  const until = clock.elapsed() + timeoutMs;
  while (found.size < ids.length && !signal.aborted) {
    const open = ids.filter((id) => !found.has(id));
    // Each look waits for the one before.
    const calls = (await callsOf(client, open)).filter(({ eventId }) => !known.has(eventId));
    // The oldest of each comes last, and stays.
    for (const call of calls) found.set(call.monitorId, call);
    if (found.size === ids.length || clock.elapsed() >= until) break;
    await pause(clock, lookMs, signal);
  }
  return [...found.values()];
}

function printEvents(
  given: ParsedArguments,
  { output, signal }: CommandContext,
  result: { endsAt?: string | null; ids: readonly string[]; events: readonly EventCall[] },
): ExitCode {
  const { ids, events, endsAt } = result;
  if (given.isSet('json')) {
    output.printJson({ ...(endsAt === undefined ? {} : { endsAt }), events });
  } else {
    if (endsAt) output.info(`Rain until ${endsAt} by the sandbox’s clock.`);
    for (const event of events) output.print(describeCall(event));
  }
  const silent = ids.filter((id) => !events.some(({ monitorId }) => monitorId === id));
  if (ids.length === 0) output.info('The application has no monitor there, so no callback was sent.');
  else if (silent.length > 0 && !signal.aborted) {
    const names = [...silent.slice(0, 5), ...(silent.length > 5 ? ['…'] : [])].join(', ');
    output.info(
      `No callback was sent in time for these monitors: ${names}. To see why, run rainbell why ${silent[0]}.`,
    );
  }
  if (signal.aborted) return exitCodes.interrupted;
  const isDelivered = events.every(({ httpStatus }) => httpStatus !== null && httpStatus >= 200 && httpStatus <= 299);
  return silent.length === 0 && isDelivered ? exitCodes.done : exitCodes.no;
}

function describeCall({ monitorId, eventId, httpStatus, error, latencyMs }: EventCall): string {
  const ms = Math.round(latencyMs);
  const result =
    httpStatus === null
      ? `not delivered after ${ms} ms: ${formatFailure({ http_status: null, error })}`
      : `responded with ${httpStatus} after ${ms} ms`;
  return `${monitorId}  ${eventId}  ${result}`;
}
