// Every operation of the API in one table: what openapi.json says and the documentation pages show.
import { z } from 'zod';
import { collectionSchema } from '#contract/service-api/collection.ts';
import { grantTypes } from '#contract/service-api/oauth.ts';
import { latitudeSchema, longitudeSchema, geoPointSchema } from '#contract/service-api/geo.ts';
import { monitorBodySchema, monitorSchema } from '#contract/service-api/monitor.ts';
import { statuses } from '#contract/service-api/vocabulary.ts';
import { weatherPointSchema } from '#contract/service-api/weather.ts';

export type Parameter = { name: string; in: 'query' | 'path'; schema: z.ZodType; example: string; meaning: string };
export type Answer = { status: number; meaning: string; schema?: z.ZodType };

export type Operation = {
  id: string;
  group: 'Access' | 'Weather' | 'Monitors' | 'Reports';
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  path: string;
  title: string;
  words: string;
  parameters: readonly Parameter[];
  body?: { type: string; schema: z.ZodType; example: string };
  answers: readonly Answer[];
  /** What the call authenticates with. */
  access: 'client' | 'bearer' | 'application' | 'user' | 'none';
  /** Whether the documentation pages offer to try it. */
  isTriable: boolean;
};

const statusSchema = z.enum(statuses);
const tokenAnswerSchema = z.object({
  access_token: z.string(),
  token_type: z.literal('bearer'),
  expires_in: z.int().describe('seconds'),
  refresh_token: z.string().optional(),
  scope: z.string().optional(),
});
const metagSchema = z.object({
  id: z.string(),
  timestamp: z.string(),
  expires: z.string(),
  geo: geoPointSchema,
  weather: z.object({ status: statusSchema }),
});
const metagBodySchema = z.object({
  geo: monitorBodySchema.shape.geo,
  weather: z.object({ status: statusSchema.exclude(['unknown']) }),
});
const tokenFormSchema = z.object({
  grant_type: z.enum(grantTypes),
  code: z.string().optional(),
  redirect_uri: z.string().optional(),
  client_id: z.string().optional(),
  username: z.string().optional(),
  password: z.string().optional(),
  refresh_token: z.string().optional(),
  scope: z.string().optional(),
  code_verifier: z.string().optional(),
});

const monitorId: Parameter = {
  name: 'monitor_id',
  in: 'path',
  schema: z.string(),
  example: 'precipitation_1',
  meaning: 'Id of a monitor of the calling application.',
};
const monitorExample = JSON.stringify(
  { monitor_type: 'precipitation', callback_uri: 'http://127.0.0.1:4545/rain', geo: { lat: 45.07, lng: 7.69 } },
  null,
  2,
);
const metagExample = JSON.stringify({ geo: { lat: 45.07, lng: 7.69 }, weather: { status: 'rainy' } }, null, 2);

