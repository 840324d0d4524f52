// `rainbell events`: the service's record of events (contract/service-api/events.ts), newest first.
import type { AppClient, EventQuery } from '@rainbell/contract/app-rpc';
import {
  type EventRecord,
  eventStates,
  formatEventEnd,
  formatEventsCsv,
  formatUtcTime,
  summarizeEvent,
  undeliveredStates,
  pausedReason,
} from '@rainbell/contract/service-api';
import { AppFailure } from '@rainbell/core';
import { plural, systemClock } from '@rainbell/shared';
import { type ParsedArguments, UsageError } from '../terminal/arguments.ts';
import { commonOptions, type Command, type CommandContext } from '../terminal/command.ts';
import { serviceDetails, serviceOptions, serviceUsage } from '../session/credentials.ts';
import { withService } from '../session/service-session.ts';
import { confirm } from '../terminal/confirm.ts';
import { type ExitCode, exitCodes } from '../terminal/exit-codes.ts';
import { readSince } from '../terminal/read-time.ts';

const pageSize = 200;
/** Spares the receivers. */
const resendPauseMs = 200;

export const events: Command = {
  name: 'events',
  usage: `[--since TIME] [--until TIME] [--state STATE[,STATE…]] [--monitor ID] [--host HOST] [--csv | --json] [--resend [--yes]] ${serviceUsage}`,
  summary: 'Print the events of the last 30 days: why each fired and how it ended',
  details: [
    serviceDetails,
    'TIME: a time in UTC, a duration ago such as 2d, or a day such as sat. Only Rainbell’s own service has a record of events.',
    'With --json: one line per event, as in the service’s GET /v2/events/.',
    'With --resend: those of the printed events that were not delivered go out again, oldest first, with the same webhook-id and at\n' +
      'most five a second. Delivery that is off is turned on first. Exit code 1 if one could not be resent.',
  ],
  options: {
    since: { value: 'TIME', words: 'only events of this time or later (default: all, 30 days)' },
    until: { value: 'TIME', words: 'only events before this time' },
    state: { value: 'STATE', words: `only these: ${eventStates.join(', ')}` },
    monitor: { value: 'ID', words: 'only events of this monitor, also of a deleted one' },
    host: { value: 'HOST', words: 'only events for this host of the callback URL' },
    csv: { words: 'print CSV, one line per event' },
    json: commonOptions.json,
    resend: { words: 'then resend those that were not delivered, after asking' },
    yes: { words: 'resend without asking' },
    ...serviceOptions,
  },
  examples: ['events --since sat --state failed', 'events --since 2d --host hooks.example.com --resend'],
  async run(given, context) {
    if (given.isSet('csv') && given.isSet('json')) throw new UsageError('--csv and --json exclude each other.');
    const [since, until, state] = [given.text('since'), given.text('until'), given.text('state')];
    const unknown = state?.split(',').find((one) => !eventStates.some((known) => known === one));
    if (unknown !== undefined) throw new UsageError(`--state must be ${eventStates.join(', ')}, not “${unknown}”.`);
    const { output } = context;
    return withService(given, context, async ({ client }) => {
      // A sandbox's clock can be moved.
      const states = await client.monitors.deliveryStates();
      const now = systemClock.now() + (states.isAvailable ? states.aheadMs : 0);
      const timeOf = (flag: string, text: string) => new Date(readSince(flag, text, now)).toISOString();
      const [monitor, host] = [given.text('monitor'), given.text('host')];
      const query: EventQuery = {
        ...(since === undefined ? {} : { from: timeOf('since', since) }),
        ...(until === undefined ? {} : { to: timeOf('until', until) }),
        ...(state === undefined ? {} : { state }),
        ...(monitor === undefined ? {} : { monitor }),
        ...(host === undefined ? {} : { host }),
        limit: pageSize,
      };
      let count = 0;
      const undelivered: Undelivered[] = [];
      for (let before: string | null = ''; before !== null && !context.signal.aborted;) {
        const { objects, meta } = await client.monitors.events({ ...query, ...(before === '' ? {} : { before }) });
        if (given.isSet('json')) for (const event of objects) output.printJson(event);
        else if (given.isSet('csv')) {
          const csv = formatEventsCsv(objects);
          output.show(before === '' ? csv : csv.slice(csv.indexOf('\n') + 1));
        } else for (const event of objects) output.print(lineOf(event, now));
        count += objects.length;
        if (given.isSet('resend'))
          for (const { id, monitor_id, host: of, type, state: is } of objects)
            if (type !== 'test' && undeliveredStates.includes(is)) undelivered.push({ id, monitor_id, host: of });
        before = meta.next;
      }
      if (count === 0) output.info('No such events.');
      if (context.signal.aborted) return exitCodes.interrupted;
      return given.isSet('resend') ? resend(undelivered, given, context, client) : exitCodes.done;
    });
  },
};

