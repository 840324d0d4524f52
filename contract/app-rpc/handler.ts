// "Develop a handler" and `rainbell dev`: requests to a path of the receiver are relayed to the user's webhook handler and its response
// to the sender, and the handler is checked at the start, when it restarts, and when its response changes. At most one runs per app.
import { z } from 'zod';
import { doneSchema, procedure, timestampSchema } from './base.ts';
import { checkedCaseSchema, handlerProblemSchema } from './endpoint-check.ts';

/** What happened, in order of `number`. */
export const handlerEntrySchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('relayed'),
    number: z.int(),
    /** The request; the last of its `sends` has the handler's response. */
    callbackId: z.int(),
    isReplay: z.boolean(),
    /** Method, target, and what the request is, for people. */
    request: z.string(),
    /** The status and the time, or why there is no response. */
    response: z.string(),
    isOk: z.boolean(),
    /** The start of the response's body unless it `isOk`. */
    excerpt: z.string(),
  }),
  z.object({
    kind: z.literal('checked'),
    number: z.int(),
    startedAt: timestampSchema,
    isRight: z.boolean(),
    /** Why it was checked, and the result, in one line. */
    summary: z.string(),
    /** The worst first. */
    problems: z.array(handlerProblemSchema),
    /** A right handler in its language, if its signature check is wrong. */
    example: z.string().nullable(),
    /** Empty if a valid event is refused, or the response takes too long. */
    cases: z.array(checkedCaseSchema),
  }),
  z.object({ kind: z.literal('note'), number: z.int(), text: z.string() }),
]);
export type HandlerEntry = z.infer<typeof handlerEntrySchema>;

export const handlerSessionSchema = z.object({
  /** Another one for each start. */
  id: z.string(),
  /** The handler's URL. */
  url: z.string(),
  /** Where senders send to. */
  receiverUrl: z.string(),
  /** The sender whose events are sent; null for a Rainbell service. */
  sender: z.string().nullable(),
  canRain: z.boolean(),
  /** Why it is being checked now; null if it is not. */
  checking: z.string().nullable(),
  accepted: z.int(),
  refused: z.int(),
  /** The newest 200, oldest first. */
  entries: z.array(handlerEntrySchema),
});
export type HandlerSession = z.infer<typeof handlerSessionSchema>;

export const handler = {
  /** Replaces the running one. INVALID_INPUT for a URL that is never allowed, or a secret that is missing or can't sign. */
  start: procedure
    .input(
      z.object({
        /** The user agreed to send test events to exactly this URL. */
        url: z.string().max(2048),
        /** The ID of a sender that `callbacks.endpoints` lists; null for a Rainbell service. */
        sender: z.string().max(40).nullable(),
        /** The one that the handler has; null for the connection's. It is not stored. */
        secret: z.string().max(4096).nullable(),
      }),
    )
    .output(handlerSessionSchema),
  state: procedure.output(z.object({ session: handlerSessionSchema.nullable() })),
  check: procedure.output(doneSchema),
  /** Sends a test event, or a sample event of the sender, through the receiver. */
  sendEvent: procedure.output(doneSchema),
  /** Makes it rain at the sandbox's monitor. UNAVAILABLE elsewhere. */
  rain: procedure.output(doneSchema),
  /** Sends a relayed request again, signed afresh with a new ID; null for its own body. */
  replay: procedure
    .input(z.object({ callbackId: z.int(), bodyBase64: z.string().max(12_000_000).nullable() }))
    .output(doneSchema),
  stop: procedure.output(doneSchema),
};
