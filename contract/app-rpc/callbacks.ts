// What the callback receiver stored, newest first. IDs grow by one with each stored callback and are never reused.
import { z } from 'zod';
import { callbackResponseSchema, callbackOutcomeSchema, callbackRefusalSchema } from './callback-outcome.ts';
import { doneSchema, headerListSchema, timestampSchema, procedure } from './base.ts';
import { settingsTable } from './settings-table.ts';
import {
  callbackChoiceSchema,
  callbackFilterSchema,
  callbackProofSchema,
  exportInputSchema,
  exportPageSchema,
  importInputSchema,
  importStateSchema,
} from './callback-files.ts';
import { callbackOrders, verdictNames } from './callback-verdicts.ts';
import { callbackSendSchema } from './callback-sends.ts';
import { appDeliverySchema } from './monitors.ts';
import { signatureCauseIds } from './signature-causes.ts';
import { rainEventTypes } from '../service-api/rain-event.ts';

/** `unknown` if the data for a check is missing. */
export const checkVerdictSchema = z.enum(['ok', 'warning', 'error', 'unknown']);
export type CheckVerdict = z.infer<typeof checkVerdictSchema>;

export const callbackSummarySchema = z.object({
  id: z.int(),
  receivedAt: timestampSchema,
  method: z.string(),
  /** Request target as sent, for example `/hooks/torino?x=1`. */
  target: z.string(),
  remoteAddress: z.string(),
  sizeBytes: z.int(),
  /** The status sent; 0 if none was. If `outcome` is `waiting` or `unrecorded`: the status that was planned. */
  answeredStatus: z.int(),
  outcome: callbackOutcomeSchema,
  /** For a request that was refused before it became a callback; then `kind` is `refused`. */
  refusal: callbackRefusalSchema.nullable(),
  /** The monitor ID in the body of what may be a monitor's event. */
  monitorId: z.string().nullable(),
  /** The name of the sender of any other request, chosen for its path or recognized. */
  sender: z.string().optional(),
  /** As its sender names it, for instance `payment_intent.succeeded`. */
  eventType: z.string().optional(),
  /** Shared by the events of one rain (docs/events.md). */
  episodeId: z.string().optional(),
  /** Whether the monitor is proven to be the active connection's: by signature, log, or its own callback URL. */
  isMonitorOwn: z.boolean(),
  /** The worst of its checks. */
  verdict: checkVerdictSchema,
  verdictName: z.enum(verdictNames),
  /** A first attempt, a later one of the same event (`webhook-id`), a test event, or no Monitor's POST at all. */
  kind: z.enum(['event', 'retry', 'test', 'other', 'refused']),
  hasNote: z.boolean(),
  isImported: z.boolean(),
  /** The service's feed returned it (docs/feed.md): no request arrived, and no response was sent. */
  isByFeed: z.boolean(),
});
export type CallbackSummary = z.infer<typeof callbackSummarySchema>;

/** The result of checking a callback and its signature against the interface (docs/interface.md §2.2, §6, §8). */
export const callbackCheckSchema = z.object({
  check: z.enum(['request', 'monitor', 'registered', 'address', 'hour', 'signature', 'storage', 'sender', 'handshake']),
  verdict: checkVerdictSchema,
  /** How an event breaks the hour rule. */
  breach: z.enum(['too-soon', 'out-of-order']).optional(),
  message: z.string(),
});
export type CallbackCheck = z.infer<typeof callbackCheckSchema>;

/** The part of an episode that one event is about (docs/events.md). */
const episodePartSchema = z.object({
  callbackId: z.int(),
  type: z.enum(rainEventTypes),
  /** When it starts, started, or ended; of a canceled one, when it was expected. */
  at: timestampSchema.nullable(),
  /** In mm. */
  amount: z.number().nullable(),
});
export type EpisodePart = z.infer<typeof episodePartSchema>;

