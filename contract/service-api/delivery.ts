// The state of deliveries, never part of a Monitor: a Rainbell extension (docs/interface.md §10). Times are timestamps of §2.3.
import { z } from 'zod';

export const attemptKinds = ['first', 'retry', 'resend', 'test'] as const;

/** What can show whether precipitation fell (docs/verification.md): stations, radar, users, and a provider's later analysis. */
export const evidenceKinds = ['station', 'radar', 'report', 'analysis'] as const;
export type EvidenceKind = (typeof evidenceKinds)[number];

/** The observation that decided an outcome. */
export const evidenceSchema = z.object({
  kind: z.enum(evidenceKinds),
  source: z.string().describe('as in the sources of a weather point, for instance metar:LIMF'),
  observed_at: z.string(),
  distance_km: z.number().describe('from the monitor'),
  text: z.string().describe('the weather groups from a METAR, or a description of any other kind of observation'),
});

/** Whether later observations confirm an event (docs/verification.md). */
export const outcomeSchema = z.object({
  verdict: z.enum(['confirmed', 'not_confirmed', 'no_evidence']),
  evidence: evidenceSchema.nullable().describe('null without evidence'),
  lead_time_seconds: z
    .number()
    .nullable()
    .describe('from the event to the first precipitation observed after it; null unless confirmed'),
});
export type Outcome = z.infer<typeof outcomeSchema>;

/** The outcomes from the last 30 days. */
export const verificationSchema = z.object({
  confirmed: z.number(),
  not_confirmed: z.number(),
  no_evidence: z.number(),
  missed: z.number().describe('how often precipitation was observed near the monitor without an event'),
  onsets: z
    .object({ confirmed: z.number(), not_confirmed: z.number(), missed: z.number() })
    .optional()
    .describe('those with no precipitation observed in the hour before: the starts'),
  median_lead_time_seconds: z.number().nullable().describe('of confirmed events; null if there are none'),
});
export type Verification = z.infer<typeof verificationSchema>;

/** State of a monitor's deliveries; `GET /v2/monitors/<id>/delivery/`, and for all monitors `GET /v2/delivery/`. */
export const deliveryStateSchema = z.object({
  monitor_id: z.string(),
  last_event_at: z.string().nullable(),
  next_event_allowed_at: z.string().nullable().describe('null: now'),
  failed_in_a_row: z.number(),
  is_on: z
    .boolean()
    .describe('false: delivery is off because the owner paused it, or the callback URL keeps failing or returned 410'),
  off_since: z.string().nullable(),
  off_reason: z.string().nullable(),
  created_at: z.string(),
  /** The last attempt of a real event; null if there was none, or the log has deleted it. */
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

/** `off_reason` of a monitor that its owner paused. It gets no events until it is resumed. */
export const pausedReason = 'paused by the owner';

/** Meta of `GET /v2/delivery/`, whose objects are all monitors of the application. */
export const deliveryMetaSchema = z.object({
  now: z.string().describe("the service's own time, on which its timestamps are based"),
  plan: z.object({
    name: z.string().nullable().describe('null: a plan without a name'),
    monitor_limit: z.number().describe('how many monitors the application may have'),
  }),
  extensions: z.array(z.string()).describe('what else this service offers beyond the API spec, such as `nowcast`'),
});

/** Response to a resend or a test event. */
export const sentEventSchema = z.object({ event_id: z.string() });
