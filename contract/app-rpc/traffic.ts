// Every HTTP exchange of the app with a service: API and token calls, newest first. Secrets are masked before anything is
// stored, so no answer here can hold one. The log is bounded; the oldest goes first.
import { z } from 'zod';
import { appProblemSchema } from './app-errors.ts';
import { doneSchema, headerListSchema, timestampSchema, procedure } from './base.ts';

export const trafficKinds = ['api', 'token'] as const;

export const exchangeSummarySchema = z.object({
  id: z.number().int(),
  at: timestampSchema,
  connectionId: z.string(),
  connectionName: z.string(),
  kind: z.enum(trafficKinds),
  /** Sent by the app on its own account: it reads the state of its sandbox, or of deliveries. */
  isBackground: z.boolean(),
  method: z.string(),
  url: z.string(),
  /** Null where there was no answer; then `problem` of the whole says why. */
  status: z.number().int().nullable(),
  tookMs: z.number(),
  /** Bytes of the answer's body after decoding. */
  sizeBytes: z.number().int(),
});
export type ExchangeSummary = z.infer<typeof exchangeSummarySchema>;

/** Milliseconds since the request began; null where the step did not happen (a kept connection) or is not known. */
const exchangeTimingSchema = z.object({
  lookedUpMs: z.number().nullable(),
  connectedMs: z.number().nullable(),
  securedMs: z.number().nullable(),
  firstByteMs: z.number().nullable(),
  totalMs: z.number(),
});

export const exchangeSchema = exchangeSummarySchema.extend({
  requestHeaders: headerListSchema,
  /** Null where there was none. */
  requestBody: z.string().nullable(),
  responseHeaders: headerListSchema,
  /** As received after decoding, where it holds no token. */
  responseBody: z.string(),
  /** Whether more than is kept was received. */
  truncated: z.boolean(),
  timing: exchangeTimingSchema,
  problem: appProblemSchema.nullable(),
  /** For a shell; where a secret stood it reads `$ACCESS_TOKEN` or `$CLIENT_SECRET`. */
  curl: z.string(),
});
export type Exchange = z.infer<typeof exchangeSchema>;

export const traffic = {
  /** A page, newest first; `beforeId` continues below a known one. */
  list: procedure
    .input(
      z.object({
        beforeId: z.number().int().optional(),
        limit: z.number().int().min(1).max(500).default(100),
        kind: z.enum(trafficKinds).optional(),
        connectionId: z.string().optional(),
        /** Words separated by spaces: each occurs in the URL, regardless of case, or doesn't if it begins with `-`. */
        text: z.string().max(200).optional(),
        /** Only those without a whole, readable response or with a status of 400 or more. */
        failedOnly: z.boolean().default(false),
        /** Those that failed are listed anyway. */
        includesBackground: z.boolean().default(false),
      }),
    )
    .output(z.object({ items: z.array(exchangeSummarySchema), total: z.number().int(), newestId: z.number().int() })),
  get: procedure.input(z.object({ id: z.number().int() })).output(exchangeSchema),
  clear: procedure.output(doneSchema),
  /**
   * Sends an API call once more with the connection's token of now, and names the new exchange, whatever its status. What was
   * masked is never sent: such a call, and one of the token endpoint, is refused.
   */
  replay: procedure.input(z.object({ id: z.number().int() })).output(z.object({ newId: z.number().int() })),
};
