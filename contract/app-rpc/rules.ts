// How the callback receiver responds: rules per method, path, and condition, and a pause. Without a rule: 200 with an empty body.
import { z } from 'zod';
import { doneSchema, headerListSchema, procedure, timestampSchema } from './base.ts';
import { conditionProblem } from './rule-text.ts';

const delayMs = z.int().min(0).max(60_000).describe('milliseconds before the response').default(0);

/** The longest time that a request is held, in milliseconds. */
export const maxHoldMs = 600_000;

/** `close` and `reset` end the connection without a response. `hold` waits up to `delayMs` for the user's response, then sends 504. */
export const responseStepSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('answer'),
    status: z.int().min(200).max(599),
    headers: headerListSchema.max(50).default([]),
    body: z.string().max(65_536).default(''),
    /** Whether `{{…}}` in headers and body is replaced by parts of the request (contract/app-rpc/rule-text.ts). */
    hasPlaceholders: z.boolean().default(false),
    delayMs,
  }),
  z.object({ kind: z.literal('close'), delayMs }),
  z.object({ kind: z.literal('reset'), delayMs }),
  z.object({ kind: z.literal('hold'), delayMs: z.int().min(1000).max(maxHoldMs).default(60_000) }),
]);
export type ResponseStep = z.infer<typeof responseStepSchema>;

export const responseRuleSchema = z.object({
  name: z.string().min(1).max(100),
  isOn: z.boolean().default(true),
  /** Null for every method. */
  method: z
    .string()
    .regex(/^[A-Z]{1,20}$/, 'must be a method in uppercase, such as POST')
    .nullable()
    .default(null),
  /** The path without its query; a `*` at the end matches any rest. */
  path: z
    .string()
    .max(2048)
    .regex(/^\/[^*?#\s]*\*?$/, 'must start with / and may end with *'),
  /** Like a search for callbacks (contract/app-rpc/rule-text.ts), for instance `monitor:precipitation_7 json:geo.type=Point`. */
  condition: z
    .string()
    .max(1000)
    .superRefine((text, context) => {
      const problem = conditionProblem(text);
      if (problem !== undefined) context.addIssue({ code: 'custom', message: `is not a valid condition: ${problem}` });
    })
    .default(''),
  /** More requests within this time get 429 with `Retry-After`; null for no limit. They use no step. */
  limit: z
    .object({ requests: z.int().min(1).max(10_000), seconds: z.int().min(1).max(3600) })
    .nullable()
    .default(null),
  /** Percentage of requests, picked at random, that get this step instead of the next one; null for none. */
  failure: z
    .object({ percent: z.int().min(1).max(100), step: responseStepSchema })
    .nullable()
    .default(null),
  /** Used one after the other, for example 500, 500, 200. */
  steps: z.array(responseStepSchema).min(1).max(100),
  /** What follows the last step: the last one forever, or the first again. */
  afterLast: z.enum(['stay', 'again']).default('stay'),
});
export type ResponseRule = z.infer<typeof responseRuleSchema>;

/** The first matching rule applies. While paused (`refuse`), the receiver responds 503 and stores nothing. */
export const receiverRulesSchema = z.object({
  pause: z.enum(['off', 'refuse']).default('off'),
  rules: z.array(responseRuleSchema).max(200).default([]),
});
export type ReceiverRules = z.infer<typeof receiverRulesSchema>;

/** A request that waits for the user's response. The callback with this ID has its bytes. */
export const heldRequestSchema = z.object({
  callbackId: z.int(),
  receivedAt: timestampSchema,
  /** When the receiver responds 504. */
  until: timestampSchema,
  method: z.string(),
  /** At most its first 500 characters. */
  target: z.string(),
  rule: z.string(),
});
export type HeldRequest = z.infer<typeof heldRequestSchema>;

export const heldResponseSchema = z.object({
  status: z.int().min(200).max(599),
  headers: headerListSchema.max(50),
  body: z.string().max(65_536),
});
export type HeldResponse = z.infer<typeof heldResponseSchema>;

export const rules = {
  /** Oldest first. */
  held: procedure.output(z.object({ held: z.array(heldRequestSchema) })),
  /** NOT_FOUND if its sender disconnected, or its time ran out. INVALID_INPUT for a header that can't be sent. */
  respondToHeld: procedure.input(heldResponseSchema.extend({ callbackId: z.int() })).output(doneSchema),
  get: procedure.output(receiverRulesSchema),
  /** Replaces all; every sequence starts at its first step. */
  replace: procedure.input(receiverRulesSchema).output(receiverRulesSchema),
};
