// Tables of delivery: the outbox of events, the log of attempts (docs/delivery.md S11), and what signs them (S7).

import type { Generated, Selectable } from 'kysely';

/** `test`: "send test event" (docs/delivery.md S15), which ignores and does not start the cool-down. */
export type EventKind = 'precipitation' | 'test';
/**
 * `replaced`: a newer event of the same monitor replaced it, or the monitor was deleted. `feed-only`: delivery of its monitor was
 * off, and its application reads the feed.
 */
export type EventState = 'waiting' | 'delivered' | 'failed' | 'replaced' | 'feed-only';
export type AttemptKind = 'first' | 'retry' | 'resend' | 'test';

export type DeliveryTables = {
  /** One row per claimed event, written in the transaction of its claim (docs/delivery.md S13). */
  events: {
    /** The `webhook-id`: the same for every attempt of one event. */
    id: string;
    monitor_id: string;
    application_id: string;
    kind: EventKind;
    /** The time that starts the cool-down. */
    occurred_at: number;
    callback_uri: string;
    /** 1: its monitor has credentials for the callback, which are read when it is sent. */
    is_guarded: Generated<number>;
    /** Origin of the callback; events are queued per host. */
    host: string;
    /** The exact bytes to send, as UTF-8 text. */
    body: string;
    state: EventState;
    attempts: number;
    /** When the next attempt is due; null once it is over. */
    next_attempt_at: number | null;
    /** 1: requested manually, so it is not retried. */
    is_resend: number;
    /** The sending process leases the row until this time; 0: free. */
    held_until: number;
    held_by: string | null;
    /** The order of the feed (feed-positions.ts), with `id` among equal ones; null for events older than the feed. */
    feed_position: Generated<number | null>;
    /** What the event is based on, as JSON (service/weather/reading/reading.ts); null: a test event. */
    triggered_by: Generated<string | null>;
  };
  /** SQLite: the last assigned position. PostgreSQL: what is added to the numbers of transactions; no row for 0. */
  feed_positions: { name: 'events'; last_position: number };
  /** When an application last read its feed, within an hour. */
  feed_readers: { application_id: string; read_at: number };
  /** An application with failing callbacks, and which emails its owner got (endpoint-incidents.ts). */
  endpoint_incidents: {
    application_id: string;
    began_at: number;
    /** Null while it lasts. */
    ended_at: Generated<number | null>;
    told: 'nothing' | 'failing' | 'off';
    /** When the last failure email was sent, including earlier incidents; 0: never. */
    told_at: number;
  };
  deliveries: {
    id: string;
    event_id: string;
    monitor_id: string;
    attempt: number;
    kind: AttemptKind;
    started_at: number;
    latency_ms: number;
    http_status: number | null;
    /** Error code, or null after a 2xx. */
    error: string | null;
    /** The first 2 KB of the response. */
    answer: string;
  };
  webhook_secrets: {
    application_id: string;
    secret: string;
    created_at: number;
    /** The secret before the last rotation still signs until `previous_until`. */
    previous_secret: string | null;
    previous_until: number | null;
  };
};

export type WaitingEvent = Selectable<DeliveryTables['events']>;

declare module '../../database/tables.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only interfaces merge
  interface Tables extends DeliveryTables {}
}
