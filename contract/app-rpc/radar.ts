// The radar's precipitation of the next two hours (contract/service-api/nowcast.ts).
import { z } from 'zod';
import { latLngSchema } from '../service-api/geo.ts';
import { procedure, timestampSchema } from './base.ts';

/** Precipitation for the next two hours in five-minute steps, from a Rainbell service's extension (`GET /v2/nowcast/`). */
export const radarMinutesSchema = z.object({
  query: latLngSchema,
  /** Null if there are no steps because no radar covers the location. */
  source: z.string().nullable(),
  stepMinutes: z.number(),
  /** Age of the source's data when the response arrived; null if it does not say. */
  ageMs: z.number().nullable(),
  fetchedAt: timestampSchema,
  /** Ascending. `rate`: mm/h; null: precipitation at an unknown rate. */
  steps: z.array(z.object({ at: timestampSchema, rate: z.number().nullable() })),
});
export type RadarMinutes = z.infer<typeof radarMinutesSchema>;

export const radar = {
  /** From the selected connection. Only for services that offer them (`DeliveryStates.hasRadarMinutes`). */
  minutes: procedure.input(latLngSchema).output(radarMinutesSchema),
};
