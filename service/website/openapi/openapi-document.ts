// The OpenAPI 3.1 description of the API, generated from the routes' declarations (http/operation.ts), and served at
// /v2/openapi.json.
import { z } from 'zod';
import * as api from '@rainbell/contract/service-api';
import { projectPage } from '@rainbell/shared';
import type { DocumentedOperation, Operation } from '../../http/operation.ts';
import { reportSchema } from '../../metags/metag-routes.ts';
import { tokenAnswerSchema, tokenFormSchema } from '../../oauth/token-routes.ts';
import { monitorExample } from '../pages/response-examples.ts';

type WriteSchema = (schema: z.ZodType) => JsonSchema;

export function openApiDocument(baseUrl: string, operations: readonly DocumentedOperation[]) {
  const { write, named } = createSchemaWriter();
  write(api.errorBodySchema);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    (paths[operation.path] ??= {})[operation.method] = describe(operation, write);
  }
  const webhooks = {
    precipitation: { post: describeCallback(write) },
  };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Rainbell weather service',
      version: '2',
      description: 'Current weather, 72-hour forecasts, and callbacks when precipitation is near a location.',
      contact: { name: 'Rainbell', url: projectPage },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    tags: [...new Set(operations.map((operation) => operation.group)), 'Callbacks' as const].map((name) => ({
      name,
      description: groupDescriptions[name],
    })),
    paths,
    webhooks,
    components: { securitySchemes: securitySchemes(baseUrl), schemas: named, headers: responseHeaders },
  };
}

const groupDescriptions: Readonly<Record<Operation['group'] | 'Callbacks', string>> = {
  Access: 'Tokens (OAuth 2.0).',
  Weather: 'Weather points and their icons.',
  Monitors: 'Locations to watch: precipitation nearby triggers a callback.',
  Delivery: 'Callback delivery: an extension that other services with this API may not have.',
  Reports: 'Weather reported by users.',
  Sandbox:
    'Controls for the weather, clock, and faults of a service on this machine; for its sandbox application only.',
  Service: 'Information about the service itself.',
  Callbacks: "Requests that the service sends to a monitor's callback URL.",
};

function describe(operation: Operation, write: WriteSchema) {
  const { id, group, title, description, parameters = [], body, responses, access } = operation;
  const errors = errorStatuses(operation).map((status) => [status, { ...error(status), ...headersOf(access, status) }]);
  return {
    operationId: id,
    tags: [group],
    summary: title,
    description,
    security: securityOf(access),
    parameters: parameters.map(({ name, in: place, schema, example, meaning }) => {
      const written = write(schema);
      return {
        name,
        in: place,
        required: !schema.safeParse(undefined).success,
        description: meaning,
        schema: written,
        example: written['type'] === 'number' ? Number(example) : example,
      };
    }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: Object.fromEntries(
              [body.type, ...(body.otherTypes ?? [])].map((type) => [
                type,
                { schema: write(body.schema), example: exampleOf(body) },
              ]),
            ),
          },
        }),
    responses: {
      ...Object.fromEntries([
        ...responses.map(({ status, meaning, schema, type = 'application/json', hasCsv }) => [
          status,
          {
            description: meaning,
            ...headersOf(access, status),
            ...(schema === undefined
              ? {}
              : {
                  content: {
                    [type]: { schema: write(schema) },
                    ...(hasCsv ? { 'text/csv': { schema: { type: 'string' } } } : {}),
                  },
                }),
          },
        ]),
        ...(operation.hasEtag
          ? [[304, { description: 'The client already has this content (If-None-Match).', ...headersOf(access, 304) }]]
          : []),
        ...errors,
      ]),
      default: {
        ...errorResponse(`Any other error: ${Object.keys(api.serviceErrors).join(', ')}.`),
        ...headersOf(access, 'default'),
      },
    },
  };
}

function describeCallback(write: WriteSchema) {
  return {
    operationId: 'receive-callback',
    tags: ['Callbacks'],
    summary: 'Precipitation near a monitor',
    description:
      "Sent to a monitor's callback_uri for each event, with at most one event an hour. With payload event, the body is a RainEvent, " +
      'and the monitor’s events say which are sent. Failed attempts are retried. Signed ' +
      'according to Standard Webhooks: HMAC-SHA256 over "{webhook-id}.{webhook-timestamp}.{body}" with the application’s ' +
      'webhook secret.',
    security: [],
    parameters: webhookHeaders(),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { oneOf: [write(api.monitorSchema), write(api.rainEventSchema)] },
          example: JSON.parse(monitorExample),
        },
      },
    },
    responses: {
      '2XX': { description: 'The event is delivered, regardless of the response body.' },
      '410': { description: 'The endpoint no longer exists. The service turns off delivery for the monitor.' },
      '4XX': {
        description:
          'The attempt failed. The service retries after 408, 425, and 429; after any other 4xx, the event fails.',
      },
      '5XX': { description: 'The attempt failed. The service retries.' },
    },
  };
}

function webhookHeaders() {
  const header = (name: string, description: string, example: string) => {
    return { name, in: 'header', required: true, description, schema: { type: 'string' }, example };
  };
  return [
    header('webhook-id', 'ID of the event, the same for each attempt.', 'evt_0190b3e07f0070008000000000000001'),
    header('webhook-timestamp', 'Time of the attempt, in Unix seconds.', '1763712000'),
    header(
      'webhook-signature',
      'One signature (v1) or, for a while after the secret changes, two separated by a space. A service may add ' +
        'signatures made with its own key (v1a, Ed25519; see /.well-known/webhook-keys.json).',
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    ),
  ];
}

