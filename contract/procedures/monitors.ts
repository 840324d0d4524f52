// The monitors of the connected application (§4.5), joined with what this app's receiver knows of them.
import { z } from 'zod';
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

/** Where a monitor's callbacks shall go: this app's receiver (under a path of our choice), or an address. */
export const callbackTargetSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('this-app') }),
  z.object({ kind: z.literal('address'), uri: z.string().max(callbackUriLimit) }),
]);
export type CallbackTarget = z.infer<typeof callbackTargetSchema>;

const monitorInput = z.object({ geo: latLngSchema, callback: callbackTargetSchema });

export const monitors = {
  list: procedure.output(z.object({ monitors: z.array(appMonitorSchema), fetchedAt: instantSchema })),
  /** POST. */
  create: procedure.input(monitorInput).output(appMonitorSchema),
  /** PATCH with the changed fields only, then the list is read again, since the answer has no body. */
  update: procedure.input(z.object({ id: z.string(), changes: monitorInput.partial() })).output(appMonitorSchema),
  /** PUT with the full body. */
  replace: procedure.input(monitorInput.extend({ id: z.string() })).output(appMonitorSchema),
  delete: procedure.input(z.object({ id: z.string() })).output(doneSchema),
};