export const callbackSchema = callbackSummarySchema.extend({
  httpVersion: z.string(),
  headers: headerListSchema,
  /** Null for a refused request. */
  head: z
    .object({
      base64: z.string(),
      /** Whether these are the bytes received. Otherwise they are written from the parsed headers. */
      isExact: z.boolean(),
    })
    .nullable(),
  /** Headers after a chunked body. */
  trailers: headerListSchema,
  /** The response as sent or planned; null if it was not recorded. */
  answer: callbackResponseSchema.nullable(),
  /** The body's bytes as received. Of a refused request: its first bytes, with secrets masked. */
  bodyBase64: z.string(),
  /** The body without its `Content-Encoding`; null for a plain body. */
  decoded: z
    .object({
      /** As in the header, for instance `gzip`. */
      coding: z.string(),
      /** Empty with a problem. */
      bodyBase64: z.string(),
      sizeBytes: z.int(),
      /** Why it can’t be decoded, as a sentence. */
      problem: z.string().nullable(),
    })
    .nullable(),
  /** Whether the body was cut at the receiver's limit; `sizeBytes` counts what is kept. */
  truncated: z.boolean(),
  /** Whether an earlier callback has the same event and came the other way: by the feed, or as a request. */
  hasOtherWay: z.boolean(),
  checks: z.array(callbackCheckSchema),
  /** The events of its episode that are stored, in their order; empty without one. */
  episode: z.array(episodePartSchema),
  /** Empty if the user wrote none. */
  note: z.string(),
  /** Replays, edited requests, and forwards of it, newest first, at most 100. */
  sends: z.array(callbackSendSchema),
});
export type Callback = z.infer<typeof callbackSchema>;

export const customTokens = [
  '{body}',
  '{method}',
  '{url}',
  '{path}',
  '{header:NAME}',
  '{query:NAME}',
  '{json:PATH}',
] as const;

/** How a sender signs that no built-in row describes. */
export const customRuleSchema = z.object({
  header: z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, 'must be the name of a header'),
  /** Before the signature, such as `sha256=`. */
  prefix: z.string().max(40).default(''),
  algorithm: z
    .enum(['hmac-sha1', 'hmac-sha256', 'hmac-sha384', 'hmac-sha512', 'ed25519', 'equals'])
    .default('hmac-sha256'),
  encoding: z.enum(['hex', 'base64']).default('hex'),
  /** How the secret is written. */
  keyEncoding: z.enum(['text', 'hex', 'base64']).default('text'),
  /** The signed text, with the tokens of `customTokens`. */
  content: z
    .string()
    .max(500)
    .regex(/^(?:[^{}]|\{(?:body|method|url|path|(?:header|query|json):[\w.-]+)\})*$/, 'has an unknown token')
    .default('{body}'),
});
export type CustomRule = z.infer<typeof customRuleSchema>;

/** At most what the whole store may have. */
function limitAsOf(setting: 'keptLimits.keptCallbacks' | 'keptLimits.keptDays' | 'keptLimits.keptMegabytes') {
  return z.int().min(1).max(settingsTable[setting].max).nullable().default(null);
}

