// `GET /v2/backtest/`: what a monitor at a location would have done, a Rainbell extension (contract/service-api/backtest.ts).
import type { FastifyInstance } from 'fastify';
import { backtestSchema, conditionsSchema, type EventRules, eventRulesOf } from '@rainbell/contract/service-api';
import { quotable, ServiceError } from '../errors/service-error.ts';
import type { RequireBearer } from '../http/access.ts';
import { inQuery, type Operation } from '../http/operation.ts';
import { createLimiter } from '../limits/limiter.ts';
import { rateLimited } from '../limits/throttle.ts';
import { readPlace, placeParameters } from '../weather/weather-routes.ts';
import type { Backtests } from './backtest.ts';

const { shape } = conditionsSchema;
const conditionMeaning = 'The condition of a monitor with a payload, whose starts then count.';
const conditionParameters = [
  inQuery('min_precipitation_rate', 0.5, conditionMeaning, shape.min_precipitation_rate),
  inQuery('dry_minutes', 60, conditionMeaning, shape.dry_minutes),
  inQuery('precipitation_types', ['rain'], conditionMeaning, shape.precipitation_types),
];

/** Undefined without conditions: the monitor of the API spec. */
function readConditions(query: Record<string, unknown>): EventRules | undefined {
  const given = conditionParameters.flatMap(({ name }) => {
    const value = query[name];
    if (value === undefined) return [];
    // A list is sent as one parameter for each item.
    return [[name, name === 'precipitation_types' ? [value].flat() : Number(value)] as const];
  });
  if (given.length === 0) return undefined;
  const parsed = conditionsSchema.safeParse(Object.fromEntries(given));
  if (parsed.success) return eventRulesOf({ payload: 'event', conditions: parsed.data });
  const [issue] = parsed.error.issues;
  throw new ServiceError('invalid_request', `${quotable(String(issue?.path[0]))} ${issue?.message}.`);
}

const getBacktest: Operation = {
  id: 'get-backtest',
  group: 'Weather',
  title: 'Get a backtest',
  description:
    'How often a monitor at the location would have fired in the last 30 days, based on historical forecasts. source is null if there ' +
    'is not enough data. At most 30 requests a minute. This is an extension to the API spec: ' +
    'services that support it list backtest in meta.extensions of GET /v2/delivery/.',
  parameters: [...placeParameters, ...conditionParameters],
  responses: [{ status: 200, meaning: 'The backtest.', schema: backtestSchema }],
  access: 'bearer',
  isTriable: true,
};

type Dependencies = { backtests: Backtests; requireBearer: RequireBearer };

/** Limits each application. */
const maxRequests = { name: 'backtest', max: 30, windowSeconds: 60 };

export function registerBacktestRoutes(server: FastifyInstance, { backtests, requireBearer }: Dependencies): void {
  const requests = createLimiter(maxRequests, undefined);
  server.get<{ Querystring: Record<string, unknown> }>(
    '/v2/backtest/',
    { preHandler: [requireBearer], config: { operation: getBacktest } },
    async (request) => {
      const place = readPlace(request.query);
      const rules = readConditions(request.query);
      const seconds = await requests.take(request.access.applicationId);
      if (seconds > 0) throw rateLimited('Too many backtests', seconds);
      return backtests.at(place, rules);
    },
  );
}
