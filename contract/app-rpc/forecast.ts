// One fetch of a forecast: what was asked, what came back to the byte, and what we read in it.
import { z } from 'zod';
import { latLngSchema } from '#contract/service-api/geo.ts';
import { locationSchema, measuredSchema } from '#contract/service-api/weather.ts';
import { headerListSchema, timestampSchema, procedure } from './base.ts';

/** A deviation from the interface, in words; `field` is a path such as `weather.status`. */
export const contractProblemSchema = z.object({ field: z.string(), message: z.string() });
export type ContractProblem = z.infer<typeof contractProblemSchema>;

/** A WeatherPoint as read. What is missing or broken is null and named in `problems`; nothing is made up. */
export const forecastPointSchema = z.object({
  /** Position in the response's `objects`. */
  index: z.number().int(),
  /** The timestamp's text as sent. */
  timestamp: z.string().nullable(),
  at: timestampSchema.nullable(),
  status: z.string().nullable(),
  iconName: z.string().nullable(),
  iconUrl: z.string().nullable(),
  sunAltitude: z.number().nullable(),
  isDay: z.boolean().nullable(),
  geo: latLngSchema.nullable(),
  /** From the query point to the grid point. */
  distanceKm: z.number().nullable(),
  bearingDegrees: z.number().nullable(),
  location: locationSchema.nullable(),
  /** Null when absent; an empty array is something else. */
  sources: z.array(z.string()).nullable(),
  measured: measuredSchema.nullable(),
  /** Where the point's JSON text begins and ends in `response.bodyText`. */
  textRange: z.tuple([z.number().int(), z.number().int()]),
  problems: z.array(contractProblemSchema),
});
export type ForecastPoint = z.infer<typeof forecastPointSchema>;

export const forecastSchema = z.object({
  query: latLngSchema,
  /** IANA zone of the query point; a nautical zone at sea. */
  timeZone: z.string(),
  connectionName: z.string(),
  fetchedAt: timestampSchema,
  tookMs: z.number(),
  request: z.object({ method: z.string(), url: z.string(), headers: headerListSchema }),
  response: z.object({
    status: z.number().int(),
    headers: headerListSchema,
    bodyText: z.string(),
    /** Bytes of the body after decoding. */
    sizeBytes: z.number().int(),
  }),
  points: z.array(forecastPointSchema),
  /** Deviations of the whole response. */
  problems: z.array(contractProblemSchema),
});
export type Forecast = z.infer<typeof forecastSchema>;

/** A fetch that is kept for comparing. */
export const storedFetchSchema = z.object({
  id: z.number().int(),
  connectionId: z.string(),
  connectionName: z.string(),
  fetchedAt: timestampSchema,
});
export type StoredFetch = z.infer<typeof storedFetchSchema>;

/** A kept fetch with the hours in it, as far as they can be read: what the history of one hour needs. */
export const keptSeriesSchema = storedFetchSchema.extend({
  points: z.array(
    z.object({ at: timestampSchema, status: z.string().nullable(), measured: measuredSchema.nullable() }),
  ),
});
export type KeptSeries = z.infer<typeof keptSeriesSchema>;

/** Precipitation of the next two hours in steps of five minutes, from the service's own extension (`GET /v2/nowcast/`). */
export const radarMinutesSchema = z.object({
  query: latLngSchema,
  /** Null where nobody has them: no radar covers the location, and there are no steps. */
  source: z.string().nullable(),
  stepMinutes: z.number(),
  /** How old the source's data was when the response came; null if it does not say so. */
  ageMs: z.number().nullable(),
  fetchedAt: timestampSchema,
  /** Ascending. `rate`: mm/h; null: precipitation at an unknown rate. */
  steps: z.array(z.object({ at: timestampSchema, rate: z.number().nullable() })),
});
export type RadarMinutes = z.infer<typeof radarMinutesSchema>;

/** An icon of the active connection's service, or why there is none. */
export const weatherIconSchema = z.discriminatedUnion('state', [
  /** `dataUrl`: the image as a `data:` URL. */
  z.object({ state: z.literal('loaded'), dataUrl: z.string() }),
  /** `status`: of a response other than 2xx; null if there is no response, and `problem` says why. */
  z.object({ state: z.literal('failed'), status: z.number().int().nullable(), problem: z.string().nullable() }),
  z.object({ state: z.literal('notImage'), status: z.number().int(), contentType: z.string().nullable() }),
  /** Not requested: icons are loaded from the origin of the connection only. */
  z.object({ state: z.literal('otherOrigin'), allowedOrigin: z.string() }),
  /** Drawing it could hold up the screen. */
  z.object({ state: z.literal('tooDetailed') }),
]);
export type WeatherIcon = z.infer<typeof weatherIconSchema>;

export const forecast = {
  /**
   * Fetches now and the next 72 hours (docs/interface.md §4.3), from the connection in use or another saved one, and
   * keeps the answer. The token in `request.headers` is masked.
   */
  get: procedure.input(latLngSchema.extend({ connectionId: z.string().optional() })).output(forecastSchema),
  /** The kept fetches of exactly this place, the newest first. */
  history: procedure.input(latLngSchema).output(z.object({ fetches: z.array(storedFetchSchema) })),
  /** The hours of all kept fetches of exactly this place, the newest fetch first. */
  series: procedure.input(latLngSchema).output(z.object({ fetches: z.array(keptSeriesSchema) })),
  /** Radar minutes from the connection in use. Only for services that offer them (`DeliveryStates.hasRadarMinutes`). */
  minutes: procedure.input(latLngSchema).output(radarMinutesSchema),
  /** A kept fetch as it was. */
  stored: procedure.input(z.object({ id: z.number().int() })).output(forecastSchema),
  /** Loads an icon of the active connection's service, without a token; screens load no pictures from the network. */
  icon: procedure.input(z.object({ url: z.string().max(2048) })).output(weatherIconSchema),
};
