// What the callback receiver stored, newest first. Ids grow by one with each stored callback and are never used again.
import { z } from 'zod';
import { doneSchema, headerListSchema, instantSchema, procedure } from './base.ts';

export const callbackSummarySchema = z.object({
  id: z.number().int(),
  receivedAt: instantSchema,
  method: z.string(),
  /** Request target as sent, for instance `/hooks/torino?x=1`. */
  target: z.string(),
  remoteAddress: z.string(),
  sizeBytes: z.number().int(),
  /** 0 where a rule closed the connection instead of answering. */
  answeredStatus: z.number().int(),
  /** The Monitor id in the body, where the body is JSON and has one. */
  monitorId: z.string().nullable(),
});
export type CallbackSummary = z.infer<typeof callbackSummarySchema>;

/** What the app finds when it holds a callback against the interface (§2.2, §6, §8). */
export const callbackCheckSchema = z.object({
  check: z.enum(['request', 'monitor', 'registered', 'address', 'hour']),
  /** `unknown` where what is needed for the check is not known. */
  verdict: z.enum(['ok', 'warning', 'error', 'unknown']),
  message: z.string(),
});
export type CallbackCheck = z.infer<typeof callbackCheckSchema>;

export const callbackSchema = callbackSummarySchema.extend({
  httpVersion: z.string(),
  headers: headerListSchema,
  /** The body's bytes as received. */
  bodyBase64: z.string(),
  /** Whether the body was cut at the receiver's limit; `sizeBytes` counts what is kept. */
  truncated: z.boolean(),
  checks: z.array(callbackCheckSchema),
});
export type Callback = z.infer<typeof callbackSchema>;

export const callbacks = {
  /** A page, newest first; `beforeId` continues below a known one. */
  list: procedure
    .input(
      z.object({
        beforeId: z.number().int().optional(),
        limit: z.number().int().min(1).max(500).default(100),
      }),
    )
    .output(z.object({ items: z.array(callbackSummarySchema), total: z.number().int(), newestId: z.number().int() })),
  get: procedure.input(z.object({ id: z.number().int() })).output(callbackSchema),
  clear: procedure.output(doneSchema),
};
