// `POST` and `GET /v2/metags/`: an addition to the interface, the endpoint behind the scope `post_metag` (§4.1).
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { collection } from '#contract/service-api/collection.ts';
import { latLngSchema, toGeoPoint } from '#contract/service-api/geo.ts';
import { formatTimestamp } from '#contract/service-api/timestamp.ts';
import { statuses } from '#contract/service-api/vocabulary.ts';
import type { Access, RequireBearer } from '../http/access.ts';
import { ServiceError } from '#service/errors/service-error.ts';
import { type Metag, type MetagStore, metagMinutes, type Rectangle } from './metag-store.ts';

type Dependencies = {
  store: MetagStore;
  requireBearer: RequireBearer;
  /** A place's current weather may have changed. */ onReport: () => void;
};

const reportable = statuses.filter((status) => status !== 'unknown');
const metagBody = z.strictObject(
  {
    geo: latLngSchema,
    weather: z.strictObject({ status: z.enum(reportable, `must be one of ${reportable.join(', ')}`) }),
  },
  'must be a JSON object like {geo: {lat, lng}, weather: {status}}',
);

export function registerMetagRoutes(server: FastifyInstance, { store, requireBearer, onReport }: Dependencies): void {
  server.post('/v2/metags/', { preHandler: requireBearer }, async (request, reply) => {
    const accountId = reportingAccount(request.access);
    const parsed = metagBody.safeParse(request.body);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      const field = issue === undefined || issue.path.length === 0 ? 'The body' : issue.path.join('.');
      throw new ServiceError('invalid_request', `${field} ${issue?.message ?? 'is not valid'}.`);
    }
    const { geo, weather } = parsed.data;
    const { applicationId } = request.access;
    const metag = await store.add({ applicationId, accountId, geo, status: weather.status });
    onReport();
    return reply.code(201).send(metagJson(metag));
  });

  server.get<{ Querystring: { rect?: unknown } }>('/v2/metags/', { preHandler: requireBearer }, async (request) =>
    collection((await store.inside(readRectangle(request.query.rect))).map(metagJson)),
  );
}

/** A report is somebody's: the token must be a user's, and the user must have allowed this (RFC 6750 §3.1). */
function reportingAccount({ accountId, scope }: Access): string {
  if (accountId !== null && scope.includes('post_metag')) return accountId;
  const words =
    "A report needs a user's token with the scope post_metag; open the authorization dialog and ask for it.";
  throw new ServiceError('insufficient_scope', words, {
    headers: { 'www-authenticate': 'Bearer realm="Rainbell", error="insufficient_scope", scope="post_metag"' },
  });
}

function readRectangle(text: unknown): Rectangle {
  const numbers = typeof text === 'string' && /^[-+.,\d ]+$/.test(text) ? text.split(',').map(Number) : [];
  const [south = NaN, west = NaN, north = NaN, east = NaN] = numbers;
  const isRight =
    numbers.length === 4 &&
    [south, north].every((latitude) => latitude >= -90 && latitude <= 90) &&
    [west, east].every((longitude) => longitude >= -180 && longitude <= 180) &&
    south <= north;
  if (isRight) return { south, west, north, east };
  throw new ServiceError(
    'invalid_request',
    'rect must be four decimal degrees, south,west,north,east, like 45.0,7.5,45.2,7.8.',
  );
}

function metagJson({ id, latitude, longitude, status, created_at }: Metag) {
  return {
    id,
    timestamp: formatTimestamp(created_at),
    expires: formatTimestamp(created_at + metagMinutes * 60_000),
    geo: toGeoPoint({ lat: latitude, lng: longitude }),
    weather: { status },
  };
}
