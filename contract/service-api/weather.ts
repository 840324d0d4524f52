// Weather as JSON (docs/interface.md §2.3 to §2.5). The schemas tolerate unknown members, because other services may add some.
import { z } from 'zod';
import { geoPointSchema } from './geo.ts';

/** A Rainbell extension of Weather: only values that the provider has. Units are in the field's description. */
export const measuredSchema = z.looseObject({
  temperature: z.number().optional().describe('kelvin'),
  dew_point: z.number().optional().describe('kelvin'),
  humidity: z.number().optional().describe('percent'),
  pressure: z.number().optional().describe('hPa at sea level'),
  wind_speed: z.number().optional().describe('m/s'),
  wind_direction: z.number().optional().describe('direction the wind blows from, in degrees clockwise from north'),
  rainfall: z.number().optional().describe('mm during the hour'),
  snowfall: z.number().optional().describe('mm during the hour'),
});
export type Measured = z.infer<typeof measuredSchema>;

export const weatherSchema = z.looseObject({ status: z.string(), measured: measuredSchema.optional() });

export const locationSchema = z.looseObject({ country: z.string().optional(), locality: z.string().optional() });
export type Location = z.infer<typeof locationSchema>;

/**
 * docs/interface.md §2.3. `timestamp` is UTC without a zone suffix (timestamp.ts reads it); `sun_altitude` is in
 * degrees.
 */
export const weatherPointSchema = z.looseObject({
  timestamp: z.string(),
  weather: weatherSchema,
  geo: geoPointSchema,
  location: locationSchema.optional(),
  icon: z.string(),
  sun_altitude: z.number(),
  sources: z.array(z.string()).optional(),
});
export type WeatherPoint = z.infer<typeof weatherPointSchema>;
/** The fields in the schema, without tolerated unknown ones. */
export type WeatherPointField = keyof typeof weatherPointSchema.shape;

/** docs/interface.md §8: how far a forecast reaches. */
export const forecastHorizonHours = 72;
