// The OpenAPI 3.1 description of the API, generated from what the routes declare (http/operation.ts), and served at /v2/openapi.json.
import { z } from 'zod';
import { errorBodySchema, serviceErrors } from '#contract/service-api/service-errors.ts';
import { knownScopes } from '#contract/service-api/oauth.ts';
import type { DocumentedOperation, Operation } from '#service/http/operation.ts';

export function openApiDocument(baseUrl: string, operations: readonly DocumentedOperation[]) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    (paths[operation.path] ??= {})[operation.method] = describe(operation);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Rainbell weather service',
      version: '2',
      description: 'Current weather and forecasts for 72 hours, and callbacks when precipitation comes near a place.',
    },
    servers: [{ url: baseUrl }],
    tags: [...new Set(operations.map((operation) => operation.group))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: securitySchemes(baseUrl),
      schemas: { Error: jsonSchema(errorBodySchema) },
    },
  };
}

function describe(operation: Operation) {
  const { id, group, title, description, parameters = [], body, responses, access } = operation;
  return {
    operationId: id,
    tags: [group],
    summary: title,
    description,
    security: securityOf(access),
    parameters: parameters.map(({ name, in: place, schema, example, meaning }) => ({
      name,
      in: place,
      required: true,
      description: meaning,
      schema: jsonSchema(schema),
      example,
    })),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { [body.type]: { schema: jsonSchema(body.schema), example: exampleOf(body) } },
          },
        }),
    responses: {
      ...Object.fromEntries(responses.map(({ status, meaning, schema }) => [status, response(meaning, schema)])),
      default: {
        description: `An error: ${Object.keys(serviceErrors).join(', ')}.`,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

function response(description: string, schema: z.ZodType | undefined) {
  return schema === undefined
    ? { description }
    : { description, content: { 'application/json': { schema: jsonSchema(schema) } } };
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
      return [{ userToken: [...knownScopes] }];
    case 'none':
      return [];
  }
}

function securitySchemes(baseUrl: string) {
  const tokenUrl = `${baseUrl}/token/`;
  const scopes = { post_metag: 'Post weather reports in the name of a user.' };
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

function jsonSchema(schema: z.ZodType) {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest;
}
