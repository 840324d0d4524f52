// The record of events, at `GET /v2/events/`: a Rainbell extension (docs/delivery.md S11). Times are timestamps of docs/interface.md §2.3.
import { z } from 'zod';
import { csvCell, parseTimestamp, plural } from '@rainbell/shared';
import { attemptKinds, outcomeSchema } from './delivery.ts';
import { formatFailure } from './failure-text.ts';
import { eventBases, precipitationTypes, rainEventTypes } from './rain-event.ts';

/** An event is in exactly one of these at any time. */
export const eventStates = ['waiting', 'delivered', 'failed', 'expired', 'replaced', 'deleted', 'feed_only'] as const;
export type EventState = (typeof eventStates)[number];

/** The words for states, for users. */
export const eventStateLabels: Readonly<Record<EventState, string>> = {
  waiting: 'Waiting',
  delivered: 'Delivered',
  failed: 'Failed',
  expired: 'Expired',
  replaced: 'Replaced',
  deleted: 'Monitor deleted',
  feed_only: 'Delivery off',
};

/** Those that the receiver did not get, although something fired. */
export const undeliveredStates: readonly EventState[] = ['failed', 'expired', 'feed_only'];

/** `limit` of a request. */
export const eventPageSizes = { default: 100, max: 500 } as const;

const attemptSchema = z.object({
  attempt: z.number().describe('1 for the first'),
  kind: z.enum(attemptKinds),
  started_at: z.string(),
  latency_ms: z.number(),
  request: z
    .object({ url: z.string(), headers: z.record(z.string(), z.string()), body: z.string() })
    .nullable()
    .describe('what was posted, without the signature and the password; null: the host was silent, so nothing was'),
  http_status: z.number().nullable(),
  error: z.string().nullable().describe('a short code for the error; null after a 2xx'),
  answer: z.string().describe('the first 2 KB of the response'),
});

export const eventRecordSchema = z.object({
  id: z.string().describe('the webhook-id'),
  monitor_id: z.string(),
  type: z.enum(['precipitation', 'test', ...rainEventTypes]),
  occurred_at: z.string().describe('when the event was detected'),
  state: z
    .enum(eventStates)
    .describe(
      'failed: every attempt failed; expired: not delivered within its hour; replaced: a later event of its episode came first; ' +
        'deleted: its monitor was; feed_only: delivery was off',
    ),
  callback_uri: z.string(),
  host: z.string().describe('of callback_uri'),
  episode_id: z.string().nullable(),
  trigger: z
    .object({
      source: z.string().describe('as in the sources of a weather point'),
      basis: z.enum(eventBases).nullable().describe('station and radar are observed; null: unknown'),
      updated_at: z.string().describe('when the observation was made or the forecast fetched'),
      precipitation_rate: z.number().nullable().describe('mm/h; null: unknown, as from an airport'),
      precipitation_type: z.enum(precipitationTypes),
      distance_km: z.number().nullable().describe('from the monitor to the station or grid point'),
      coordinates: z.tuple([z.number(), z.number()]).nullable().describe('longitude and latitude of it'),
    })
    .nullable()
    .describe('why the event fired; null: a test, or the end of an episode'),
  attempts: z.array(attemptSchema).describe('oldest first, at most 100'),
  outcome: outcomeSchema.nullable().describe('whether observations confirm the event; null until decided'),
});
export type EventRecord = z.infer<typeof eventRecordSchema>;

export const eventPageSchema = z.object({
  objects: z.array(eventRecordSchema),
  meta: z.object({ next: z.string().nullable().describe('the value of `before` for older events; null: none') }),
});
export type EventPage = z.infer<typeof eventPageSchema>;

/** What became of an event; of its attempts, only the last. */
export const eventEndSchema = eventRecordSchema.pick({ id: true, occurred_at: true, state: true, host: true }).extend({
  attempts: z.number(),
  http_status: z.number().nullable(),
  error: z.string().nullable(),
  latency_ms: z.number().nullable(),
});
type EventEnd = z.infer<typeof eventEndSchema>;

export function summarizeEvent({ id, occurred_at, state, host, attempts }: EventRecord): EventEnd {
  const { http_status = null, error = null, latency_ms = null } = attempts.at(-1) ?? {};
  const made = attempts.filter((attempt) => attempt.error !== 'host-silent').length;
  return { id, occurred_at, state, host, attempts: made, http_status, error, latency_ms };
}

/** `The event of Sat 12:56 failed: 401 Unauthorized from hooks.example.com, 5 attempts`. */
export function formatEventEnd(event: EventEnd, formatTime: (instant: number) => string): string {
  const isTried = event.latency_ms !== null;
  const from = event.http_status === null ? ` (${event.host})` : ` from ${event.host}`;
  const tries = plural(event.attempts, ['# attempt', '# attempts']);
  const why = isTried ? `: ${formatFailure(event)}${from}, ${tries}` : '';
  const ends: Readonly<Record<EventState, string>> = {
    delivered: `was delivered${isTried ? ` to ${event.host}: ${formatFailure(event)} in ${event.latency_ms} ms` : ''}`,
    failed: `failed${why}`,
    expired: `was not delivered within its hour${isTried ? why : ': the service did not send it'}`,
    waiting: `is being delivered${why}`,
    replaced: 'was replaced by a later one before it was sent',
    deleted: 'was not sent, because its monitor was deleted',
    feed_only: `was not delivered, because delivery was off${why}`,
  };
  const what = event.id.startsWith('test_') ? 'The test event' : 'The event';
  return `${what} of ${formatTime(parseTimestamp(event.occurred_at) ?? 0)} ${ends[event.state]}`;
}

const eventColumns = ['id', 'monitor_id', 'type', 'occurred_at', 'state', 'callback_uri'] as const;
const triggerColumns = [
  'source',
  'basis',
  'updated_at',
  'precipitation_rate',
  'precipitation_type',
  'distance_km',
] as const;
const otherColumns = ['episode_id', 'attempts', 'http_status', 'error', 'last_attempt_at', 'outcome'];

/** One line per event, with a header line. */
export function formatEventsCsv(events: readonly EventRecord[]): string {
  const rows = events.map((event) => {
    const { trigger, attempts, episode_id, outcome } = event;
    const last = attempts.at(-1);
    return [
      ...eventColumns.map((name) => event[name]),
      ...triggerColumns.map((name) => trigger?.[name]),
      episode_id,
      attempts.length,
      last?.http_status,
      last?.error,
      last?.started_at,
      outcome?.verdict,
    ];
  });
  const header = [...eventColumns, ...triggerColumns, ...otherColumns];
  return [header, ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}
