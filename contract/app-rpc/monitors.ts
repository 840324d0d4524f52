// The monitors of the connected application (docs/interface.md §4.5), joined with the data of this app's receiver and, from a
// Rainbell service, the state of their deliveries (contract/service-api/delivery.ts).
import { z } from 'zod';
import { attemptKinds, deliveryStateSchema, outcomeSchema, sentEventSchema } from '../service-api/delivery.ts';
import { eventPageSchema, eventPageSizes } from '../service-api/events.ts';
import { monitorExplanationSchema } from '../service-api/monitor-explanation.ts';
import { callbackUriLimit } from '../service-api/monitor.ts';
import { latLngSchema } from '../service-api/geo.ts';
import { monitorOptions } from '../service-api/rain-event.ts';
import { doneSchema, timestampSchema, procedure } from './base.ts';

/** The user's notes on a monitor; stored only in this app, by connection. */
export const monitorNotesSchema = z.object({
  name: z.string().trim().max(200),
  tags: z.array(z.string().trim().min(1).max(60)).max(30),
  note: z.string().max(10_000),
});
export type MonitorNotes = z.infer<typeof monitorNotesSchema>;

/** A delete that core delays, is sending, or could not send. */
const deletionSchema = z.discriminatedUnion('state', [
  z.object({ state: z.enum(['held', 'sending']) }),
  z.object({
    state: z.literal('failed'),
    message: z.string(),
    /** The request behind it, in the traffic log. */
    trafficId: z.int().optional(),
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
  /** Its events, if they are not the interface's (docs/events.md). */
  options: z.object(monitorOptions).optional(),
  uri: z.string().nullable(),
  /** The newest callback of this monitor in this app's store. */
  lastCallback: z.object({ id: z.int(), receivedAt: timestampSchema }).nullable(),
  /** Null if it is not being deleted. */
  deletion: deletionSchema.nullable(),
});
export type AppMonitor = z.infer<typeof appMonitorSchema>;

/** As the service reports it. Times are by the service's clock. */
export const monitorDeliverySchema = deliveryStateSchema.extend({
  created_at: z.string().nullable().describe('null: the service does not report it'),
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
  /** Whether observations confirm the event; null or absent until it is decided, or if the service does not report it. */
  outcome: outcomeSchema.nullish(),
});
export type AppDelivery = z.infer<typeof appDeliverySchema>;

/** Target of a monitor's callbacks: this app's receiver (at a generated path), or a URL. */
export const callbackTargetSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('this-app') }),
  z.object({ kind: z.literal('address'), uri: z.string().max(callbackUriLimit) }),
]);
export type CallbackTarget = z.infer<typeof callbackTargetSchema>;

/** A named view of the table: the query of its link, such as `q=tag%3Aport&sort=-last`. */
export const monitorViewSchema = z.object({ name: z.string().trim().min(1).max(100), query: z.string().max(2000) });
export type SavedMonitorView = z.infer<typeof monitorViewSchema>;

/** `options`: all of them; in an update, those that are missing are removed. */
export const monitorInput = z.object({
  geo: latLngSchema,
  callback: callbackTargetSchema,
  options: z.object(monitorOptions).optional(),
});
const oneMonitor = z.object({ id: z.string() });
const manyMonitors = z.object({ ids: z.array(z.string()).min(1).max(100_000) });

/** `isAvailable` is false for a service that has only the interface. `aheadMs`: the service's clock minus this app's. */
const deliveryStatesSchema = z.discriminatedUnion('isAvailable', [
  z.object({ isAvailable: z.literal(false) }),
  z.object({
    isAvailable: z.literal(true),
    aheadMs: z.number(),
    states: z.array(monitorDeliverySchema),
    /** Null if the service does not return its plan. */
    plan: z.object({ name: z.string().nullable(), monitorLimit: z.number() }).nullable(),
    /** Whether the service also offers `radar.minutes`. */
    hasRadarMinutes: z.boolean(),
    /** Whether the service also offers `backtest.run`. */
    hasBacktest: z.boolean(),
  }),
]);
export type DeliveryStates = z.infer<typeof deliveryStatesSchema>;

/** Of `GET /v2/events/`; times are by the service's clock. */
const eventQuerySchema = z
  .object({
    from: z.string().max(40),
    to: z.string().max(40),
    monitor: z.string().max(100),
    state: z.string().max(200),
    host: z.string().max(260),
    front: z.string().max(100),
    before: z.string().max(20),
    limit: z.int().min(1).max(eventPageSizes.max),
  })
  .partial();
export type EventQuery = z.infer<typeof eventQuerySchema>;

export const monitors = {
  /** `problems`: what of the list can't be shown, in sentences. */
  list: procedure.output(
    z.object({ monitors: z.array(appMonitorSchema), problems: z.array(z.string()), fetchedAt: timestampSchema }),
  ),
  /** POST. */
  create: procedure.input(monitorInput.extend({ notes: monitorNotesSchema.optional() })).output(appMonitorSchema),
  /** PATCH with only the changed fields. The response has no body, so the list is read again, except with `readBack: false`. */
  update: procedure
    .input(oneMonitor.extend({ changes: monitorInput.partial(), readBack: z.boolean().default(true) }))
    .output(appMonitorSchema),
  /** PUT with the full body. */
  replace: procedure.input(monitorInput.extend({ id: z.string() })).output(appMonitorSchema),
  /** Deletes it now. */
  delete: procedure.input(oneMonitor).output(doneSchema),
  /** Deletes after eight seconds, in core: reloading the screen changes nothing, and quitting sends them. */
  deleteLater: procedure.input(manyMonitors).output(doneSchema),
  /** Cancels deletes that were not sent yet, and removes failed ones from the list. */
  undoDelete: procedure.input(manyMonitors).output(z.object({ restored: z.array(z.string()) })),
  setNotes: procedure.input(oneMonitor.extend({ notes: monitorNotesSchema })).output(doneSchema),
  views: procedure.output(z.object({ views: z.array(monitorViewSchema) })),
  replaceViews: procedure.input(z.object({ views: z.array(monitorViewSchema).max(100) })).output(doneSchema),
  /** The states of all monitors at once. */
  deliveryStates: procedure.output(deliveryStatesSchema),
  /** A page of the record of events (contract/service-api/events.ts), newest first; NOT_FOUND if the service has none. */
  events: procedure.input(eventQuerySchema).output(eventPageSchema),
  /** Why it is silent; null if the service has no explanation. Times are by the service's clock. */
  explain: procedure.input(oneMonitor).output(z.object({ explanation: monitorExplanationSchema.nullable() })),
  /** Sends an event again with its `webhook-id`. */
  resend: procedure.input(oneMonitor.extend({ eventId: z.string() })).output(doneSchema),
  /** Sends an event marked as a test; only in the service's sandbox. */
  sendTest: procedure.input(oneMonitor).output(sentEventSchema),
  /** False: pauses the monitor. True: resumes it, or turns delivery to a callback that seemed dead on again. */
  setOn: procedure.input(oneMonitor.extend({ isOn: z.boolean() })).output(doneSchema),
};
