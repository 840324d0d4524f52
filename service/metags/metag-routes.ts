// `POST` and `GET /v2/metags/`: a Rainbell extension, the endpoint for the scope `post_metag` (docs/interface.md §4.1).
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import {
  collection,
  collectionSchema,
  type GeoPoint,
  geoPointSchema,
  type LatLng,
  latLngSchema,
  statuses,
  toGeoPoint,
  toLatLng,
} from '@rainbell/contract/service-api';
import { formatSchemaError, formatTimestamp } from '@rainbell/shared';
import type { Access, RequireBearer } from '../http/access.ts';
import { ServiceError } from '../errors/service-error.ts';
import { type Metag, type MetagStore, metagMinutes, type Rectangle } from './metag-store.ts';
import { inPath, inQuery, type Operation } from '../http/operation.ts';

type Dependencies = {
  store: MetagStore;
  requireBearer: RequireBearer;
  /** The current weather around the place may have changed. */ onReport: (place: LatLng) => void;
};

const reportable = statuses.filter((status) => status !== 'unknown');
const geoRule = 'must be an object like {lat: 45.07, lng: 7.69}, or a GeoJSON Point with longitude first';
const metagBody = z.strictObject(
  {
    geo: z.union([latLngSchema, geoPointSchema], geoRule),
    weather: z.strictObject({ status: z.enum(reportable, `must be one of ${reportable.join(', ')}`) }),
  },
  'must be a JSON object like {geo: {lat, lng}, weather: {status}}',
);

export const reportSchema = z.object({
  id: z.string(),
  timestamp: z.string(),
  expires: z.string(),
  geo: geoPointSchema,
  weather: z.object({ status: z.enum(statuses) }),
});

const listReports: Operation = {
  id: 'list-reports',
  group: 'Reports',
  title: 'List reports',
  description: 'User reports (metags) from the last 30 minutes inside a rectangle.',
  parameters: [
    inQuery(
      'rect',
      '45.0,7.5,45.2,7.8',
      'South, west, north, and east edges in decimal degrees, separated by commas.',
      z.string(),
    ),
  ],
  responses: [{ status: 200, meaning: 'A list of reports.', schema: collectionSchema(reportSchema) }],
  access: 'bearer',
  isTriable: true,
};

const getReport: Operation = {
  id: 'get-report',
  group: 'Reports',
  title: 'Get a report',
  description: 'One report (metag) from the last 30 minutes.',
  parameters: [inPath('metag_id', '0190b3e0-7f00-7000-8000-000000000001', 'ID of a report.')],
  responses: [{ status: 200, meaning: 'The report.', schema: reportSchema }],
  access: 'bearer',
  isTriable: true,
};

const postReport: Operation = {
  id: 'post-report',
  group: 'Reports',
  title: 'Post a report',
  description:
    "Reports the weather at a location on behalf of a user. The user's token needs the post_metag scope. The report changes the " +
    'current weather within 5 km for 30 minutes.',
  body: {
    type: 'application/json',
    schema: metagBody,
    example: JSON.stringify({ geo: { lat: 45.07, lng: 7.69 }, weather: { status: 'rainy' } }, null, 2),
  },
  responses: [{ status: 201, meaning: 'The report.', schema: reportSchema }],
  access: 'user',
  isTriable: true,
};

export function registerMetagRoutes(server: FastifyInstance, { store, requireBearer, onReport }: Dependencies): void {
  server.post(
    '/v2/metags/',
    { preHandler: requireBearer, config: { operation: postReport } },
    async (request, reply) => {
      const accountId = reportingAccount(request.access);
      const parsed = metagBody.safeParse(request.body);
      if (!parsed.success) {
        const reason = formatSchemaError(parsed.error.issues[0], request.body, 'The body');
        throw new ServiceError('invalid_request', `${reason}.`);
      }
      const { weather } = parsed.data;
      const geo = 'coordinates' in parsed.data.geo ? latLngOf(parsed.data.geo) : parsed.data.geo;
      const { applicationId } = request.access;
      const metag = await store.add({ applicationId, accountId, geo, status: weather.status });
      onReport(geo);
      return reply.code(201).send(metagJson(metag));
    },
  );

  server.get<{ Params: { metag_id: string } }>(
    '/v2/metags/:metag_id/',
    { preHandler: requireBearer, config: { operation: getReport } },
    async (request) => {
      const metag = await store.find(request.params.metag_id);
      if (metag) return metagJson(metag);
      throw new ServiceError('not_found', `No report from the last ${metagMinutes} minutes has this ID.`);
    },
  );

  server.get<{ Querystring: { rect?: unknown } }>(
    '/v2/metags/',
    { preHandler: requireBearer, config: { operation: listReports } },
    async (request) => collection((await store.inside(readRectangle(request.query.rect))).map(metagJson)),
  );
}

/** Throws a ServiceError for a Point that is not on the globe. */
function latLngOf(point: GeoPoint): LatLng {
  const place = latLngSchema.safeParse(toLatLng(point));
  if (!place.success) throw new ServiceError('invalid_request', `geo: ${geoRule}.`);
  return place.data;
}

/** Requires a user token with this scope, because each report belongs to a user (RFC 6750 §3.1). */
function reportingAccount({ accountId, scope }: Access): string {
  if (accountId !== null && scope.includes('post_metag')) return accountId;
  const words = "A report needs a user's token with the post_metag scope; request it on the sign-in page.";
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
    'rect must be four numbers in decimal degrees (south,west,north,east), such as 45.0,7.5,45.2,7.8.',
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
