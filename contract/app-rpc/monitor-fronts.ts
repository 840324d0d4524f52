// Events of many monitors that are close in time and place, as one front; and what the user is not notified of.
import { z } from 'zod';
import { latLngSchema } from '../service-api/geo.ts';
import { doneSchema, procedure, timestampSchema } from './base.ts';

const note = z.string().trim().max(500);

export const frontSchema = z.object({
  id: z.string(),
  /** By the service's clock. */
  from: timestampSchema,
  until: timestampSchema,
  /** Where most of its monitors are; null if that has no name. */
  region: z.string().nullable(),
  monitorIds: z.array(z.string()),
  /** Those with failing callbacks, including acknowledged and silenced ones. */
  failedIds: z.array(z.string()),
  acknowledged: z.object({ at: timestampSchema, note }).nullable(),
  isSilenced: z.boolean(),
});
export type Front = z.infer<typeof frontSchema>;

const silence = { id: z.string().max(60), until: timestampSchema, note };

/** No notifications about these monitors until then, by this computer's clock. They are still shown. */
export const silenceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('tag'), ...silence, tag: z.string().min(1).max(60) }),
  z.object({ kind: z.literal('area'), ...silence, center: latLngSchema, radiusKm: z.number().positive().max(2_000) }),
]);
export type Silence = z.infer<typeof silenceSchema>;

export const monitorFronts = {
  /** The last 24 hours, newest first, and the ongoing silences. */
  list: procedure.output(z.object({ fronts: z.array(frontSchema), silences: z.array(silenceSchema) })),
  acknowledge: procedure.input(z.object({ id: z.string().max(300), note })).output(doneSchema),
  replaceSilences: procedure.input(z.object({ silences: z.array(silenceSchema).max(200) })).output(doneSchema),
};
