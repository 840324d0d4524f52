// What the app sends from stored callbacks: replays, edited requests, forwards. Each is stored with its response. One guard checks all.
import { z } from 'zod';
import { doneSchema, headerListSchema, procedure, timestampSchema } from './base.ts';
import { callbackChoiceSchema } from './callback-files.ts';

const url = z.string().min(1).max(2048);

/** How a request ended: with a response, or with a message that says why not. */
export const sendOutcomeSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('answered'),
    status: z.int(),
    headers: headerListSchema,
    /** At most `responseLimitBytes` of the response body, as received. */
    bodyBase64: z.string(),
    truncated: z.boolean(),
    /** Time until the response headers arrived. */
    firstByteMs: z.number(),
  }),
  z.object({ kind: z.literal('failed'), message: z.string() }),
  /** Not sent, for example because it could not be signed. */
  z.object({ kind: z.literal('skipped'), message: z.string() }),
]);
export type SendOutcome = z.infer<typeof sendOutcomeSchema>;

export const responseLimitBytes = 64 * 1024;

export const callbackSendSchema = z.object({
  id: z.int(),
  kind: z.enum(['replay', 'edit', 'forward']),
  callbackId: z.int(),
  startedAt: timestampSchema,
  tookMs: z.number(),
  method: z.string(),
  url: z.string(),
  /** As sent. */
  headers: headerListSchema,
  outcome: sendOutcomeSchema,
});
export type CallbackSend = z.infer<typeof callbackSendSchema>;

/** With the headers as received, or with the current timestamp and a new signature, and the same or another ID. */
export const replaySigningSchema = z.enum(['as-received', 'same-id', 'new-id']);
export type ReplaySigning = z.infer<typeof replaySigningSchema>;

/** The ID of a sender to sign as, and its secret, in place of the callback's own. */
const signAsSchema = z.object({ sender: z.string().max(100), secret: z.string().min(1).max(4096) });
export type SignAs = z.infer<typeof signAsSchema>;

export const maxReplays = 10_000;

export const replayRequestSchema = z.object({
  /** Null: each to its own path at this app's receiver. */
  url: z.string().max(2048).nullable(),
  signing: replaySigningSchema,
  /** Between two requests. */
  delayMs: z.int().min(0).max(3_600_000),
});
export type ReplayRequest = z.infer<typeof replayRequestSchema>;

export const replayRunSchema = z.object({
  url: replayRequestSchema.shape.url,
  isRunning: z.boolean(),
  /** What ended it, if it was not the user. */
  failure: z.string().nullable(),
  total: z.int(),
  sent: z.int(),
  accepted: z.int(),
  /** The newest 500, newest first, without the responses' headers and bodies. */
  results: z.array(callbackSendSchema.pick({ callbackId: true, url: true, tookMs: true, outcome: true })),
});
export type ReplayRunState = z.infer<typeof replayRunSchema>;
export type ReplayResult = ReplayRunState['results'][number];

export function isAccepted({ outcome }: Pick<CallbackSend, 'outcome'>): boolean {
  return outcome.kind === 'answered' && outcome.status >= 200 && outcome.status <= 299;
}

export const sendRequestSchema = z.object({
  /** The callback that it is made from. */
  id: z.int(),
  /** Null: the callback's own path at this app's receiver. */
  url: z.string().max(2048).nullable(),
  /** Without it, as received; but an edited body is signed if its signature was not edited and its secret is known. */
  signing: replaySigningSchema.optional(),
  signAs: signAsSchema.optional(),
  /** What is sent in place of the callback's own. */
  edited: z
    .object({
      method: z.string().regex(/^[A-Z]{1,20}$/, 'must be a method in uppercase, such as POST'),
      headers: headerListSchema.max(1000),
      bodyBase64: z.string().max(12_000_000, 'must be at most 9 MB'),
    })
    .optional(),
});
export type SendRequest = z.infer<typeof sendRequestSchema>;

/** A URL to which new callbacks are forwarded while it is on. */
export const forwardTargetSchema = z.object({
  id: z.string().regex(/^[a-z0-9-]{1,40}$/),
  url,
  isOn: z.boolean(),
  /** Only callbacks of this path; a `*` at the end matches any rest. */
  path: z
    .string()
    .max(2048)
    .regex(/^\/[^*?#\s]*\*?$/, 'must start with / and may end with *')
    .default('/*'),
  /** Whether the callback's path and query are appended to the URL. */
  keepsPath: z.boolean().default(true),
  /** Added to the callback's; one of the same name replaces it. */
  headers: headerListSchema.max(20).default([]),
  signing: replaySigningSchema.default('as-received'),
  /** Signed as this sender does, with the target's own secret; null: as the callback's own sender, with the stored secret. */
  sender: z.string().max(100).nullable().default(null),
  /** How often a callback is sent again after no response, 408, 425, 429, or 5xx. */
  retries: z.int().min(0).max(5).default(0),
});
export type ForwardTarget = z.infer<typeof forwardTargetSchema>;

export const forwardTargetsSchema = z.array(forwardTargetSchema).max(20);

/** State of a target since it was turned on or the app started. */
export const forwardStateSchema = forwardTargetSchema.extend({
  sent: z.int(),
  /** Responses with 2xx, at the last attempt. */
  accepted: z.int(),
  failed: z.int(),
  waiting: z.int(),
  hasSecret: z.boolean(),
  last: z.object({ at: timestampSchema, message: z.string(), isOk: z.boolean() }).nullable(),
});
export type ForwardState = z.infer<typeof forwardStateSchema>;

export const sends = {
  /** Sends it again, as it is or edited. UNAVAILABLE if it can't be signed, for instance because its secret is missing. */
  replay: procedure.input(sendRequestSchema).output(callbackSendSchema),
  /** What a replay of a choice sends, oldest first. INVALID_INPUT for more than `maxReplays`. */
  replayIds: procedure.input(z.object({ choice: callbackChoiceSchema })).output(z.object({ ids: z.array(z.int()) })),
  /**
   * Starts a replay of a choice, oldest first, each callback so many times. It runs until it is stopped or the app ends; the notice
   * `replay` reports its progress. UNAVAILABLE while another one is running, INVALID_INPUT for more than `maxReplays`.
   */
  startReplay: procedure
    .input(replayRequestSchema.extend({ choice: callbackChoiceSchema, times: z.int().min(1).max(maxReplays) }))
    .output(doneSchema),
  replayRun: procedure.output(z.object({ run: replayRunSchema.nullable() })),
  /** Stops it after the response that is awaited, sends the rest, or dismisses one that is not running. */
  controlReplay: procedure.input(z.object({ action: z.enum(['stop', 'continue', 'dismiss']) })).output(doneSchema),
  forwardTargets: procedure.output(z.object({ targets: z.array(forwardStateSchema) })),
  /** `newSecrets` by the target's ID replace the stored ones. INVALID_INPUT for one with a sender and no secret. */
  replaceForwardTargets: procedure
    .input(
      z.object({
        targets: forwardTargetsSchema,
        newSecrets: z.record(z.string(), z.string().min(1).max(4096)).default({}),
      }),
    )
    .output(z.object({ targets: z.array(forwardStateSchema) })),
};
