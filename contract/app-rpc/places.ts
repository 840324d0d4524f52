// Place search, offline.
import { z } from 'zod';
import { latitudeSchema, latLngSchema, longitudeSchema } from '../service-api/geo.ts';
import { procedure } from './base.ts';

export const placeSchema = z.object({
  name: z.string(),
  /** Two-letter code (ISO 3166-1), or null for coordinates that were typed. */
  countryCode: z.string().nullable(),
  /** State, province, or region, if it differs from the name. */
  region: z.string().max(200).optional(),
  lat: latitudeSchema,
  lng: longitudeSchema,
  population: z.number().nullable(),
});
export type Place = z.infer<typeof placeSchema>;
export type PlaceBox = { south: number; west: number; north: number; east: number };

export const places = {
  /** Finds names in any language, airport codes, and US postal codes, despite typos; or the one place of coordinates in any usual form. */
  search: procedure
    .input(z.object({ text: z.string().max(2000), limit: z.int().min(1).max(50).default(8) }))
    .output(z.array(placeSchema)),
  /** The largest towns between two parallels and two meridians, the largest first. */
  within: procedure
    .input(
      z.object({
        south: latitudeSchema,
        west: longitudeSchema,
        north: latitudeSchema,
        east: longitudeSchema,
        limit: z.int().min(1).max(200),
      }),
    )
    .output(z.array(placeSchema)),
  /** The town that each location is in or near, in the order of the locations; null far from any. */
  nearest: procedure
    .input(z.object({ locations: z.array(latLngSchema).max(20_000) }))
    .output(z.array(placeSchema.nullable())),
};
