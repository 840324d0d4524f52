// `rainbell events`: the service's record of events (contract/service-api/events.ts), newest first.
import type { EventQuery } from '@rainbell/contract/app-rpc';
import {
  type EventRecord,
  eventStates,
  formatEventEnd,
  formatEventsCsv,
  formatUtcTime,
  summarizeEvent,
} from '@rainbell/contract/service-api';
import { systemClock } from '@rainbell/shared';
import { UsageError } from '../terminal/arguments.ts';
import { commonOptions, type Command } from '../terminal/command.ts';
import { serviceDetails, serviceOptions, serviceUsage } from '../session/credentials.ts';
import { withService } from '../session/service-session.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { readSince } from '../terminal/read-time.ts';

const pageSize = 200;

export const events: Command = {
  name: 'events',
  usage: `[--since TIME] [--until TIME] [--state STATE[,STATE…]] [--monitor ID] [--host HOST] [--csv | --json] ${serviceUsage}`,
  summary: 'Print the events of the last 30 days: why each fired and how it ended',
  details: [
    serviceDetails,
    'TIME: a time in UTC, a duration ago such as 2d, or a day such as sat. Only Rainbell’s own service has a record of events.',
    'With --json: one line per event, as in the service’s GET /v2/events/.',
  ],
  options: {
    since: { value: 'TIME', words: 'only events of this time or later (default: all, 30 days)' },
    until: { value: 'TIME', words: 'only events before this time' },
    state: { value: 'STATE', words: `only these: ${eventStates.join(', ')}` },
    monitor: { value: 'ID', words: 'only events of this monitor, also of a deleted one' },
    host: { value: 'HOST', words: 'only events for this host of the callback URL' },
    csv: { words: 'print CSV, one line per event' },
    json: commonOptions.json,
    ...serviceOptions,
  },
  examples: ['events --since sat --state failed', 'events --since 2d --host hooks.example.com --csv'],
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
      for (let before: string | null = ''; before !== null && !context.signal.aborted;) {
        const { objects, meta } = await client.monitors.events({ ...query, ...(before === '' ? {} : { before }) });
        if (given.isSet('json')) for (const event of objects) output.printJson(event);
        else if (given.isSet('csv')) {
          const csv = formatEventsCsv(objects);
          output.show(before === '' ? csv : csv.slice(csv.indexOf('\n') + 1));
        } else for (const event of objects) output.print(lineOf(event, now));
        count += objects.length;
        before = meta.next;
      }
      if (count === 0) output.info('No such events.');
      return context.signal.aborted ? exitCodes.interrupted : exitCodes.done;
    });
  },
};

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