export const operations: readonly Operation[] = [
  {
    id: 'get-token',
    group: 'Access',
    method: 'post',
    path: '/token/',
    title: 'Get an access token',
    words:
      'Exchanges credentials, a code, a password or a refresh token for an access token. Confidential applications send ' +
      'Authorization: Basic with client_id:client_secret; public ones send client_id. The body is a form, as ' +
      'application/www-form-urlencoded or application/x-www-form-urlencoded.',
    parameters: [],
    body: {
      type: 'application/x-www-form-urlencoded',
      schema: tokenFormSchema,
      example: 'grant_type=client_credentials',
    },
    answers: [
      {
        status: 200,
        meaning: 'An access token, its lifetime in seconds, and a refresh token.',
        schema: tokenAnswerSchema,
      },
    ],
    access: 'client',
    isTriable: false,
  },
  {
    id: 'get-weather',
    group: 'Weather',
    method: 'get',
    path: '/v2/weather/',
    title: 'Weather now and for 72 hours',
    words:
      'The first point is the current weather; forecast points follow in ascending order of time. Timestamps are UTC without ' +
      'a zone suffix. The points lie on a grid, so their place can differ a little from the one asked for.',
    parameters: [
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
    ],
    answers: [{ status: 200, meaning: 'A list of weather points.', schema: collectionSchema(weatherPointSchema) }],
    access: 'bearer',
    isTriable: true,
  },
  {
    id: 'get-icon',
    group: 'Weather',
    method: 'get',
    path: '/v2/icons/{icon_name}',
    title: 'An icon',
    words: 'The picture that a weather point names in its icon field. No token is needed.',
    parameters: [
      { name: 'icon_name', in: 'path', schema: z.string(), example: 'partly_sunny', meaning: 'Name of the icon.' },
    ],
    answers: [{ status: 200, meaning: 'An SVG image.' }],
    access: 'none',
    isTriable: false,
  },
  {
    id: 'list-monitors',
    group: 'Monitors',
    method: 'get',
    path: '/v2/monitors/',
    title: 'List monitors',
    words: 'All monitors of the calling application.',
    parameters: [],
    answers: [{ status: 200, meaning: 'A list of monitors.', schema: collectionSchema(monitorSchema) }],
    access: 'application',
    isTriable: true,
  },
  {
    id: 'create-monitor',
    group: 'Monitors',
    method: 'post',
    path: '/v2/monitors/',
    title: 'Create a monitor',
    words:
      'Registers a place and an address. When precipitation comes near the place, the address receives a POST with the monitor ' +
      'as its body, at most once an hour.',
    parameters: [],
    body: { type: 'application/json', schema: monitorBodySchema, example: monitorExample },
    answers: [{ status: 201, meaning: 'The monitor.', schema: monitorSchema }],
    access: 'application',
    isTriable: true,
  },
  {
    id: 'replace-monitor',
    group: 'Monitors',
    method: 'put',
    path: '/v2/monitors/{monitor_id}/',
    title: 'Replace a monitor',
    words: 'Takes the same fields as creating one. The hour in which it fired goes on.',
    parameters: [monitorId],
    body: { type: 'application/json', schema: monitorBodySchema, example: monitorExample },
    answers: [{ status: 200, meaning: 'The monitor.', schema: monitorSchema }],
    access: 'application',
    isTriable: true,
  },
  {
    id: 'change-monitor',
    group: 'Monitors',
    method: 'patch',
    path: '/v2/monitors/{monitor_id}/',
    title: 'Change a monitor',
    words: 'Takes any of the fields. The answer has no body.',
    parameters: [monitorId],
    body: {
      type: 'application/json',
      schema: monitorBodySchema.partial(),
      example: JSON.stringify({ callback_uri: 'http://127.0.0.1:4545/other' }),
    },
    answers: [{ status: 202, meaning: 'It is changed.' }],
    access: 'application',
    isTriable: true,
  },
  {
    id: 'delete-monitor',
    group: 'Monitors',
    method: 'delete',
    path: '/v2/monitors/{monitor_id}/',
    title: 'Delete a monitor',
    words: 'Ends it. The answer has no body.',
    parameters: [monitorId],
    answers: [{ status: 204, meaning: 'It is gone.' }],
    access: 'application',
    isTriable: true,
  },
  {
    id: 'list-reports',
    group: 'Reports',
    method: 'get',
    path: '/v2/metags/',
    title: 'List reports',
    words: 'The reports of users (metags) inside a rectangle that count just now: those of the last 30 minutes.',
    parameters: [
      {
        name: 'rect',
        in: 'query',
        schema: z.string(),
        example: '45.0,7.5,45.2,7.8',
        meaning: 'South, west, north and east edge in decimal degrees.',
      },
    ],
    answers: [{ status: 200, meaning: 'A list of reports.', schema: collectionSchema(metagSchema) }],
    access: 'bearer',
    isTriable: true,
  },
  {
    id: 'post-report',
    group: 'Reports',
    method: 'post',
    path: '/v2/metags/',
    title: 'Post a report',
    words:
      'Reports the weather at a place in the name of a user, whose token needs the scope post_metag. It counts into the ' +
      'current weather within 5 km for 30 minutes.',
    parameters: [],
    body: { type: 'application/json', schema: metagBodySchema, example: metagExample },
    answers: [{ status: 201, meaning: 'The report.', schema: metagSchema }],
    access: 'user',
    isTriable: true,
  },
];
