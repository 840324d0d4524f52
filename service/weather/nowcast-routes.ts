// `GET /v2/nowcast/`: precipitation for the next two hours in five-minute steps, a Rainbell extension
// (contract/service-api/nowcast.ts). The weather response itself follows the interface.
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { type Clock, formatTimestamp } from '@rainbell/shared';
import { nowcastSchema } from '@rainbell/contract/service-api';
import type { RequireBearer } from '../http/access.ts';
import type { Operation } from '../http/operation.ts';
import { readPlace } from './response/weather-query.ts';
import type { Weather } from './weather.ts';
import { placeParameters } from './weather-routes.ts';

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

type Dependencies = { weather: Pick<Weather, 'radarMinutesAt'>; clock: Clock; requireBearer: RequireBearer };

export function registerNowcastRoutes(server: FastifyInstance, { weather, clock, requireBearer }: Dependencies): void {
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
