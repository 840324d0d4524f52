// The outcome of the response to a callback, and what is stored of a refused request.
import { z } from 'zod';
import { outcomeKindNames } from './callback-outcome-kinds.ts';
import { headerListSchema, timestampSchema } from './base.ts';

export const callbackOutcomeSchema = z.object({
  kind: z.enum(outcomeKindNames),
  /** When the response was complete or the connection ended; null while waiting, or if it was not recorded. */
  at: timestampSchema.nullable(),
  /** The same as milliseconds after the request was received. */
  afterMs: z.int().nullable(),
  /** Bytes of the response, including its head, written to the network; null if unknown. */
  bytesSent: z.int().nullable(),
});
export type CallbackOutcome = z.infer<typeof callbackOutcomeSchema>;

/** The response as sent, or as planned if `outcome` is not `answered`. */
export const callbackResponseSchema = z.object({
  /** What a rule does: respond, or end the connection without a response. */
  action: z.enum(['answer', 'close', 'reset']),
  /** Null without a response. */
  status: z.int().nullable(),
  headers: headerListSchema,
  body: z.string(),
  /** The delay of the rule. */
  delayMs: z.int(),
  /** The name of the rule; null without one. */
  rule: z.string().nullable(),
  /** The step of the rule, from 1. */
  step: z.int().nullable(),
  /** The user sent the response to the held request. */
  isByHand: z.literal(true).optional(),
});
export type CallbackResponse = z.infer<typeof callbackResponseSchema>;

/** Why a request was refused before it became a callback. */
export const refusalReasons = [
  'head-too-long',
  'malformed',
  'unknown-method',
  'bad-target',
  'bad-header',
  'bad-length',
  'unexpected-expectation',
  'connect',
  'no-token',
  'http-on-https',
  'tls-on-http',
  'tls-handshake',
  'pipelining',
  'timeout',
  'unfinished',
  'too-many',
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

export const callbackRefusalSchema = z.object({
  reason: z.enum(refusalReasons),
  /** Includes similar ones that were only counted, because many were refused within a short time. */
  count: z.int(),
  lastAt: timestampSchema,
});
export type CallbackRefusal = z.infer<typeof callbackRefusalSchema>;
