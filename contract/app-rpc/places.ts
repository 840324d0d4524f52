// Place search, offline.
import { z } from 'zod';
import { latitudeSchema, longitudeSchema } from '#contract/service-api/geo.ts';
import { procedure } from './base.ts';

export const placeSchema = z.object({
  name: z.string(),
  /** Two-letter code (ISO 3166-1), or null for coordinates that were typed. */
  countryCode: z.string().nullable(),
  lat: latitudeSchema,
  lng: longitudeSchema,
  population: z.number().nullable(),
});
export type Place = z.infer<typeof placeSchema>;

export const places = {
  /** The best matches for a name (diacritics and case ignored), or the one place that `45.07, 7.69` means. */
  search: procedure
    .input(z.object({ text: z.string().max(200), limit: z.number().int().min(1).max(50).default(8) }))
    .output(z.array(placeSchema)),
};
