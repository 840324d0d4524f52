// The monitors of the connected application (docs/interface.md §4.5), joined with what this app's receiver knows of
// them; and what only our own service tells: how their deliveries fare (contract/service-api/delivery.ts).
import { z } from 'zod';
import { attemptKinds, sentEventSchema } from '#contract/service-api/delivery.ts';
import { monitorExplanationSchema } from '#contract/service-api/monitor-explanation.ts';
import { callbackUriLimit } from '#contract/service-api/monitor.ts';
import { latLngSchema } from '#contract/service-api/geo.ts';
import { doneSchema, timestampSchema, procedure } from './base.ts';

/** What a person wrote of a monitor; it stays in this app, by connection. */
export const monitorNotesSchema = z.object({
  name: z.string().trim().max(200),
  tags: z.array(z.string().trim().min(1).max(60)).max(30),
  note: z.string().max(10_000),
});
export type MonitorNotes = z.infer<typeof monitorNotesSchema>;

/** A delete that core holds back, is sending, or could not send. `sendsAt` is by this app's clock. */
const goingSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('held'), sendsAt: timestampSchema }),
  z.object({ state: z.literal('sending') }),
  z.object({
    state: z.literal('failed'),
    message: z.string(),
    /** The request behind it, in the traffic log. */
    exchangeId: z.number().int().optional(),
  }),
]);

export const appMonitorSchema = monitorNotesSchema.extend({
  id: z.string(),
  monitorType: z.string(),
  /** Null when the service left it out (docs/interface.md §2.2). */
  callbackUri: z.string().nullable(),
  /** Whether callbacks go to this app's receiver. */
  toThisApp: z.boolean(),
  geo: latLngSchema,
  uri: z.string().nullable(),
  /** The newest callback of this monitor in this app's store. */
  lastCallback: z.object({ id: z.number().int(), receivedAt: timestampSchema }).nullable(),
  /** Null: it stays. */
  going: goingSchema.nullable(),
});
export type AppMonitor = z.infer<typeof appMonitorSchema>;

/** How a monitor's deliveries stand. Instants are by the service's clock. */
export const monitorDeliverySchema = z.object({
  monitorId: z.string(),
  lastEventAt: timestampSchema.nullable(),
  /** Null: at once. */
  nextAllowedAt: timestampSchema.nullable(),
  /** Counts of events, not of attempts. */
  delivered: z.number(),
  failed: z.number(),
  failedInARow: z.number(),
  isOn: z.boolean(),
  offSince: timestampSchema.nullable(),
  offReason: z.string().nullable(),
  /** Null if the service does not report it. */
  createdAt: timestampSchema.nullable(),
  /** The outcomes of the last events, oldest first: `d` delivered, `f` failed. */
  recentEvents: z.string(),
  lastAttempt: z
    .object({
      startedAt: timestampSchema,
      attempt: z.number(),
      httpStatus: z.number().nullable(),
      /** The service's word for what went wrong; null after a 2xx. */
      error: z.string().nullable(),
    })
    .nullable(),
});
export type MonitorDelivery = z.infer<typeof monitorDeliverySchema>;

/** One POST of the service to a callback. */
export const appDeliverySchema = z.object({
  id: z.string(),
  eventId: z.string(),
  attempt: z.number(),
  kind: z.enum(attemptKinds),
  startedAt: timestampSchema,
  latencyMs: z.number(),
  httpStatus: z.number().nullable(),
  error: z.string().nullable(),
  answer: z.string(),
});
export type AppDelivery = z.infer<typeof appDeliverySchema>;

/** Where a monitor's callbacks shall go: this app's receiver (under a path of our choice), or an address. */
export const callbackTargetSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('this-app') }),
  z.object({ kind: z.literal('address'), uri: z.string().max(callbackUriLimit) }),
]);
export type CallbackTarget = z.infer<typeof callbackTargetSchema>;

/** What the person saw when an edit began; core compares it with a fresh list before it writes. */
const monitorBaseSchema = z.object({ callbackUri: z.string().nullable(), geo: latLngSchema });
export type MonitorBase = z.infer<typeof monitorBaseSchema>;

export const historyKinds = ['created', 'changed', 'replaced', 'deleted', 'callback'] as const;

