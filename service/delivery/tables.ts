// Tables of delivery: the outbox of events, the log of attempts (docs/delivery.md S11), and what signs them (S7).

/** `test`: "send test event" (docs/delivery.md S15), which neither asks nor moves the gate. */
export type EventKind = 'precipitation' | 'test';
/** `replaced`: a newer event of the same monitor took its place, or the monitor is gone. */
export type EventState = 'waiting' | 'delivered' | 'failed' | 'replaced';
export type AttemptKind = 'first' | 'retry' | 'resend' | 'test';

export type DeliveryTables = {
  /** One row per claimed event, written in the transaction of its claim (docs/delivery.md S13). */
  events: {
    /** The `webhook-id`: the same for every attempt of one event. */
    id: string;
    monitor_id: string;
    application_id: string;
    kind: EventKind;
    /** The instant that the gate counts. */
    occurred_at: number;
    callback_uri: string;
    /** Origin of the callback; events wait in one line per host. */
    host: string;
    /** The exact bytes to send, as UTF-8 text. */
    body: string;
    state: EventState;
    attempts: number;
    /** When the next attempt is due; null once it is over. */
    next_attempt_at: number | null;
    /** 1: someone asked for this attempt by hand, so it is not repeated. */
    is_resend: number;
    /** A process that is sending now holds the row until this instant; 0: free. */
    held_until: number;
    held_by: string | null;
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
    /** A word for what went wrong, or null after a 2xx. */
    error: string | null;
    /** The first 2 KB of the answer. */
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

declare module '#service/database/tables.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only interfaces merge
  interface Tables extends DeliveryTables {}
}
