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
  rainfall: z.number().optional().describe('mm of water that fell as rain in an hour'),
  snowfall: z
    .number()
    .optional()
    .describe('depth of the snow that fell in an hour, in mm; 7 mm of it are 1 mm of water'),
});
export type Measured = z.infer<typeof measuredSchema>;

/** Keeps the values that are readable, whatever the others are; null if none is. */
export function readableMeasured(sent: unknown): Measured | null {
  const whole = measuredSchema.safeParse(sent);
  if (whole.success) return whole.data;
  const values = Object.entries(z.record(z.string(), z.unknown()).safeParse(sent).data ?? {});
  const readable = values.filter(([name, value]) => measuredSchema.safeParse({ [name]: value }).success);
  return readable.length === 0 ? null : measuredSchema.parse(Object.fromEntries(readable));
}

export const weatherSchema = z.looseObject({ status: z.string(), measured: measuredSchema.optional() });

export const locationSchema = z.looseObject({ country: z.string().optional(), locality: z.string().optional() });
export type Location = z.infer<typeof locationSchema>;

/** docs/interface.md §2.3. `timestamp` is UTC without a zone suffix; `sun_altitude` is in degrees. */
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
