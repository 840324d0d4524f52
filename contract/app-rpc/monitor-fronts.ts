// Events of many monitors that are close in time and place, as one front; and what the user is not notified of.
import { z } from 'zod';
import { frontRecordSchema } from '../service-api/fronts.ts';
import { latLngSchema } from '../service-api/geo.ts';
import { doneSchema, procedure, timestampSchema } from './base.ts';

const note = z.string().trim().max(500);
/** Who decided something, and when by this computer's clock. */
const decision = { by: z.string().max(200), at: timestampSchema, note };

/** With times by the service's clock, and failures of acknowledged and silenced monitors, too. */
const frontSchema = frontRecordSchema.extend({
  /** Where most of its monitors are; null if that has no name. */
  region: z.string().nullable(),
  acknowledged: z.object(decision).nullable(),
  isSilenced: z.boolean(),
});
export type Front = z.infer<typeof frontSchema>;

/** No notifications about these monitors until then, by this computer's clock. They are still shown. */
const newSilenceSchema = z.object({
  until: timestampSchema,
  note,
  monitors: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('tag'), tag: z.string().min(1).max(60) }),
    z.object({ kind: z.literal('area'), center: latLngSchema, radiusKm: z.number().positive().max(2_000) }),
  ]),
});
export type NewSilence = z.infer<typeof newSilenceSchema>;

export const silenceSchema = newSilenceSchema.extend({ id: z.string(), ...decision });
export type Silence = z.infer<typeof silenceSchema>;

const id = z.string().max(300);

export const monitorFronts = {
  /** From the service's record, newest first, and the ongoing silences. `from` and `to`: default: the last 24 hours. */
  list: procedure.input(z.object({ from: timestampSchema.optional(), to: timestampSchema.optional() })).output(
    z.object({
      /** False: the service has no record of events. */
      isAvailable: z.boolean(),
      fronts: z.array(frontSchema),
      /** Earlier ones are missing, because there are too many events; null: none is. */
      missingBefore: timestampSchema.nullable(),
      silences: z.array(silenceSchema),
    }),
  ),
  acknowledge: procedure.input(z.object({ id, note })).output(doneSchema),
  silence: procedure.input(newSilenceSchema).output(doneSchema),
  endSilence: procedure.input(z.object({ id })).output(doneSchema),
};
