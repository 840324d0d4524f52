// `GET /v2/openapi.json`: the API for programs, as the documentation shows it to people.
import type { FastifyInstance } from 'fastify';

export function registerOpenApiRoute(server: FastifyInstance, baseUrl: string): void {
  let document: unknown;
  server.get('/v2/openapi.json', async () => (document ??= await makeDocument(baseUrl)));
}

/** Loaded when somebody asks, since most never do. */
async function makeDocument(baseUrl: string): Promise<unknown> {
  const { openApiDocument } = await import('./openapi-document.ts');
  return openApiDocument(baseUrl);
}
