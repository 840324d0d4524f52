// What the callback receiver stored, newest first. Ids grow by one with each stored callback and are never used again.
import { z } from 'zod';
import { callbackHeadSchema } from './callback-head.ts';
import { callbackAnswerSchema, callbackOutcomeSchema, callbackRefusalSchema } from './callback-outcome.ts';
import { doneSchema, headerListSchema, timestampSchema, procedure } from './base.ts';
import {
  callbackChoiceSchema,
  callbackFilterSchema,
  exportInputSchema,
  exportPageSchema,
  importInputSchema,
  importStateSchema,
} from './callback-files.ts';
import { callbackOrders, verdictNames } from './callback-verdicts.ts';
import { callbackSendSchema, editedRequestSchema, forwardStateSchema, forwardTargetsSchema } from './callback-sends.ts';
import { appDeliverySchema } from './monitors.ts';

/** `unknown` where what is needed for a check is not known. */
export const verdictSchema = z.enum(['ok', 'warning', 'error', 'unknown']);
export type Verdict = z.infer<typeof verdictSchema>;

export const callbackSummarySchema = z.object({
  id: z.number().int(),
  receivedAt: timestampSchema,
  method: z.string(),
  /** Request target as sent, for instance `/hooks/torino?x=1`. */
  target: z.string(),
  remoteAddress: z.string(),
  sizeBytes: z.number().int(),
  /** The status sent; 0 if none was. If `outcome` is `waiting` or `unrecorded`: the status that was planned. */
  answeredStatus: z.number().int(),
  outcome: callbackOutcomeSchema,
  /** For a request that was refused before it became a callback; then `kind` is `refused`. */
  refusal: callbackRefusalSchema.nullable(),
  /** The Monitor id in the body, where the body is JSON and has one. */
  monitorId: z.string().nullable(),
  /** Whether the monitor is proven to be the active connection's: by signature, log, or its own callback URL. */
  isMonitorOwn: z.boolean(),
  /** The worst of its checks. */
  verdict: verdictSchema,
  verdictName: z.enum(verdictNames),
  /** A first attempt, a later one of the same event (`webhook-id`), a test event, or no Monitor's POST at all. */
  kind: z.enum(['event', 'retry', 'test', 'other', 'refused']),
  hasNote: z.boolean(),
  /** Came from a file. */
  isImported: z.boolean(),
});
export type CallbackSummary = z.infer<typeof callbackSummarySchema>;

/**
 * What the app finds when it holds a callback against the interface (docs/interface.md §2.2, §6, §8), and its
 * signature.
 */
export const callbackCheckSchema = z.object({
  check: z.enum(['request', 'monitor', 'registered', 'address', 'hour', 'signature', 'storage']),
  verdict: verdictSchema,
  /** How an event breaks the hour rule. */
  breach: z.enum(['too-soon', 'out-of-order']).optional(),
  message: z.string(),
});
export type CallbackCheck = z.infer<typeof callbackCheckSchema>;

export const callbackSchema = callbackSummarySchema.extend({
  httpVersion: z.string(),
  headers: headerListSchema,
  /** Null for a refused request. */
  head: callbackHeadSchema.nullable(),
  /** Headers after a chunked body. */
  trailers: headerListSchema,
  /** The response as sent or planned; null if it was not recorded. */
  answer: callbackAnswerSchema.nullable(),
  /** The body's bytes as received. Of a refused request: its first bytes, with secrets masked. */
  bodyBase64: z.string(),
  /** The body without its `Content-Encoding`; null for a plain body. */
  decoded: z
    .object({
      /** As in the header, for instance `gzip`. */
      coding: z.string(),
      /** As far as it was decoded. */
      bodyBase64: z.string(),
      sizeBytes: z.number().int(),
      /** Why that is not all, as a sentence. */
      problem: z.string().nullable(),
    })
    .nullable(),
  /** Whether the body was cut at the receiver's limit; `sizeBytes` counts what is kept. */
  truncated: z.boolean(),
  checks: z.array(callbackCheckSchema),
  /** Empty where there is none. */
  note: z.string(),
  /** Replays, edited requests and forwards made from it, the newest first, at most 100. */
  sends: z.array(callbackSendSchema),
});
export type Callback = z.infer<typeof callbackSchema>;

