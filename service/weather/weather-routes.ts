// `GET /v2/weather/` (docs/interface.md §4.3): current weather and the forecast for the next 72 hours at a place.
import type { FastifyInstance } from 'fastify';
import type { RequireBearer } from '../http/access.ts';
import type { WeatherFaults } from './weather-faults.ts';
import { responseHeaders, notModifiedHeaders } from './response/response-headers.ts';
import type { WeatherFastPath } from './response/weather-fast-path.ts';
import { holdsAlready } from '../http/etag.ts';
import { chooseEncoding } from './response/negotiation.ts';
import type { Weather } from './weather.ts';
import { readPlace } from './response/weather-query.ts';
import type { Operation, Parameter } from '../http/operation.ts';
import { collectionSchema, latitudeSchema, longitudeSchema, weatherPointSchema } from '@rainbell/contract/service-api';

/** Parameters of `readPlace`. */
export const placeParameters: readonly Parameter[] = [
  {
    name: 'location_lat',
    in: 'query',
    schema: latitudeSchema,
    example: '45.07',
    meaning: 'Latitude in decimal degrees.',
  },
  {
    name: 'location_lng',
    in: 'query',
    schema: longitudeSchema,
    example: '7.69',
    meaning: 'Longitude in decimal degrees.',
  },
];

const getWeather: Operation = {
  id: 'get-weather',
  group: 'Weather',
  title: 'Get the weather',
  description:
    'The weather now and for the next 72 hours. The first point is the current weather; forecast points follow in chronological ' +
    'order. Timestamps are in UTC, without a zone suffix. Points are on a grid, so their location can differ slightly from the requested one.',
  parameters: placeParameters,
  responses: [{ status: 200, meaning: 'A list of weather points.', schema: collectionSchema(weatherPointSchema) }],
  hasEtag: true,
  access: 'bearer',
  isTriable: true,
};

type Dependencies = {
  weather: Weather;
  requireBearer: RequireBearer;
  baseUrl: string;
  /** Faults injected by the sandbox. */
  faults: Pick<WeatherFaults, 'hook'>;
  /** From then on, the fast path may handle valid URLs before this route. */
  fastPath: Pick<WeatherFastPath, 'remember'>;
};

export function registerWeatherRoutes(server: FastifyInstance, needs: Dependencies): void {
  const { weather, requireBearer, baseUrl, fastPath, faults } = needs;
  server.get<{ Querystring: Record<string, unknown> }>(
    '/v2/weather/',
    {
      onRequest: (request, reply) => faults.hook(request, reply),
      preHandler: [requireBearer],
      config: { operation: getWeather },
    },
    async (request, reply) => {
      const place = readPlace(request.query);
      const response = await weather.responseAt(place, baseUrl);
      fastPath.remember(request.url, weather.cellOf(place));
      if (holdsAlready(request.headers['if-none-match'], response.etag)) {
        return reply.code(304).headers(notModifiedHeaders(response)).send();
      }
      const encoding = chooseEncoding(request.headers['accept-encoding']?.toString());
      return reply.headers(responseHeaders(response, encoding)).send(await response.bytes(encoding));
    },
  );
}
