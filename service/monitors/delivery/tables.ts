// Tables of delivery: an event, whether it waits, its attempts (docs/delivery.md S11), and what signs them (S7). IDs of events grow with
// time, so that the rows of a claim are adjacent in their tables: much cheaper to write and find than random IDs.
import { randomBytes } from 'node:crypto';
import type { Generated, Selectable } from 'kysely';
import type { Tables } from '../../database/tables.ts';

/** `test`: "send test event" (docs/delivery.md S15), which ignores and does not start the cool-down. */
export type EventKind = 'precipitation' | EpisodeEvent | 'test';
/** The events of monitors with rules (docs/events.md). `canceled`: an expectation that did not come true. */
export type EpisodeEvent = 'expected' | 'started' | 'ended' | 'canceled';
export type AttemptKind = 'first' | 'retry' | 'resend' | 'test';

declare module '../../database/tables.ts' {
  interface Tables {
    /**
     * One row per event, for 30 days: why it fired, what is sent, and why it was not delivered. While it waits, it also has a row in
     * `waiting_events`. A delivery only deletes that one and adds an attempt, so that it changes no row that other indexes contain.
     */
    events: {
      /** The `webhook-id`: the same for every attempt of one event. */
      id: string;
      monitor_id: string;
      application_id: string;
      kind: EventKind;
      /** The time that starts the cool-down. */
      occurred_at: number;
      /** What the event is based on, as JSON (event-basis.ts); null: a test event. */
      triggered_by: string | null;
      callback_uri: string;
      /** The exact bytes to send, as UTF-8 text. */
      body: string;
      /** The order of the feed: a number that only the last statement of a claim takes, so that it is the order of commits. */
      feed_position: number;
      /**
       * Null: waiting, or delivered. `failed`: each attempt did. `expired`: not sent within its hour. `deleted`: its monitor was.
       * `feed-only`: delivery of its monitor was off, and its application reads the feed. `replaced`: a later event of its episode came
       * before it was sent.
       */
      undelivered: 'failed' | 'expired' | 'deleted' | 'feed-only' | 'replaced' | null;
    };
    /** The events to send. The row is deleted when the event ends. */
    waiting_events: {
      event_id: string;
      application_id: string;
      /** Origin of the callback; events are queued per host. */
      host: string;
      /** 1: its monitor has credentials for the callback, which are read when it is sent. */
      is_guarded: number;
      /** 1: requested manually, so it is not retried. */
      is_resend: number;
      attempts: number;
      /** When the next attempt is due. */
      due_at: number;
      /** The end of its hour; null for one requested manually, which has none. */
      expires_at: number | null;
      /** The sending process leases the row until this time; 0: free. */
      held_until: number;
      held_by: string | null;
    };
    /** One row per POST, for as long as its event. */
    attempts: {
      event_id: string;
      attempt: number;
      kind: AttemptKind;
      started_at: number;
      latency_ms: number;
      http_status: number | null;
      /** Error code, or null after a 2xx. */
      error: string | null;
      /** The first 2 KB of the response. */
      answer: string;
      /** What was sent, as JSON, if the event was changed since; null: what the event says. */
      request: string | null;
    };
    /** The last assigned position of the feed. */
    feed_positions: { name: 'events'; last_position: number };
    /** When an application last read its feed, within an hour. */
    feed_readers: { application_id: string; read_at: number };
    /** An application with failing callbacks, and which emails its owner got (incidents.ts). */
    endpoint_incidents: {
      application_id: string;
      began_at: number;
      /** Null while it lasts. */
      ended_at: Generated<number | null>;
      told: 'nothing' | 'failing' | 'off';
      /** When the last failure email was sent, including earlier incidents; 0: never. */
      told_at: number;
    };
    webhook_secrets: {
      application_id: string;
      secret: string;
      created_at: number;
      /** The secret before the last rotation also signs for 24 hours after `created_at`. */
      previous_secret: string | null;
    };
  }
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
