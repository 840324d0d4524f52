// The radar's precipitation of the next two hours in steps of five minutes: an addition of our own service to the interface, at
// `GET /v2/nowcast/` (docs/decisions/interface-gaps.md). It is never part of a WeatherPoint.
import { z } from 'zod';

/** How `GET /v2/delivery/` names it in `meta.extensions`: only services that do are asked. */
export const nowcastExtension = 'nowcast';

/** One step; `timestamp` is when it begins. */
export const nowcastStepSchema = z.object({
  timestamp: z.string(),
  precipitation_rate: z
    .number()
    .nullable()
    .describe('mm/h, snow as melted water; null: precipitation at an unknown rate'),
});

export const nowcastMetaSchema = z.object({
  source: z.string().nullable().describe('who provides the rates; null: nobody does here, and there are no steps'),
  updated_at: z.string().nullable().describe('when the source made them; null if it does not say so'),
  step_minutes: z.number(),
  now: z.string().describe("the service's own time, by which the others count"),
});

export const nowcastSchema = z.object({ objects: z.array(nowcastStepSchema), meta: nowcastMetaSchema });