/** Something that this app did to a monitor, or a callback of it that this app received. */
export const monitorHistoryEntrySchema = z.object({
  at: timestampSchema,
  kind: z.enum(historyKinds),
  /** The account on this machine that edited; null for a callback. */
  by: z.string().nullable(),
  changes: z.array(z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
  callbackId: z.number().int().nullable(),
});
export type MonitorHistoryEntry = z.infer<typeof monitorHistoryEntrySchema>;

/** Whether a test event came back to this app; `untestable`: the service sends none. */
export const redirectedMonitorSchema = z.object({
  monitor: appMonitorSchema,
  proof: z.enum(['arrived', 'missing', 'untestable']),
  tookMs: z.number().nullable(),
});

/** A view of the table under a name: the query of its link, such as `q=tag%3Aport&sort=-last`. */
export const monitorViewSchema = z.object({ name: z.string().trim().min(1).max(100), query: z.string().max(2000) });
export type SavedMonitorView = z.infer<typeof monitorViewSchema>;

const monitorInput = z.object({ geo: latLngSchema, callback: callbackTargetSchema });
const oneMonitor = z.object({ id: z.string() });
const manyMonitors = z.object({ ids: z.array(z.string()).min(1).max(100_000) });
const compared = { base: monitorBaseSchema.optional() };

/** `told` is false for a service that knows only the interface. `aheadMs`: the service's clock less this app's. */
const deliveryStatesSchema = z.discriminatedUnion('told', [
  z.object({ told: z.literal(false) }),
  z.object({
    told: z.literal(true),
    aheadMs: z.number(),
    states: z.array(monitorDeliverySchema),
    /** Null where the service does not tell its plan. */
    plan: z.object({ name: z.string().nullable(), monitorLimit: z.number() }).nullable(),
    /** Whether the service also offers `forecast.minutes`. */
    hasRadarMinutes: z.boolean(),
  }),
]);
export type DeliveryStates = z.infer<typeof deliveryStatesSchema>;

export const monitors = {
  list: procedure.output(z.object({ monitors: z.array(appMonitorSchema), fetchedAt: timestampSchema })),
  /** POST. */
  create: procedure.input(monitorInput.extend({ notes: monitorNotesSchema.optional() })).output(appMonitorSchema),
  /**
   * PATCH with the changed fields only, then the list is read again, since the answer has no body; `readBack: false` spares
   * that to one of many. With `base`, CONFLICT where the monitor was changed elsewhere since, with mine and theirs by field.
   */
  update: procedure
    .input(oneMonitor.extend({ changes: monitorInput.partial(), readBack: z.boolean().default(true), ...compared }))
    .output(appMonitorSchema),
  /** PUT with the full body. */
  replace: procedure.input(monitorInput.extend({ id: z.string(), ...compared })).output(appMonitorSchema),
  /** At once. */
  delete: procedure.input(oneMonitor).output(doneSchema),
  /** Held back for eight seconds, in core: a reloaded screen changes nothing, and quitting sends them. */
  deleteLater: procedure.input(manyMonitors).output(z.object({ sendsAt: timestampSchema })),
  /** Keeps those that were not sent yet, and takes failed ones off. */
  undoDelete: procedure.input(manyMonitors).output(z.object({ kept: z.array(z.string()) })),
  /** Makes the monitor call this app's receiver and proves it by a test event, where the service can send one. */
  callThisApp: procedure.input(oneMonitor).output(redirectedMonitorSchema),
  setNotes: procedure.input(oneMonitor.extend({ notes: monitorNotesSchema })).output(doneSchema),
  views: procedure.output(z.object({ views: z.array(monitorViewSchema) })),
  replaceViews: procedure.input(z.object({ views: z.array(monitorViewSchema).max(100) })).output(doneSchema),
  /** The newest first. */
  history: procedure.input(oneMonitor).output(z.object({ entries: z.array(monitorHistoryEntrySchema) })),
  /** Of all monitors at once. */
  deliveryStates: procedure.output(deliveryStatesSchema),
  /** The newest first; NOT_FOUND where the service tells nothing of deliveries. */
  deliveries: procedure.input(oneMonitor).output(z.object({ deliveries: z.array(appDeliverySchema) })),
  /** Why it is silent; null where the service does not explain. Times are by the service's clock. */
  explain: procedure.input(oneMonitor).output(z.object({ explanation: monitorExplanationSchema.nullable() })),
  /** One more attempt of an event under its own `webhook-id`. */
  resend: procedure.input(oneMonitor.extend({ eventId: z.string() })).output(doneSchema),
  /** An event that is marked as a test; a service allows it in its sandbox only. */
  sendTest: procedure.input(oneMonitor).output(sentEventSchema),
  /** A callback that seemed dead is called again. */
  turnOn: procedure.input(oneMonitor).output(doneSchema),
};
