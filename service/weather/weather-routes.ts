// `GET /v2/weather/` (docs/interface.md §4.3): current weather and the forecast for the next 72 hours at a place. `GET /v2/nowcast/`, a
// Rainbell extension (contract/service-api/nowcast.ts): precipitation for the next two hours in five-minute steps.
import type { FastifyInstance } from 'fastify';
import type { RequireBearer } from '../http/access.ts';
import type { WeatherFaults } from './weather-faults.ts';
import { responseHeaders, notModifiedHeaders, chooseEncoding } from './response/weather-response.ts';
import type { WeatherFastPath } from './response/weather-fast-path.ts';
import { holdsAlready } from '../http/etag.ts';
import type { Weather } from './weather.ts';
import { inQuery, type Operation, type Parameter } from '../http/operation.ts';
import {
  collectionSchema,
  latitudeSchema,
  longitudeSchema,
  weatherPointSchema,
  type LatLng,
  nowcastSchema,
} from '@rainbell/contract/service-api';
import { ServiceError } from '../errors/service-error.ts';
import type { z } from 'zod';
import { type Clock, formatTimestamp } from '@rainbell/shared';

export const placeParameters: readonly Parameter[] = [
  inQuery('location_lat', '45.07', 'Latitude in decimal degrees.', latitudeSchema),
  inQuery('location_lng', '7.69', 'Longitude in decimal degrees.', longitudeSchema),
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

const getNowcast: Operation = {
  id: 'get-nowcast',
  group: 'Weather',
  title: 'Get the nowcast',
  description:
    'Radar-based precipitation for the next two hours, in steps of five minutes, if radar covers the location (MET Norway in the ' +
    'Nordic area, or the simulation). Elsewhere, the list is empty and meta.source is null. This is an extension to the API spec: ' +
    'services that support it list nowcast in meta.extensions of GET /v2/delivery/.',
  parameters: placeParameters,
  responses: [{ status: 200, meaning: 'A list of steps.', schema: nowcastSchema }],
  access: 'bearer',
  isTriable: true,
};

type Dependencies = {
  weather: Weather;
  clock: Clock;
  requireBearer: RequireBearer;
  baseUrl: string;
  faults: Pick<WeatherFaults, 'hook'>;
  /** Once it remembers a URL, the fast path may handle valid URLs before this route. */
  fastPath: Pick<WeatherFastPath, 'remember'>;
};

export function registerWeatherRoutes(server: FastifyInstance, needs: Dependencies): void {
  const { weather, clock, requireBearer, baseUrl, fastPath, faults } = needs;
  server.get<{ Querystring: Record<string, unknown> }>(
    '/v2/weather/',
    {
      onRequest: (_request, reply) => faults.hook(reply),
      preHandler: [requireBearer],
      config: { operation: getWeather },
    },
    async (request, reply) => {
      const place = readPlace(request.query);
      const response = await weather.responseAt(place, baseUrl);
      fastPath.remember(request.url, place);
      if (holdsAlready(request.headers['if-none-match'], response.etag)) {
        return reply.code(304).headers(notModifiedHeaders(response)).send();
      }
      const encoding = chooseEncoding(request.headers['accept-encoding']?.toString());
      return reply.headers(responseHeaders(response, encoding)).send(await response.bytes(encoding));
    },
  );

  server.get<{ Querystring: Record<string, unknown> }>(
    '/v2/nowcast/',
    { preHandler: [requireBearer], config: { operation: getNowcast } },
    async (request): Promise<z.infer<typeof nowcastSchema>> => {
      const minutes = await weather.radarMinutesAt(readPlace(request.query));
      const updatedAt = minutes?.updatedAt;
      return {
        objects: (minutes?.steps ?? []).map(({ from, mmPerHour }) => ({
          timestamp: formatTimestamp(from),
          precipitation_rate: mmPerHour,
        })),
        meta: {
          source: minutes?.source ?? null,
          updated_at: updatedAt === undefined ? null : formatTimestamp(updatedAt),
          step_minutes: 5,
          now: formatTimestamp(clock.now()),
        },
      };
    },
  );
}

const numberForm = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** The interface does not define the error (docs/interface.md §4.3): 400 with the field and its rule. */
export function readPlace(query: Readonly<Record<string, unknown>>): LatLng {
  return { lat: readNumber(query, 'location_lat', 90), lng: readNumber(query, 'location_lng', 180) };
}

function readNumber(query: Readonly<Record<string, unknown>>, name: string, limit: number): number {
  const given = query[name];
  // A plus sign in a query is a space.
  const text = typeof given === 'string' ? given.trim() : '';
  const value = numberForm.test(text) ? Number(text) : Number.NaN;
  if (Math.abs(value) <= limit) return value;
  throw new ServiceError('invalid_request', `${name} must be a number between -${limit} and ${limit}.`);
}
