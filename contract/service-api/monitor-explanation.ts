// What a monitor is doing now, or why it is silent: one cause with its times, from `GET /v2/monitors/<id>/explanation/`. A Rainbell extension of the
// interface, like the delivery log (delivery.ts). Times are timestamps of docs/interface.md §2.3, by the service's clock.
import { z } from 'zod';
import { attributions, parseTimestamp } from '@rainbell/shared';
import { verificationSchema } from './delivery.ts';
import { eventEndSchema, formatEventEnd } from './events.ts';
import { formatFailure } from './failure-text.ts';

/** The first that applies, in this order. */
export const explanationCauses = [
  'callback_gone',
  'delivery_off',
  'paused',
  'sending',
  'retrying',
  'expecting',
  'wet',
  'drying',
  'cool_down',
  'checks_late',
  'not_checked_yet',
  'checked_elsewhere',
  'event_due',
  'dry_scenario',
  'provider_paused',
  'no_weather',
  'below_conditions',
  'dry',
] as const;

const timestamp = z.string();

export const monitorExplanationSchema = z.object({
  monitor_id: z.string(),
  cause: z.enum(explanationCauses),
  since: timestamp.describe('when the cause started to apply'),
  until: timestamp.nullable().describe('when it ends or the service tries again; null: unknown'),
  reason: z.string().nullable().describe('what went wrong, in a few words'),
  checked_at: timestamp.nullable().describe('when the responding process last checked the weather; null: unknown'),
  next_check_at: timestamp.nullable(),
  /** Result of that check; null if there was none, or no weather. */
  weather: z
    .object({
      source: z.string(),
      mm_per_hour: z.number().nullable().describe('the maximum within 15 minutes; null: the source provides no amount'),
      distance_km: z.number().describe("from the monitor to the weather's grid point"),
      status: z.string().optional().describe("the source's own word, only if that is one of precipitation"),
    })
    .nullable(),
  /** The event that is being sent, otherwise the newest, however old. */
  last_event: eventEndSchema.nullable().default(null),
  is_at_sea: z
    .boolean()
    .default(false)
    .describe('the location is in no country, as if latitude and longitude were swapped'),
  /** Of the monitor's events in the last 30 days. */
  verification: verificationSchema.nullable().default(null),
  sentence: z.string().describe('all of this in one or two sentences, with times in UTC'),
  now: timestamp,
});
export type MonitorExplanation = z.infer<typeof monitorExplanationSchema>;

type FormatTime = (instant: number) => string;

/** Returns the explanation for users; `formatTime` formats a time (epoch milliseconds) with its zone. */
export function formatExplanation(explanation: Omit<MonitorExplanation, 'sentence'>, formatTime: FormatTime): string {
  const { cause, last_event: last } = explanation;
  const now = formatCause(explanation, formatTime);
  return last === null || cause === 'sending' || cause === 'retrying'
    ? now
    : `${now}. ${formatEventEnd(last, formatTime)}`;
}

function formatCause(explanation: Omit<MonitorExplanation, 'sentence'>, formatTime: FormatTime): string {
  const time = (text: string | null) => formatTime((text === null ? undefined : parseTimestamp(text)) ?? 0);
  const { cause, since, until, reason } = explanation;
  switch (cause) {
    case 'callback_gone':
    case 'delivery_off':
      return offText(cause, time(since), reason);
    case 'paused':
      return `Paused since ${time(since)}`;
    case 'sending':
      return `Sending the event from ${time(since)}`;
    case 'retrying':
      return joinStatements(attemptText(explanation, time(since)), retryOf(until, time));
    case 'expecting':
    case 'wet':
    case 'drying':
      return episodeText(cause, time(since), time(until));
    case 'cool_down':
      return `In cool-down until ${time(until)}, after the event at ${time(since)}`;
    case 'checks_late':
      return `Not checked for ${formatMinutes(since, explanation.now)}`;
    case 'not_checked_yet':
      return `Not checked yet; due since ${time(since)}`;
    case 'checked_elsewhere':
      return `Checked by another service process; next check no later than ${time(explanation.next_check_at)}`;
    case 'event_due':
      return `Precipitation at ${time(since)}; event expected at the next check, by ${time(until)}`;
    case 'dry_scenario':
      return `Checked ${time(since)}: dry until ${time(until)} because of a sandbox scenario`;
    case 'provider_paused':
      return joinStatements(
        addReason(`Provider paused since ${time(since)}`, reason),
        retryOf(until, time),
        lastSeen(explanation, time),
      );
    case 'no_weather':
    case 'below_conditions':
    case 'dry':
      return checkText(explanation, time(since));
  }
}

