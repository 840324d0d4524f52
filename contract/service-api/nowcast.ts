// The radar's precipitation for two hours, at `GET /v2/nowcast/`, never part of a WeatherPoint: a Rainbell extension (docs/interface.md §10).
import { z } from 'zod';

/** The value in `meta.extensions` of `GET /v2/delivery/`; the app queries only services that list it. */
export const nowcastExtension = 'nowcast';

/** One step; `timestamp` is its start. */
export const nowcastStepSchema = z.object({
  timestamp: z.string(),
  precipitation_rate: z
    .number()
    .nullable()
    .describe('mm/h, snow as its liquid equivalent; null: precipitation at an unknown rate'),
});

export const nowcastMetaSchema = z.object({
  source: z
    .string()
    .nullable()
    .describe('who provides the rates; null: no provider covers this location, so there are no steps'),
  updated_at: z.string().nullable().describe('when the source computed the rates; null if unknown'),
  step_minutes: z.number(),
  now: z.string().describe("the service's own time, on which its timestamps are based"),
});

export const nowcastSchema = z.object({ objects: z.array(nowcastStepSchema), meta: nowcastMetaSchema });
