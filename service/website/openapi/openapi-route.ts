// `GET /v2/openapi.json`: the API for programs, with the same content as the documentation.
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { DocumentedOperation, Operation } from '../../http/operation.ts';

const getOpenApi: Operation = {
  id: 'get-openapi',
  group: 'Service',
  title: 'Get the OpenAPI document',
  description: 'A description of this API in OpenAPI 3.1.',
  responses: [{ status: 200, meaning: 'The document.', schema: z.looseObject({ openapi: z.string() }) }],
  access: 'none',
};

export function registerOpenApiRoute(
  server: FastifyInstance,
  baseUrl: string,
  operations: readonly DocumentedOperation[],
): void {
  let document: unknown;
  server.get('/v2/openapi.json', { config: { operation: getOpenApi } }, async () => {
    // Loaded on the first request, because most services never get one.
    const { openApiDocument } = await import('./openapi-document.ts');
    return (document ??= openApiDocument(baseUrl, operations));
  });
}
