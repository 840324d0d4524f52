// Tables of delivery: an event, whether it waits, its attempts (docs/delivery.md S11), and what signs them (S7). IDs of events grow with
// time, so that the rows of a claim are adjacent in their tables: much cheaper to write and find than random IDs.
import { randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import { bigint, integer, orNull, type RowsOf, table, text } from '../../database/table.ts';
import type { Tables } from '../../database/tables.ts';

/** `test`: "send test event" (docs/delivery.md S15), which ignores and does not start the cool-down. */
export type EventKind = 'precipitation' | EpisodeEvent | 'test';
/** The events of monitors with rules (docs/events.md). `canceled`: an expectation that did not come true. */
export type EpisodeEvent = 'expected' | 'started' | 'ended' | 'canceled';
export type AttemptKind = 'first' | 'retry' | 'resend' | 'test';

export const deliveryTables = {
  /**
   * One row per event, for 30 days: why it fired, what is sent, and why it was not delivered. While it waits, it also has a row in
   * `waiting_events`. A delivery only deletes that one and adds an attempt, so that it changes no row that other indexes contain.
   */
  events: table(
    {
      /** The `webhook-id`: the same for every attempt of one event. */
      id: text('PRIMARY KEY'),
      monitor_id: text(),
      application_id: text(),
      kind: text<EventKind>(),
      /** The time that starts the cool-down. */
      occurred_at: bigint(),
      /** What the event is based on, as JSON (event-basis.ts); null: a test event. */
      triggered_by: orNull(text()),
      callback_uri: text(),
      /** The exact bytes to send, as UTF-8 text. */
      body: text(),
      /** The order of the feed: a number that only the last statement of a claim takes, so that it is the order of commits. */
      feed_position: bigint(),
      /**
       * Null: waiting, or delivered. `failed`: each attempt did. `expired`: not sent within its hour. `deleted`: its monitor was.
       * `feed-only`: delivery of its monitor was off, and its application reads the feed. `replaced`: a later event of its episode came
       * before it was sent.
       */
      undelivered: orNull(text<'failed' | 'expired' | 'deleted' | 'feed-only' | 'replaced'>()),
    },
    {
      indexes: {
        events_by_monitor: '(monitor_id, id)',
        events_by_feed: '(application_id, feed_position)',
        // A delivery changes nothing in it.
        events_undelivered: '(application_id, feed_position) WHERE undelivered IS NOT NULL',
      },
    },
  ),
  /**
   * The events to send. Small, so that ending an event is cheap: its row is deleted. The fill factor leaves room in each page for the next
   * version of a row, so that leases change no index.
   */
  waiting_events: table(
    {
      event_id: text('PRIMARY KEY'),
      application_id: text(),
      /** Origin of the callback; events are queued per host. */
      host: text(),
      /** 1: its monitor has credentials for the callback, which are read when it is sent. */
      is_guarded: integer(),
      /** 1: requested manually, so it is not retried. */
      is_resend: integer(),
      attempts: integer(),
      due_at: bigint(),
      /** The end of its hour; null for one requested manually, which has none. */
      expires_at: orNull(bigint()),
      /** The sending process leases the row until this time; 0: free. */
      held_until: bigint(),
      held_by: orNull(text()),
    },
    {
      indexes: { waiting_events_due: '(due_at)' },
      sqlite: 'WITHOUT ROWID',
      postgres: 'WITH (fillfactor = 50)',
    },
  ),
  /** One row per POST, for as long as its event. */
  attempts: table(
    {
      event_id: text(),
      attempt: integer(),
      kind: text<AttemptKind>(),
      started_at: bigint(),
      latency_ms: integer(),
      http_status: orNull(integer()),
      /** Error code, or null after a 2xx. */
      error: orNull(text()),
      /** The first 2 KB of the response. */
      answer: text(),
      /** What was sent, as JSON, if the event was changed since; null: what the event says. */
      request: orNull(text()),
    },
    { constraint: 'CONSTRAINT attempts_key PRIMARY KEY (event_id, attempt, started_at)', sqlite: 'WITHOUT ROWID' },
  ),
  webhook_secrets: table({
    application_id: text('PRIMARY KEY'),
    secret: text(),
    created_at: bigint(),
    /** The secret before the last rotation also signs for 24 hours after `created_at`. */
    previous_secret: orNull(text()),
  }),
  /** An application with failing callbacks, and which emails its owner got (incidents.ts). */
  endpoint_incidents: table({
    application_id: text('PRIMARY KEY'),
    began_at: bigint(),
    /** Null while it lasts. */
    ended_at: orNull(bigint()),
    told: text<'nothing' | 'failing' | 'off'>(),
    /** When the last failure email was sent, including earlier incidents; 0: never. */
    told_at: bigint(),
  }),
};

declare module '../../database/tables.ts' {
  interface Tables extends RowsOf<typeof deliveryTables> {}
}

type EventRow = Selectable<Tables['events']>;
type WaitingRow = Selectable<Tables['waiting_events']>;

/** An event that a process has taken to send it. */
export type WaitingEvent = Omit<EventRow, 'feed_position' | 'undelivered'> &
  Pick<WaitingRow, 'host' | 'is_guarded' | 'is_resend' | 'attempts'> & { account_id: string };

/** How long events and their attempts are kept. */
export const retentionMs = 30 * 24 * 3_600_000;

export const eventPrefix = 'evt_';
export const testPrefix = 'test_';

/** Returns the lower bound of all IDs of that time or later. */
export function firstIdAt(prefix: string, instant: number): string {
  return prefix + Math.max(0, Math.floor(instant)).toString(16).padStart(12, '0');
}

/** Returns the time of the event with this ID; 0 if the ID is not ours. */
export function timeOfEventId(id: string): number {
  const digits = /^(?:evt|test)_([0-9a-f]{12})/.exec(id)?.[1];
  return digits === undefined ? 0 : Number.parseInt(digits, 16);
}

/** `count` ids of 32 hexadecimal digits after `prefix`, in ascending order. 56 random bits make them unique; they are not secret. */
export function orderedIds(prefix: string, now: number, count: number): string[] {
  const start = firstIdAt(prefix, now) + randomBytes(7).toString('hex');
  return Array.from({ length: count }, (_, index) => start + index.toString(16).padStart(6, '0'));
}