/** A named path of the receiver with limits of its own, beside those of the whole store. Null: none of its own. */
export const endpointSchema = z.object({
  id: z.string().regex(/^[a-z0-9-]{1,40}$/),
  name: z.string().min(1).max(100),
  /** The path without its query; a `*` at the end stands for any rest. The first endpoint that fits counts. */
  path: z
    .string()
    .max(2048)
    .regex(/^\/[^*?#\s]*\*?$/, 'must begin with / and may end with *'),
  keptCallbacks: z.number().int().min(1).max(5_000_000).nullable().default(null),
  keptDays: z.number().int().min(1).max(3650).nullable().default(null),
  keptMegabytes: z.number().int().min(1).max(100_000).nullable().default(null),
});
export type Endpoint = z.infer<typeof endpointSchema>;

/** Counts are since the endpoint was named. */
export const endpointStateSchema = endpointSchema.extend({
  total: z.number().int(),
  bytes: z.number().int(),
  newestId: z.number().int().nullable(),
});
export type EndpointState = z.infer<typeof endpointStateSchema>;

export const savedFilterSchema = z.object({ name: z.string().min(1).max(100), query: z.string().max(2000) });
export type SavedFilter = z.infer<typeof savedFilterSchema>;

/** A term of a query that means nothing, in words. */
export const queryProblemSchema = z.object({ term: z.string(), message: z.string() });

/** More unread callbacks are not counted. */
export const mostUnread = 999;
/** Read callbacks above the first unread one that are kept; beyond, older unread ones count as read. */
export const longestReadList = 1000;
/** Unread are those above `throughId` that are not among `ids`, except refused requests. */
export const unreadCallbacksSchema = z.object({
  count: z.number().int(),
  isMore: z.boolean(),
  throughId: z.number().int(),
  ids: z.array(z.number().int()).max(longestReadList),
});
export type UnreadCallbacks = z.infer<typeof unreadCallbacksSchema>;

const verdictCountSchema = z.object({ verdict: z.enum(verdictNames), count: z.number().int() });

export const histogramSchema = z.object({
  /** The axis, in whole bars. */
  from: timestampSchema,
  to: timestampSchema,
  barSeconds: z.number().int(),
  /** In order; bars without callbacks are left out. `unknown` includes what was not judged yet. */
  bars: z.array(z.object({ at: timestampSchema, counts: z.array(verdictCountSchema) })),
  /** Of the selected time, or of all bars. */
  facets: z.array(verdictCountSchema),
  /** Callbacks whose verdict is still to be found; their counts are right, their verdicts are not. */
  unjudged: z.number().int(),
});
export type CallbackHistogram = z.infer<typeof histogramSchema>;

const oneCallback = z.object({ id: z.number().int() });
const span = { from: timestampSchema, to: timestampSchema };

/** What the service's delivery log says of a callback, if the service has one. */
const matchedDeliverySchema = z.discriminatedUnion('told', [
  z.object({ told: z.literal(false), reason: z.string() }),
  z.object({
    told: z.literal(true),
    /** The attempt that the callback came with, or that it repeats. */
    attempt: appDeliverySchema,
    /**
     * From the start of the attempt to the receipt, fixed when the log was first read, and never after the response
     * (`attempt.latencyMs`). Null for a copy, or if the clocks of service and app don't fit.
     */
    arrivedAfterMs: z.number().nullable(),
    /** Sent once more by this app or another, not by the attempt. */
    isCopy: z.boolean(),
    /** All attempts of the event, the oldest first, at most the last 50; `callbackId` if one arrived here. */
    attempts: z.array(appDeliverySchema.extend({ callbackId: z.number().int().nullable() })),
  }),
]);
export type MatchedDelivery = z.infer<typeof matchedDeliverySchema>;

export const callbacks = {
  unread: procedure.output(unreadCallbacksSchema),
  /** They were opened. */
  markRead: procedure.input(z.object({ ids: z.array(z.number().int()).max(100) })).output(unreadCallbacksSchema),
  markAllRead: procedure.output(unreadCallbacksSchema),
  /** A page, newest first; `beforeId` continues below a known one. */
  list: procedure
    .input(
      z.object({
        beforeId: z.number().int().optional(),
        limit: z.number().int().min(1).max(500).default(100),
      }),
    )
    .output(z.object({ items: z.array(callbackSummarySchema), total: z.number().int(), newestId: z.number().int() })),
  /**
   * Looks through the store by a query (contract/app-rpc/callback-query.ts), newest first, a bounded piece per call: a call can
   * find nothing and still have a `nextBeforeId` to go on from; null at the end. `afterId` ends above a known one.
   */
  search: procedure
    .input(
      z.object({
        ...callbackFilterSchema.shape,
        beforeId: z.number().int().optional(),
        afterId: z.number().int().optional(),
        limit: z.number().int().min(1).max(500).default(100),
      }),
    )
    .output(
      z.object({
        items: z.array(callbackSummarySchema),
        nextBeforeId: z.number().int().nullable(),
        /** How many rows this call looked at. */
        scanned: z.number().int(),
        problems: z.array(queryProblemSchema),
      }),
    ),
  /** How many a query finds, exactly, up to an ID. INVALID_INPUT for a term that means nothing. */
  count: procedure
    .input(callbackFilterSchema.extend({ throughId: z.number().int() }))
    .output(z.object({ count: z.number().int() })),
  /** A page of what a filter finds up to an ID, in another order than that of receipt. INVALID_INPUT as in `count`. */
  sorted: procedure
    .input(
      callbackFilterSchema.extend({
        order: z.enum(callbackOrders),
        throughId: z.number().int(),
        offset: z.number().int().min(0),
        limit: z.number().int().min(1).max(500).default(100),
      }),
    )
    .output(z.object({ items: z.array(callbackSummarySchema), total: z.number().int() })),
  /**
   * Counts by time and verdict: bars of `barSeconds` between `from` and `to` (null for all that is stored), of what the query finds,
   * whatever the time selected and the verdicts. A bounded time of work per call: ask again while `unjudged` is not 0. INVALID_INPUT as
   * in `count`.
   */
  histogram: procedure
    .input(
      callbackFilterSchema.pick({ query: true }).extend({
        /** The part of the time whose verdicts `facets` counts. */
        selected: z.object({ from: timestampSchema, to: timestampSchema }).nullable(),
        /** The last so many seconds; null for all that is stored. */
        seconds: z
          .number()
          .int()
          .min(60)
          .max(366 * 86_400)
          .nullable(),
        /** So many bars at most. Their width is 1 s to 1 h, and more for an axis of weeks. */
        bars: z.number().int().min(1).max(400).default(120),
      }),
    )
    .output(histogramSchema),
  get: procedure.input(oneCallback).output(callbackSchema),
  clear: procedure.output(doneSchema),
  /** Hides them at once, and removes them after 8 s unless `undoDelete` comes before. */
  delete: procedure
    .input(z.object({ choice: callbackChoiceSchema }))
    .output(z.object({ deletionId: z.string(), count: z.number().int(), undoUntil: timestampSchema })),
  /** NOT_FOUND where the 8 s are over. */
  undoDelete: procedure.input(z.object({ deletionId: z.string() })).output(z.object({ count: z.number().int() })),
  /** An empty note removes it. */
  setNote: procedure.input(oneCallback.extend({ note: z.string().max(10_000) })).output(doneSchema),

  /** Sends it again as it came: to the path it came to at this app's receiver (null), or to another URL. */
  replay: procedure.input(oneCallback.extend({ url: z.string().max(2048).nullable() })).output(callbackSendSchema),
  editAndResend: procedure.input(editedRequestSchema).output(callbackSendSchema),
  forwardTargets: procedure.output(z.object({ targets: z.array(forwardStateSchema) })),
  replaceForwardTargets: procedure
    .input(z.object({ targets: forwardTargetsSchema }))
    .output(z.object({ targets: z.array(forwardStateSchema) })),

  endpoints: procedure.output(
    z.object({
      endpoints: z.array(endpointStateSchema),
      /** Paths of late callbacks that have no name yet, the newest first. */
      unnamedPaths: z.array(z.string()),
    }),
  ),
  replaceEndpoints: procedure.input(z.object({ endpoints: z.array(endpointSchema).max(200) })).output(doneSchema),
  filters: procedure.output(z.object({ filters: z.array(savedFilterSchema) })),
  replaceFilters: procedure.input(z.object({ filters: z.array(savedFilterSchema).max(100) })).output(doneSchema),

  /** Starts dragging a callback out of the window as a JSON file; only where the host can (the desktop app). */
  dragOut: procedure.input(oneCallback).output(doneSchema),
  exportPage: procedure.input(exportInputSchema).output(exportPageSchema),
  importPiece: procedure.input(importInputSchema).output(importStateSchema),

  /** The callbacks of each monitor on a time line, at most 2,000 in all, the newest kept. */
  hours: procedure.input(z.object({ ...span, monitorId: z.string().optional() })).output(
    z.object({
      monitors: z.array(
        z.object({
          monitorId: z.string(),
          /** The oldest first. */
          callbacks: z.array(
            z.object({
              id: z.number().int(),
              receivedAt: timestampSchema,
              kind: z.enum(['event', 'retry', 'test', 'other', 'refused']),
              /** By the hour rule (docs/interface.md §8). */
              verdict: verdictSchema,
            }),
          ),
        }),
      ),
      /** Whether older ones in the span were left out. */
      isCut: z.boolean(),
    }),
  ),
  /** Asks the service; NETWORK and the like where it does not answer. */
  delivery: procedure.input(oneCallback).output(matchedDeliverySchema),

  /** Whether the connection in use has a secret for signatures (Standard Webhooks), and from where. */
  webhookSecret: procedure.output(z.object({ source: z.enum(['none', 'typed', 'service']) })),
  /** Kept among the secrets, for the connection in use; null forgets it. */
  setWebhookSecret: procedure.input(z.object({ secret: z.string().max(500).nullable() })).output(doneSchema),
};
