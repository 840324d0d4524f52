// Tables of delivery: the outbox of events that are still to be sent, the log of attempts, and what signs them.
export type DeliveryTables = {
  /** One row per claimed event, written in the transaction of its claim (S13). */
  events: {
    /** The `webhook-id`: the same for every attempt of one event. */
    id: string;
    monitor_id: string;
    application_id: string;
    kind: 'precipitation' | 'test' | 'resend';
    /** The instant that the gate counts. */
    occurred_at: number;
    callback_uri: string;
    /** The exact bytes to send, as UTF-8 text. */
    body: string;
    state: 'waiting' | 'delivered' | 'failed' | 'replaced';
    attempts: number;
    /** When the next attempt is due; null once it is over. */
    next_attempt_at: number | null;
    /** A process that is sending now holds the row until this instant. Null: free. */
    held_until: number | null;
    held_by: string | null;
  };
  /** One row per attempt (S11). */
  deliveries: {
    id: string;
    event_id: string;
    monitor_id: string;
    attempt: number;
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
