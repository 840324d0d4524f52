// What the callback receiver answers (an addition for testers): rules per method, path, and
// condition, and a pause. Without a rule it
// answers 200 with an empty body.
import { z } from 'zod';
import { headerListSchema, procedure } from './base.ts';
import { conditionProblem } from './rule-text.ts';

const delayMs = z.number().int().min(0).max(60_000).describe('milliseconds before the answer').default(0);

/** One answer of a sequence. `close` ends the connection in order without an answer, `reset` breaks it off. */
export const responseStepSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('answer'),
    status: z.number().int().min(200).max(599),
    headers: headerListSchema.max(50).default([]),
    body: z.string().max(65_536).default(''),
    /** Whether `{{…}}` in headers and body stand for parts of the request (contract/app-rpc/rule-text.ts). */
    hasPlaceholders: z.boolean().default(false),
    delayMs,
  }),
  z.object({ kind: z.literal('close'), delayMs }),
  z.object({ kind: z.literal('reset'), delayMs }),
]);
export type ResponseStep = z.infer<typeof responseStepSchema>;

export const responseRuleSchema = z.object({
  name: z.string().min(1).max(100),
  isOn: z.boolean().default(true),
  /** Null for every method. */
  method: z
    .string()
    .regex(/^[A-Z]{1,20}$/, 'must be a method in capitals, for instance POST')
    .nullable()
    .default(null),
  /** The path without its query; a `*` at the end stands for any rest. */
  path: z
    .string()
    .max(2048)
    .regex(/^\/[^*?#\s]*\*?$/, 'must begin with / and may end with *'),
  /** Like a search for callbacks (contract/app-rpc/rule-text.ts), for instance `monitor:precipitation_7 json:geo.type=Point`. */
  condition: z
    .string()
    .max(1000)
    .superRefine((text, context) => {
      const problem = conditionProblem(text);
      if (problem !== undefined) context.addIssue({ code: 'custom', message: `must be a condition: ${problem}` });
    })
    .default(''),
  /** More requests within this time get 429 with `Retry-After`; null for no limit. They take no step. */
  limit: z
    .object({ requests: z.number().int().min(1).max(10_000), seconds: z.number().int().min(1).max(3600) })
    .nullable()
    .default(null),
  /** So many of a hundred requests, by chance, get this step instead of the next one; null for none. */
  failure: z
    .object({ percent: z.number().int().min(1).max(100), step: responseStepSchema })
    .nullable()
    .default(null),
  /** Given one after the other, for instance 500, 500, 200. */
  steps: z.array(responseStepSchema).min(1).max(100),
  /** What follows the last step: the last one for ever, or the first again. */
  afterLast: z.enum(['stay', 'again']).default('stay'),
});
export type ResponseRule = z.infer<typeof responseRuleSchema>;

/** The first rule that fits counts. While paused nothing is stored: `refuse` answers 503, `drop` answers 200. */
export const receiverRulesSchema = z.object({
  pause: z.enum(['off', 'refuse', 'drop']).default('off'),
  rules: z.array(responseRuleSchema).max(200).default([]),
});
export type ReceiverRules = z.infer<typeof receiverRulesSchema>;

export const rules = {
  get: procedure.output(receiverRulesSchema),
  /** Replaces all; every sequence starts at its first step. */
  replace: procedure.input(receiverRulesSchema).output(receiverRulesSchema),
};
