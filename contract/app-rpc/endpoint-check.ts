// The endpoint check: what the app, as the sender, can test of a user's webhook handler. docs/endpoint-check.md defines the cases.
import { z } from 'zod';
import { procedure } from './base.ts';
import { checkCaseIds } from './check-cases.ts';

/** `not-visible`: HTTP can't show it, for example whether an event was processed twice. */
export const checkResultSchema = z.enum(['passed', 'failed', 'not-visible']);
export type CheckResult = z.infer<typeof checkResultSchema>;

/** What a handler does wrong, as seen from outside. */
export const handlerProblemSchema = z.object({
  /** A short name, such as `no-age`, or `signature:` and causes of contract/app-rpc/signature-causes.ts. */
  cause: z.string(),
  /** Sentences. */
  does: z.string(),
  should: z.string(),
});
export type HandlerProblem = z.infer<typeof handlerProblemSchema>;

export const checkFindingSchema = z.object({
  /** What was checked, such as “A second delivery is acknowledged”. */
  what: z.string().max(500),
  result: checkResultSchema,
  /** The observation, and for a failure what to do. */
  detail: z.string().max(2000),
  /** Of a failed one. */
  problem: handlerProblemSchema.optional(),
});
export type CheckFinding = z.infer<typeof checkFindingSchema>;

export const checkAttemptSchema = z.object({
  sent: z.string().max(500),
  /** The final status; null without one. */
  status: z.int().nullable(),
  /** Statuses before the final one, such as 100 and 103. At most 20. */
  interim: z.array(z.int()).max(20),
  tookMs: z.int(),
  /** Why there is no status; null if there is one, or if the sender canceled the request on purpose. */
  problem: z.string().max(2000).nullable(),
});
export type CheckAttempt = z.infer<typeof checkAttemptSchema>;

export const checkedCaseSchema = z.object({
  case: z.enum(checkCaseIds),
  title: z.string().max(200),
  /** `failed` if a finding failed, otherwise `passed` if one passed. */
  result: checkResultSchema,
  tookMs: z.int(),
  findings: z.array(checkFindingSchema).max(20),
  exchanges: z.array(checkAttemptSchema).max(20),
});
export type CheckedCase = z.infer<typeof checkedCaseSchema>;

const checkCaseRequestSchema = z.object({
  url: z.string().max(2048),
  case: z.enum(checkCaseIds),
  /** Null for the active connection's. */
  secret: z.string().max(500).nullable(),
  /** Signs as this sender does, with `secret`; without it, as a Rainbell service. */
  sender: z.string().max(100).nullable().optional(),
  /** The monitor in the events; null for a made-up one. */
  monitorId: z.string().min(1).max(200).nullable(),
  /** Time limit for each response; 15 s if absent. */
  responseMs: z.number().min(0).max(86_400_000).optional(),
});

export const endpointCheck = {
  /** The user agreed to send requests to exactly this URL. INVALID_INPUT if it is never allowed, or the secret is missing or can't sign. */
  runCase: procedure.input(checkCaseRequestSchema).output(checkedCaseSchema),
};
