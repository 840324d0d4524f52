// Every HTTP exchange of the app with a service: API and token requests, newest first. Secrets are masked before anything is
// stored, so no response here contains one. The log is bounded; the oldest is deleted first.
import { z } from 'zod';
import { appProblemSchema } from './app-errors.ts';
import { doneSchema, headerListSchema, timestampSchema, procedure } from './base.ts';

export const trafficKinds = ['api', 'token'] as const;

export const trafficSummarySchema = z.object({
  id: z.int(),
  at: timestampSchema,
  connectionId: z.string(),
  connectionName: z.string(),
  kind: z.enum(trafficKinds),
  /** Sent by the app without user action: it reads the state of its sandbox, or of deliveries. */
  isBackground: z.boolean(),
  method: z.string(),
  url: z.string(),
  /** Null if there was no response; the exchange's `problem` has the reason. */
  status: z.int().nullable(),
  tookMs: z.number(),
  /** Bytes of the response body after decoding. */
  sizeBytes: z.int(),
});
export type TrafficSummary = z.infer<typeof trafficSummarySchema>;

/** Milliseconds since the request started; null if the step did not happen (reused connection) or is unknown. */
const trafficTimingSchema = z.object({
  lookedUpMs: z.number().nullable(),
  connectedMs: z.number().nullable(),
  securedMs: z.number().nullable(),
  firstByteMs: z.number().nullable(),
  totalMs: z.number(),
});

export const trafficEntrySchema = trafficSummarySchema.extend({
  requestHeaders: headerListSchema,
  /** Null if the request had none. */
  requestBody: z.string().nullable(),
  responseHeaders: headerListSchema,
  /** As received after decoding, if it contains no token. */
  responseBody: z.string(),
  /** Whether the received body was longer than what is stored. */
  truncated: z.boolean(),
  timing: trafficTimingSchema,
  problem: appProblemSchema.nullable(),
});
export type TrafficEntry = z.infer<typeof trafficEntrySchema>;

export const traffic = {
  /** A page, newest first; `beforeId` continues below a known one. */
  list: procedure
    .input(
      z.object({
        beforeId: z.int().optional(),
        limit: z.int().min(1).max(500).default(100),
        kind: z.enum(trafficKinds).optional(),
        connectionId: z.string().optional(),
        /** Space-separated terms: each must occur in the URL, ignoring case, or must not if it starts with `-`. */
        text: z.string().max(200).optional(),
        /** Only those without a whole, readable response or with a status of 400 or more. */
        failedOnly: z.boolean().default(false),
        /** Failed ones are always listed. */
        includesBackground: z.boolean().default(false),
      }),
    )
    .output(z.object({ items: z.array(trafficSummarySchema), total: z.int(), newestId: z.int() })),
  get: procedure.input(z.object({ id: z.int() })).output(trafficEntrySchema),
  clear: procedure.output(doneSchema),
  /** Sends it again with the connection's current token. Returns the new exchange's ID; rejects masked values and the token endpoint. */
  replay: procedure.input(z.object({ id: z.int() })).output(z.object({ newId: z.int() })),
};