type Undelivered = Pick<EventRecord, 'id' | 'monitor_id' | 'host'>;

/** `events`: newest first. */
async function resend(
  events: readonly Undelivered[],
  given: ParsedArguments,
  context: CommandContext,
  { monitors }: AppClient,
): Promise<ExitCode> {
  const { output, clock, signal } = context;
  const delivery = await monitors.deliveryStates();
  // A paused monitor stays paused.
  const isOn = new Map(
    (delivery.isAvailable ? delivery.states : []).map((one) => [
      one.monitor_id,
      one.is_on || one.off_reason === pausedReason,
    ]),
  );
  const open = events.filter(({ monitor_id }) => isOn.has(monitor_id)).toReversed();
  if (open.length === 0) {
    output.info('None of these events can be resent: all were delivered, or their monitors are deleted.');
    return exitCodes.done;
  }
  const off = new Set(open.flatMap(({ monitor_id: id }) => (isOn.get(id) === false ? [id] : [])));
  const what = [
    plural(open.length, ['# event', '# events']),
    plural(new Set(open.map(({ monitor_id }) => monitor_id)).size, ['of # monitor', 'of # monitors']),
    plural(new Set(open.map(({ host }) => host)).size, ['to # host', 'to # hosts']),
  ].join(' ');
  const first = plural(off.size, [' and resume # monitor', ' and resume # monitors']);
  await confirm(given, context, `Resend ${what}${off.size > 0 ? first : ''}?`);
  let failed = 0;
  for (const [index, { id, monitor_id }] of open.entries()) {
    if (signal.aborted) return exitCodes.interrupted;
    try {
      if (off.delete(monitor_id)) await monitors.setOn({ id: monitor_id, isOn: true });
      await monitors.resend({ id: monitor_id, eventId: id });
    } catch (error) {
      if (!(error instanceof AppFailure) || error.code === 'NETWORK') throw error;
      failed += 1;
      output.info(`error: Couldn’t resend ${id} of ${monitor_id}: ${error.message}`);
    }
    if ((index + 1) % 100 === 0) output.info(`${index + 1} of ${open.length} events done`);
    await new Promise<void>((resolve) => void clock.after(resendPauseMs, resolve));
  }
  output.info(`${open.length - failed} resent, ${failed} failed`);
  return failed > 0 ? exitCodes.no : exitCodes.done;
}

/** `precipitation_12: The event of Sat 12:56 UTC failed: 401 Unauthorized from hooks.example.com, 5 attempts (open-meteo, 0.4 mm/h, 3.1 km)`. */
function lineOf(event: EventRecord, now: number): string {
  const { trigger } = event;
  const why = trigger && [
    trigger.source,
    ...(trigger.precipitation_rate === null ? [] : [`${trigger.precipitation_rate.toFixed(1)} mm/h`]),
    ...(trigger.distance_km === null ? [] : [`${trigger.distance_km.toFixed(1)} km`]),
  ];
  const end = formatEventEnd(summarizeEvent(event), (instant) => formatUtcTime(instant, now));
  return `${event.monitor_id}: ${end}${why ? ` (${why.join(', ')})` : ''}`;
}