/** Returns the errors that an operation of its kind can return; `default` covers the others. */
function errorStatuses({ access, parameters = [], body, conflicts }: Operation): number[] {
  const has = (place: 'query' | 'path') => parameters.some((parameter) => parameter.in === place);
  return [
    ...(has('query') || body ? [400] : []),
    ...(access === 'none' ? [] : [401]),
    ...(['application', 'user', 'sandbox'].includes(access) ? [403] : []),
    ...(has('path') ? [404] : []),
    ...(conflicts ? [409] : []),
    ...(body ? [413, 415] : []),
    429,
    503,
  ];
}

const responseHeaders = {
  RateLimit: {
    description:
      "For each of the plan's limits, the number of requests remaining (r) and the seconds until the limit resets (t). " +
      'Absent if the plan has no limits.',
    schema: { type: 'string' },
    example: '"minute";r=59;t=42, "day";r=998;t=64800',
  },
  'RateLimit-Policy': {
    description: "The plan's limits: requests (q) per window of w seconds. Absent if the plan has none.",
    schema: { type: 'string' },
    example: '"minute";q=60;w=60, "day";q=1000;w=86400',
  },
  'Retry-After': {
    description: 'Seconds to wait before the next request.',
    schema: { type: 'integer' },
    example: 42,
  },
} as const;

/** Returns the fields that a response of this status can have. A request without a valid token is not counted against a plan. */
function headersOf(access: Operation['access'], status: number | 'default') {
  const isCounted = status !== 401 && ['bearer', 'application', 'user'].includes(access);
  const names: (keyof typeof responseHeaders)[] = [
    ...(isCounted ? (['RateLimit', 'RateLimit-Policy'] as const) : []),
    ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
  ];
  if (names.length === 0) return {};
  return { headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) };
}

function error(status: number) {
  const codes = Object.entries(api.serviceErrors).filter(([, known]) => known === status);
  return errorResponse(`Error: ${codes.map(([code]) => code).join(', ')}.`);
}

function errorResponse(description: string) {
  return { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } };
}

function exampleOf({ type, example }: { type: string; example: string }): unknown {
  return type === 'application/json' ? JSON.parse(example) : Object.fromEntries(new URLSearchParams(example));
}
function securityOf(access: Operation['access']): Record<string, string[]>[] {
  switch (access) {
    case 'client':
      return [{ basic: [] }, {}];
    case 'bearer':
      return [{ applicationToken: [] }, { userToken: [] }];
    case 'application':
    case 'sandbox':
      return [{ applicationToken: [] }];
    case 'user':
      return [{ userToken: [...api.knownScopes] }];
    case 'none':
      return [];
  }
}

function securitySchemes(baseUrl: string) {
  const tokenUrl = `${baseUrl}/token/`;
  const scopes = { post_metag: 'Post weather reports on behalf of a user.' };
  return {
    basic: { type: 'http', scheme: 'basic', description: 'client_id:client_secret' },
    applicationToken: { type: 'oauth2', flows: { clientCredentials: { tokenUrl, scopes: {} } } },
    userToken: {
      type: 'oauth2',
      flows: {
        authorizationCode: { authorizationUrl: `${baseUrl}/oauth/authorize/`, tokenUrl, refreshUrl: tokenUrl, scopes },
        implicit: { authorizationUrl: `${baseUrl}/oauth/authorize/`, scopes },
        password: { tokenUrl, refreshUrl: tokenUrl, scopes },
      },
    },
  };
}

/** `weatherPointSchema` is WeatherPoint, except these. */
const otherNames = {
  Error: api.errorBodySchema,
  NewMonitor: api.monitorBodySchema,
  DeliveryStatus: api.deliveryStateSchema,
  Report: reportSchema,
  Token: tokenAnswerSchema,
  TokenRequest: tokenFormSchema,
};
const names = z.registry<{ id: string }>();
for (const [name, schema] of Object.entries(api)) {
  const id = name.replace(/^./, (first) => first.toUpperCase()).replace(/Schema$/, '');
  if (schema instanceof z.ZodObject) names.add(schema, { id });
}
for (const [id, schema] of Object.entries(otherNames)) names.add(schema, { id });

type JsonSchema = Record<string, unknown>;

/** Converts schemas to JSON Schema 2020-12 with references to named ones, and collects these. */
function createSchemaWriter() {
  const named: Record<string, JsonSchema> = {};
  return {
    /** Complete after the last `write`. */
    named,
    write(schema: z.ZodType): JsonSchema {
      // Inside a member, a named schema also becomes a reference.
      const { properties, $defs = {} } = z.toJSONSchema(z.object({ schema }), {
        io: 'input',
        unrepresentable: 'any',
        metadata: names,
        override: ({ jsonSchema }) => writeTupleAsList(jsonSchema),
      });
      for (const [name, definition] of Object.entries($defs)) named[name] ??= withReferences(definition);
      return withReferences(properties?.['schema']);
    },
  };
}

/** Writes two numbers as a list of two, because many tools do not support `prefixItems`. */
function writeTupleAsList(schema: z.core.JSONSchema.BaseSchema): void {
  const { prefixItems = [] } = schema;
  if (prefixItems.length === 0 || !prefixItems.every((item) => typeof item === 'object' && item.type === 'number'))
    return;
  Object.assign(schema, { items: { type: 'number' }, minItems: prefixItems.length, maxItems: prefixItems.length });
  delete schema.prefixItems;
}

function withReferences(schema: unknown): JsonSchema {
  const text = JSON.stringify(schema, (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? value.replace('#/$defs/', '#/components/schemas/') : value,
  );
  const { id: _, ...rest } = JSON.parse(text) as JsonSchema;
  return rest;
}
