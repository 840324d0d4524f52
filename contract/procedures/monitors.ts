// The monitors of the connected application (§4.5), joined with what this app's receiver knows of them; and what only our own
// service tells: how their deliveries fare (contract/delivery.ts).
import { z } from 'zod';
import { attemptKinds, sentEventSchema } from '#contract/delivery.ts';
import { callbackUriLimit } from '#contract/monitor.ts';
import { latLngSchema } from '#contract/geo.ts';
import { doneSchema, instantSchema, procedure } from './base.ts';

export const appMonitorSchema = z.object({
  id: z.string(),
  monitorType: z.string(),
  /** Null when the service left it out (§2.2). */
  callbackUri: z.string().nullable(),
  /** Whether callbacks go to this app's receiver. */
  toThisApp: z.boolean(),
  geo: latLngSchema,
  uri: z.string().nullable(),
  /** The newest callback of this monitor in this app's store. */
  lastCallback: z.object({ id: z.number().int(), receivedAt: instantSchema }).nullable(),
});
export type AppMonitor = z.infer<typeof appMonitorSchema>;

/** How a monitor's deliveries stand. Instants are by the service's clock. */
export const monitorDeliverySchema = z.object({
  monitorId: z.string(),
  lastEventAt: instantSchema.nullable(),
  /** Null: at once. */
  nextAllowedAt: instantSchema.nullable(),
  /** Counts of events, not of attempts. */
  delivered: z.number(),
  failed: z.number(),
  failedInARow: z.number(),
  isOn: z.boolean(),
  offSince: instantSchema.nullable(),
  offReason: z.string().nullable(),
  lastAttempt: z
    .object({
      startedAt: instantSchema,
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
  startedAt: instantSchema,
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

const monitorInput = z.object({ geo: latLngSchema, callback: callbackTargetSchema });
const oneMonitor = z.object({ id: z.string() });

/** `told` is false for a service that knows only the interface. `aheadMs`: the service's clock less this app's. */
const deliveryStatesSchema = z.discriminatedUnion('told', [
  z.object({ told: z.literal(false) }),
  z.object({ told: z.literal(true), aheadMs: z.number(), states: z.array(monitorDeliverySchema) }),
]);
export type DeliveryStates = z.infer<typeof deliveryStatesSchema>;

export const monitors = {
  list: procedure.output(z.object({ monitors: z.array(appMonitorSchema), fetchedAt: instantSchema })),
  /** POST. */
  create: procedure.input(monitorInput).output(appMonitorSchema),
  /** PATCH with the changed fields only, then the list is read again, since the answer has no body. */
  update: procedure.input(oneMonitor.extend({ changes: monitorInput.partial() })).output(appMonitorSchema),
  /** PUT with the full body. */
  replace: procedure.input(monitorInput.extend({ id: z.string() })).output(appMonitorSchema),
  delete: procedure.input(oneMonitor).output(doneSchema),
  /** Of all monitors at once. */
  deliveryStates: procedure.output(deliveryStatesSchema),
  /** The newest first; NOT_FOUND where the service tells nothing of deliveries. */
  deliveries: procedure.input(oneMonitor).output(z.object({ deliveries: z.array(appDeliverySchema) })),
  /** One more attempt of an event under its own `webhook-id`. */
  resend: procedure.input(oneMonitor.extend({ eventId: z.string() })).output(doneSchema),
  /** An event that is marked as a test; a service allows it in its sandbox only. */
  sendTest: procedure.input(oneMonitor).output(sentEventSchema),
  /** A callback that seemed dead is called again. */
  turnOn: procedure.input(oneMonitor).output(doneSchema),
};
