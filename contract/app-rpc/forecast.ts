// One fetch of a forecast: the request, the exact bytes of the response, and the values parsed from it.
import { z } from 'zod';
import { latLngSchema } from '../service-api/geo.ts';
import { locationSchema, measuredSchema } from '../service-api/weather.ts';
import { headerListSchema, timestampSchema, procedure } from './base.ts';

/** Describes a deviation from the interface; `field` is a path such as `weather.status`. */
export const contractProblemSchema = z.object({ field: z.string(), message: z.string() });
export type ContractProblem = z.infer<typeof contractProblemSchema>;

/** A parsed WeatherPoint. Missing or invalid values are null and listed in `problems`; nothing is made up. */
export const forecastPointSchema = z.object({
  /** Position in the response's `objects`. */
  index: z.int(),
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
  /** Null if absent, which differs from an empty array. */
  sources: z.array(z.string()).nullable(),
  measured: measuredSchema.nullable(),
  /** Start and end of the point's JSON text in `response.bodyText`. */
  textRange: z.tuple([z.int(), z.int()]),
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
    status: z.int(),
    headers: headerListSchema,
    bodyText: z.string(),
    /** Bytes of the body after decoding. */
    sizeBytes: z.int(),
  }),
  points: z.array(forecastPointSchema),
  /** Deviations of the whole response. */
  problems: z.array(contractProblemSchema),
});
export type Forecast = z.infer<typeof forecastSchema>;

/** A stored forecast with its readable hours, to be compared, and for the history of one hour. */
export const storedFetchSchema = z.object({
  id: z.int(),
  connectionId: z.string(),
  connectionName: z.string(),
  fetchedAt: timestampSchema,
  points: z.array(
    z.object({ at: timestampSchema, status: z.string().nullable(), measured: measuredSchema.nullable() }),
  ),
});
export type StoredFetch = z.infer<typeof storedFetchSchema>;

/** An icon of the active connection's service, or why there is none: in a word for a box of its size, and after its URL. */
export const weatherIconSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('loaded'), dataUrl: z.string() }),
  z.object({ state: z.literal('failed'), short: z.string(), reason: z.string() }),
]);
export type WeatherIcon = z.infer<typeof weatherIconSchema>;

export const forecast = {
  /** Fetches from the selected or another connection (docs/interface.md §4.3), and stores the response. `request.headers` masks the token. */
  get: procedure.input(latLngSchema.extend({ connectionId: z.string().optional() })).output(forecastSchema),
  /** Stored forecasts of exactly this place, newest first. */
  history: procedure.input(latLngSchema).output(z.object({ fetches: z.array(storedFetchSchema) })),
  /** A stored forecast; NOT_FOUND if it was deleted. */
  stored: procedure.input(z.object({ id: z.int() })).output(forecastSchema),
  /** Loads an icon of the active connection's service, without a token; screens load no pictures from the network. */
  icon: procedure.input(z.object({ url: z.string().max(2048) })).output(weatherIconSchema),
};
