// `GET /v2/weather/` (§4.3): the weather now and the forecasts of the next 72 hours at a place.
import type { FastifyInstance } from 'fastify';
import type { RequireBearer } from '../http/access.ts';
import type { WeatherFaults } from './weather-faults.ts';
import { answerHeaders, notModifiedHeaders } from './answer/answer-headers.ts';
import type { WeatherFastPath } from './answer/weather-fast-path.ts';
import { chooseEncoding, holdsAlready } from './answer/negotiation.ts';
import type { Weather } from './create-weather.ts';
import { readPlace } from './answer/weather-query.ts';

type Dependencies = {
  weather: Weather;
  requireBearer: RequireBearer;
  baseUrl: string;
  /** Faults that the sandbox switched on. */
  faults: Pick<WeatherFaults, 'hook'>;
  /** Addresses that are valid may be answered in front of this route from then on. */
  fastPath: Pick<WeatherFastPath, 'remember'>;
};

export function registerWeatherRoutes(server: FastifyInstance, needs: Dependencies): void {
  const { weather, requireBearer, baseUrl, fastPath, faults } = needs;
  server.get<{ Querystring: Record<string, unknown> }>(
    '/v2/weather/',
    { onRequest: (request, reply) => faults.hook(request, reply), preHandler: [requireBearer] },
    async (request, reply) => {
      const place = readPlace(request.query);
      const answer = await weather.answerAt(place, baseUrl);
      fastPath.remember(request.url, weather.cellOf(place));
      if (holdsAlready(request.headers['if-none-match'], answer.etag)) {
        return reply.code(304).headers(notModifiedHeaders(answer)).send();
      }
      const encoding = chooseEncoding(request.headers['accept-encoding']?.toString());
      return reply.headers(answerHeaders(answer, encoding)).send(await answer.bytes(encoding));
    },
  );
}