/** A named path of the receiver with separate limits, in addition to those of the whole store. Null: none. */
export const endpointSchema = z.object({
  id: z.string().regex(/^[a-z0-9-]{1,40}$/),
  name: z.string().min(1).max(100),
  /** The path without its query; a `*` at the end matches any rest. The first matching endpoint applies. */
  path: z
    .string()
    .max(2048)
    .regex(/^\/[^*?#\s]*\*?$/, 'must start with / and may end with *'),
  keptCallbacks: limitAsOf('keptLimits.keptCallbacks'),
  keptDays: limitAsOf('keptLimits.keptDays'),
  keptMegabytes: limitAsOf('keptLimits.keptMegabytes'),
  /** The ID of a sender that `endpoints` lists; without it, each request is recognized. */
  sender: z.string().max(40).optional(),
  /** The user's own rule, in place of `sender`. */
  customRule: customRuleSchema.optional(),
  /** As registered with the sender, which may sign it. A URL without a path stands for all paths. */
  publicUrl: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .optional(),
  /** What the sender must repeat when it checks the receiver. */
  verifyToken: z.string().min(1).max(500).optional(),
});
export type Endpoint = z.infer<typeof endpointSchema>;

/** Counts are since the endpoint was named. */
export const endpointStateSchema = endpointSchema.extend({
  total: z.int(),
  bytes: z.int(),
  /** How many are stored. They are never returned. */
  secrets: z.int(),
});
export type EndpointState = z.infer<typeof endpointStateSchema>;

export const savedFilterSchema = z.object({ name: z.string().min(1).max(100), query: z.string().max(2000) });
export type SavedFilter = z.infer<typeof savedFilterSchema>;

/** An invalid term of a query, with the error message. */
export const queryProblemSchema = z.object({ term: z.string(), message: z.string() });

/** More unread callbacks are not counted. */
export const maxUnread = 999;
/** Unread are those above `throughId`, except refused requests. */
export const unreadCallbacksSchema = z.object({ count: z.int(), isMore: z.boolean(), throughId: z.int() });
export type UnreadCallbacks = z.infer<typeof unreadCallbacksSchema>;

/** A callback on the timeline of its monitor. */
const hourMarkSchema = callbackSummarySchema.pick({ id: true, receivedAt: true, kind: true }).extend({
  /** By the hour rule (docs/interface.md §8). */
  verdict: checkVerdictSchema,
});
export type HourMark = z.infer<typeof hourMarkSchema>;

const verdictCountSchema = z.object({ verdict: z.enum(verdictNames), count: z.int() });

export const histogramSchema = z.object({
  /** The axis, in whole bars. */
  from: timestampSchema,
  to: timestampSchema,
  barSeconds: z.int(),
  /** In order, without empty bars. `unknown` includes callbacks that are not checked yet. */
  bars: z.array(z.object({ at: timestampSchema, counts: z.array(verdictCountSchema) })),
  /** Counts of the selected time, or of all bars. */
  facets: z.array(verdictCountSchema),
  /** Callbacks without a verdict yet; their counts are correct, their verdicts are not. */
  unvalidated: z.int(),
});
export type CallbackHistogram = z.infer<typeof histogramSchema>;

/** `typed`: entered by the user. `service`: sent by the sandbox. `published`: a Rainbell service's public key. */
export const webhookKeySources = ['none', 'typed', 'service', 'published'] as const;
export type WebhookKeySource = (typeof webhookKeySources)[number];

const signatureDiagnosisSchema = z.object({
  /** The name of the sender by whose rule the signature is verified. */
  sender: z.string(),
  /** With the current secrets, whatever the age. `unchecked`: none of them has the form that the sender's scheme uses. */
  outcome: z.enum(['valid', 'wrong', 'missing', 'unchecked']),
  /** Whether the signature verifies with `causes`. */
  verifies: z.boolean(),
  /** The combination that makes it verify (contract/app-rpc/signature-causes.ts); empty if it is correct. */
  causes: z.array(z.enum(signatureCauseIds)),
  /** Sentences with the values of the causes, such as the URL that was signed. */
  details: z.array(z.string()),
  /** Sentences that nothing proves; only without causes. */
  guesses: z.array(z.string()),
  /** How many combinations were tried; for a large body not all. */
  tried: z.int(),
  isComplete: z.boolean(),
});
export type SignatureDiagnosis = z.infer<typeof signatureDiagnosisSchema>;

/** Instead of the connection's keys. */
const knownSecretsSchema = z
  .array(z.object({ secret: z.string().max(500), origin: z.enum(['current', 'client']) }))
  .max(100);

const oneCallback = z.object({ id: z.int() });

/** What the service's delivery log says of a callback. */
const matchedDeliverySchema = z.object({
  /** The attempt that sent the callback, or that it repeats. */
  attempt: appDeliverySchema,
  /** Sent again by this app or another, not by the attempt. */
  isCopy: z.boolean(),
  /** The attempts of the event, oldest first; `callbackId` if one arrived here. */
  attempts: z.array(appDeliverySchema.extend({ callbackId: z.int().nullable() })),
});
export type MatchedDelivery = z.infer<typeof matchedDeliverySchema>;

export const callbacks = {
  unread: procedure.output(unreadCallbacksSchema),
  /** This callback, and all before it. */
  markRead: procedure.input(z.object({ throughId: z.int() })).output(unreadCallbacksSchema),
  /** Returns a page, newest first; `beforeId` continues below a known one. */
  list: procedure
    .input(z.object({ beforeId: z.int().optional(), limit: z.int().min(1).max(500).default(100) }))
    .output(z.object({ items: z.array(callbackSummarySchema), total: z.int(), newestId: z.int() })),
  /** Newest first, a bounded part per call, which can find nothing and still return a `nextBeforeId`; null at the end. Stops at `afterId`. */
  search: procedure
    .input(
      z.object({
        ...callbackFilterSchema.shape,
        beforeId: z.int().optional(),
        afterId: z.int().optional(),
        limit: z.int().min(1).max(500).default(100),
      }),
    )
    .output(
      z.object({
        items: z.array(callbackSummarySchema),
        nextBeforeId: z.int().nullable(),
        /** Rows scanned by this call. */
        scanned: z.int(),
        problems: z.array(queryProblemSchema),
      }),
    ),
  /** Counts a query's matches exactly, up to an ID. INVALID_INPUT for an invalid term. */
  count: procedure.input(callbackFilterSchema.extend({ throughId: z.int() })).output(z.object({ count: z.int() })),
  /** Returns a page of a filter's matches up to an ID, not in order of receipt. INVALID_INPUT as in `count`. */
  sorted: procedure
    .input(
      callbackFilterSchema.extend({
        order: z.enum(callbackOrders),
        throughId: z.int(),
        offset: z.int().min(0),
        limit: z.int().min(1).max(500).default(100),
      }),
    )
    .output(z.object({ items: z.array(callbackSummarySchema), total: z.int() })),
  /** Counts the query's matches by time and verdict, whatever is selected. Call again until `unvalidated` is 0. INVALID_INPUT as in `count`. */
  histogram: procedure
    .input(
      callbackFilterSchema.pick({ query: true }).extend({
        /** The time range whose verdicts `facets` counts. */
        selected: z.object({ from: timestampSchema, to: timestampSchema }).nullable(),
        /** The last N seconds; null for all stored. */
        seconds: z
          .int()
          .min(60)
          .max(366 * 86_400)
          .nullable(),
        /** Maximum number of bars. Each is 1 s to 1 h wide, or wider if the axis spans weeks. */
        bars: z.int().min(1).max(400).default(120),
      }),
    )
    .output(histogramSchema),
  get: procedure.input(oneCallback).output(callbackSchema),
  /** Hides them at once, and removes them after 8 s unless `undoDelete` is called. */
  delete: procedure
    .input(z.object({ choice: callbackChoiceSchema }))
    .output(z.object({ deletionId: z.string(), count: z.int(), undoUntil: timestampSchema })),
  /** NOT_FOUND after 8 s. */
  undoDelete: procedure.input(z.object({ deletionId: z.string() })).output(z.object({ count: z.int() })),
  /** An empty note removes it. */
  setNote: procedure.input(oneCallback.extend({ note: z.string().max(10_000) })).output(doneSchema),

  endpoints: procedure.output(
    z.object({
      endpoints: z.array(endpointStateSchema),
      /** The senders that can be chosen, by name. */
      senders: z.array(z.object({ id: z.string(), name: z.string(), secretName: z.string() })),
    }),
  ),
  /** `newSecrets` are added by the endpoint's ID; an empty list deletes all of it. */
  replaceEndpoints: procedure
    .input(
      z.object({
        endpoints: z.array(endpointSchema).max(200),
        newSecrets: z.record(z.string(), z.array(z.string().min(1).max(4096)).max(20)).default({}),
      }),
    )
    .output(doneSchema),
  filters: procedure.output(z.object({ filters: z.array(savedFilterSchema) })),
  replaceFilters: procedure.input(z.object({ filters: z.array(savedFilterSchema).max(100) })).output(doneSchema),

  exportPage: procedure.input(exportInputSchema).output(exportPageSchema),
  /** A callback as one HTML file that opens offline, with secrets masked except in the body (docs/proof.md). UNAVAILABLE for a refused request. */
  proof: procedure.input(oneCallback).output(callbackProofSchema),
  importPiece: procedure.input(importInputSchema).output(importStateSchema),

  /** A monitor's callbacks since a time, oldest first; of more than 2,000, the newest. */
  hours: procedure
    .input(z.object({ monitorId: z.string(), from: timestampSchema }))
    .output(z.object({ callbacks: z.array(hourMarkSchema) })),
  /** Queries the service; throws NETWORK and similar if it does not respond. Null if its log has no such event. */
  delivery: procedure.input(oneCallback).output(matchedDeliverySchema.nullable()),

  /** See docs/signature-doctor.md. UNAVAILABLE without the whole body or a known sender. `sender`: one of `endpoints`, to use instead. */
  diagnoseSignature: procedure
    .input(oneCallback.extend({ secrets: knownSecretsSchema.optional(), sender: z.string().max(40).optional() }))
    .output(signatureDiagnosisSchema),
  /** Whether the selected connection has keys to verify signatures (Standard Webhooks), and their source. */
  webhookSecret: procedure.output(z.object({ source: z.enum(webhookKeySources) })),
  /** Stores keys, separated by spaces, as secrets of the selected connection. Null deletes them. */
  setWebhookSecret: procedure.input(z.object({ secret: z.string().max(500).nullable() })).output(doneSchema),
};
