// The delivery log of our own service: an addition to the interface, under `/v2/monitors/<id>/`
// (docs/decisions/monitors-and-delivery.md). It is never part of a Monitor. Times are timestamps of docs/interface.md
// §2.3.
import { z } from 'zod';

export const attemptKinds = ['first', 'retry', 'resend', 'test'] as const;

/** One POST to a callback; `GET /v2/monitors/<id>/deliveries/` lists the last ones, newest first. */
export const deliveryAttemptSchema = z.object({
  id: z.string(),
  /** The `webhook-id` that the callback carried; the same for every attempt of one event. */
  event_id: z.string(),
  monitor_id: z.string(),
  attempt: z.number().describe('1 for the first'),
  kind: z.enum(attemptKinds),
  started_at: z.string(),
  latency_ms: z.number(),
  http_status: z.number().nullable(),
  error: z.string().nullable().describe('a word for what went wrong; null after a 2xx'),
  answer: z.string().describe('the first 2 KB of the answer'),
});
export type DeliveryAttempt = z.infer<typeof deliveryAttemptSchema>;

/** How a monitor's deliveries stand; `GET /v2/monitors/<id>/delivery/`, and for all monitors `GET /v2/delivery/`. */
export const deliveryStateSchema = z.object({
  monitor_id: z.string(),
  last_event_at: z.string().nullable(),
  next_event_allowed_at: z.string().nullable().describe('null: at once'),
  delivered: z.number().describe('events that a callback accepted'),
  failed: z.number().describe('events of which every attempt failed'),
  failed_in_a_row: z.number(),
  is_on: z.boolean().describe('false: the callback seems dead and is not called'),
  off_since: z.string().nullable(),
  off_reason: z.string().nullable(),
  created_at: z.string(),
  recent_events: z.string().describe('the last events, up to 22, oldest first: d delivered, f failed'),
  /** The newest attempt of a real event; null where there was none yet, or the log has forgotten it. */
  last_attempt: z
    .object({
      started_at: z.string(),
      attempt: z.number(),
      http_status: z.number().nullable(),
      error: z.string().nullable(),
    })
    .nullable(),
});
export type DeliveryState = z.infer<typeof deliveryStateSchema>;

/** Meta of `GET /v2/delivery/`, whose objects are all monitors of the application. */
export const deliveryMetaSchema = z.object({
  now: z.string().describe("the service's own time, by which its instants count"),
  plan: z.object({
    name: z.string().nullable().describe('null: a plan without a name'),
    monitor_limit: z.number().describe('how many monitors the application may have'),
  }),
  extensions: z.array(z.string()).describe('what else this service offers beyond the interface, such as `nowcast`'),
});

/** Answer to a resend or a test event. */
export const sentEventSchema = z.object({ event_id: z.string() });
