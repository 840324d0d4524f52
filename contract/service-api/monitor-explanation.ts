// What a monitor is doing now, or why it is silent: one cause with its times, from `GET /v2/monitors/<id>/explanation/`. A Rainbell extension of the
// interface, like the delivery log (delivery.ts). Times are timestamps of docs/interface.md §2.3, by the service's clock.
import { z } from 'zod';
import { attributions, parseTimestamp } from '@rainbell/shared';
import { verificationSchema } from './delivery.ts';
import { eventEndSchema, formatEventEnd } from './events.ts';
import { formatFailure } from './failure-text.ts';

const timestamp = z.string();

/** What the weather says now. */
const weatherSchema = z.object({
  source: z.string(),
  mm_per_hour: z.number().nullable().describe('the maximum within 15 minutes; null: the source provides no amount'),
  distance_km: z.number().describe("from the monitor to the weather's grid point"),
  status: z.string().optional().describe("the source's own word, only if that is one of precipitation"),
});
type CheckedWeather = z.infer<typeof weatherSchema>;

/** What sentences say, with times as text. */
type Facts = {
  since: string;
  until: string;
  reason: string | null;
  /** The reason, if it is the error of an attempt. */
  failure: string;
  /** What the weather says now, and that older data say so. */
  dry: string;
  older: string;
  attempts: number;
  isAtSea: boolean;
  /** Since `since`. */
  duration: string;
  /** What happens at `until`, or nothing if that is unknown. */
  retry: string;
};

/** By cause, of which the first that applies is given. */
const sentences = {
  callback_gone: ({ since }) => `Delivery off since ${since}, after a 410`,
  delivery_off: ({ since, reason }) => addReason(`Delivery off since ${since}`, reason),
  paused: ({ since }) => `Paused since ${since}`,
  sending: ({ since }) => `Sending the event from ${since}`,
  retrying: ({ since, reason, failure, attempts, retry }) =>
    reason === 'host-silent'
      ? `The event from ${since} is waiting, because its host didn’t respond to other attempts${retry}`
      : `Retrying the event from ${since}: attempt ${attempts} failed (${failure})${retry}`,
  expecting: ({ until, reason }) => addReason(`Precipitation expected around ${until}`, reason),
  wet: ({ since, until, reason }) => `${addReason(`Wet since ${since}`, reason)}; ends or starts anew by ${until}`,
  drying: ({ since, until, reason }) => `${addReason(`Drying since ${since}`, reason)}; ends at ${until} if still dry`,
  cool_down: ({ since, until }) => `In cool-down until ${until}, after the event at ${since}`,
  checks_late: ({ duration }) => `Not checked for ${duration}`,
  event_due: ({ since, until }) => `Precipitation at ${since}; event expected at the next check, by ${until}`,
  dry_scenario: ({ since, until }) => `Checked ${since}: dry until ${until} because of a sandbox scenario`,
  provider_paused: ({ since, reason, retry, older }) =>
    `${addReason(`Provider paused since ${since}`, reason)}${retry}${older}`,
  no_weather: ({ since, reason }) => addReason(`Checked ${since}: no weather data`, reason),
  below_conditions: ({ since }) => `Checked ${since}: precipitation near, but none now by this monitor’s conditions`,
  dry: ({ since, dry, isAtSea }) =>
    `Checked ${since}: ${dry}${isAtSea ? '; the location is at sea, in no country' : ''}`,
} satisfies Record<string, (facts: Facts) => string>;

type Cause = keyof typeof sentences;

export const monitorExplanationSchema = z.object({
  monitor_id: z.string(),
  cause: z.enum(Object.keys(sentences) as Cause[]),
  since: timestamp.describe('when the cause started to apply'),
  until: timestamp.nullable().describe('when it ends or the service tries again; null: unknown'),
  reason: z.string().nullable().describe('what went wrong, in a few words'),
  checked_at: timestamp.nullable().describe('when the weather was checked; null: it is not the cause'),
  next_check_at: timestamp.nullable(),
  /** Null if it was not checked, or unavailable. */
  weather: weatherSchema.nullable(),
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
  const { cause, since, until, reason, weather, is_at_sea: isAtSea, last_event: last } = explanation;
  const time = (text: string | null) => formatTime((text === null ? undefined : parseTimestamp(text)) ?? 0);
  const dry = weather ? `dry (${formatWeather(weather)})` : 'dry';
  const now = sentences[cause]({
    since: time(since),
    until: time(until),
    reason,
    failure: formatFailure({ http_status: null, error: reason }),
    dry,
    older: weather ? `; checked ${time(explanation.checked_at)} against older data: ${dry}` : '',
    attempts: last?.attempts ?? 0,
    isAtSea,
    duration: formatMinutes(since, explanation.now),
    retry: until === null ? '' : `; trying again at ${time(until)}`,
  });
  return last === null || cause === 'sending' || cause === 'retrying'
    ? now
    : `${now}. ${formatEventEnd(last, formatTime)}`;
}

function addReason(statement: string, reason: string | null): string {
  return reason === null ? statement : `${statement}: ${reason.replace(/\.$/, '')}`;
}

/** `Open-Meteo, 0.1 mm/h, 2.3 km`. */
function formatWeather({ source, mm_per_hour: rate, distance_km: distance, status }: CheckedWeather): string {
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