function attemptText({ reason, last_event: last }: Omit<MonitorExplanation, 'sentence'>, since: string): string {
  if (reason === 'host-silent')
    return `The event from ${since} is waiting, because its host didn’t respond to other attempts`;
  const why = formatFailure({ http_status: null, error: reason });
  return `Retrying the event from ${since}: attempt ${last?.attempts ?? 0} failed (${why})`;
}

/** What the last check found. */
function checkText({ cause, reason, weather, is_at_sea }: Omit<MonitorExplanation, 'sentence'>, since: string): string {
  if (cause === 'no_weather') return addReason(`Checked ${since}: no weather data`, reason);
  if (cause === 'below_conditions') return `Checked ${since}: precipitation near, but not by this monitor’s conditions`;
  const dry = weather === null ? `Checked ${since}: dry` : `Checked ${since}: dry (${formatWeather(weather)})`;
  return is_at_sea ? `${dry}; the location is at sea, in no country` : dry;
}

function episodeText(cause: 'expecting' | 'wet' | 'drying', since: string, until: string): string {
  if (cause === 'expecting') return `Precipitation expected around ${until}`;
  return cause === 'wet'
    ? `Wet since ${since}; over by ${until} at the latest`
    : `Drying since ${since}; ends at ${until} if it stays dry`;
}

function offText(cause: 'callback_gone' | 'delivery_off', since: string, reason: string | null): string {
  const text = `Delivery off since ${since}`;
  return cause === 'callback_gone' ? `${text}, after a 410` : addReason(text, reason);
}

function addReason(statement: string, reason: string | null): string {
  return reason === null ? statement : `${statement}: ${reason.replace(/\.$/, '')}`;
}

function joinStatements(...statements: readonly (string | undefined)[]): string {
  return statements.filter((statement) => statement !== undefined).join('; ');
}

type TimeOf = (text: string | null) => string;

function retryOf(until: string | null, time: TimeOf): string | undefined {
  return until === null ? undefined : `trying again at ${time(until)}`;
}

function lastSeen({ weather, checked_at: at }: Pick<MonitorExplanation, 'checked_at' | 'weather'>, time: TimeOf) {
  return weather === null ? undefined : `checked ${time(at)} against older data: dry (${formatWeather(weather)})`;
}

/** `Open-Meteo, 0.1 mm/h, 2.3 km`. */
function formatWeather(weather: NonNullable<MonitorExplanation['weather']>): string {
  const { source, mm_per_hour: rate, distance_km: distance, status } = weather;
  const name = attributions.find(({ match }) => match?.test(source))?.name ?? source;
  const amount = rate === null ? [] : [`${status ? `${status} with ` : ''}${rate.toFixed(1)} mm/h`];
  const rule = status && rate !== null ? ['which counts only above 0.1 mm/h'] : [];
  return [name, ...amount, ...rule, `${distance.toFixed(1)} km`].join(', ');
}

function formatMinutes(since: string, now: string): string {
  const minutes = Math.max(0, Math.floor(((parseTimestamp(now) ?? 0) - (parseTimestamp(since) ?? 0)) / 60_000));
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
}

/** Formats a time in UTC: `14:05 UTC`, with the date if it is not the day of `now`. */
export function formatUtcTime(instant: number, now: number): string {
  const [day = '', rest = ''] = new Date(instant).toISOString().split('T');
  const isToday = new Date(now).toISOString().startsWith(day);
  return `${isToday ? '' : `${day} `}${rest.slice(0, 5)} UTC`;
}
