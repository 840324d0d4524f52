// `GET /v2/weather/` (§4.3): the weather now and the forecasts of the next 72 hours at a place.
import type { FastifyInstance } from 'fastify';
import { collection } from '#contract/collection.ts';
import type { RequireBearer } from '../http/access.ts';
import { refuseOtherMethods } from '../http/methods.ts';
import type { Weather } from './create-weather.ts';
import { readPlace } from './weather-query.ts';

type Needs = { weather: Weather; requireBearer: RequireBearer; baseUrl: string };

export function registerWeatherRoutes(server: FastifyInstance, { weather, requireBearer, baseUrl }: Needs): void {
  server.get<{ Querystring: Record<string, unknown> }>(
    '/v2/weather/',
    { preHandler: [requireBearer] },
    async (request, reply) => {
      const points = await weather.forecastAt(readPlace(request.query), baseUrl);
      return reply.header('cache-control', 'private, max-age=60').send(collection(points));
    },
  );
  refuseOtherMethods(server, '/v2/weather/', ['GET', 'HEAD']);
}
