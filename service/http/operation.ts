// What a route of the API accepts and returns, declared on the route (`config.operation`). GET /v2/openapi.json and the
// documentation pages are generated from these declarations, so they include every route.
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

export type Parameter = {
  name: string;
  in: 'query' | 'path';
  schema: z.ZodType;
  example: string | number | readonly string[];
  meaning: string;
};

export function inPath(name: string, example: string, meaning: string): Parameter {
  return { name, in: 'path', schema: z.string(), example, meaning };
}

export function inQuery(
  name: string,
  example: Parameter['example'],
  meaning: string,
  schema: z.ZodType = z.string().optional(),
): Parameter {
  return { name, in: 'query', schema, example, meaning };
}

export type Operation = {
  id: string;
  group: 'Access' | 'Weather' | 'Monitors' | 'Delivery' | 'Reports' | 'Sandbox' | 'Service';
  title: string;
  description: string;
  /** Those of the path, in its order, and of the query. */
  parameters?: readonly Parameter[];
  /** `example` is the body as text. */
  body?: { type: string; otherTypes?: readonly string[]; schema: z.ZodType; example: string };
  /** `type`: JSON if not given. `hasCsv`: also as CSV. */
  responses: readonly { status: number; meaning: string; schema?: z.ZodType; type?: string; hasCsv?: true }[];
  hasEtag?: boolean;
  conflicts?: boolean;
  /** The required credentials; `sandbox` is a token for the sandbox application. */
  access: 'client' | 'bearer' | 'application' | 'user' | 'sandbox' | 'none';
  isTriable?: boolean;
};

export type OperationMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** `path`: as OpenAPI writes it, such as `/v2/monitors/{monitor_id}/`. */
export type DocumentedOperation = Operation & { method: OperationMethod; path: string };

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only interfaces merge
  interface FastifyContextConfig {
    operation?: Operation;
  }
}

const methods: readonly string[] = ['get', 'post', 'put', 'patch', 'delete'] satisfies OperationMethod[];

/** Collects those of all routes registered from now on. Throws for a route without one. */
export function collectOperations(server: FastifyInstance): readonly DocumentedOperation[] {
  const operations: DocumentedOperation[] = [];
  server.addHook('onRoute', ({ url, method, config }) => {
    for (const one of [method].flat().map((name) => name.toLowerCase())) {
      // Fastify adds HEAD to every GET; CORS adds OPTIONS.
      if (isMethod(one)) operations.push(document(config?.operation, one, url));
    }
  });
  return operations;
}

function isMethod(name: string): name is OperationMethod {
  return methods.includes(name);
}

function document(operation: Operation | undefined, method: OperationMethod, url: string): DocumentedOperation {
  if (!operation)
    throw new Error(`The route ${method.toUpperCase()} ${url} declares no operation (http/operation.ts).`);
  return { ...operation, method, path: url.replace(/:(\w+)/g, '{$1}') };
}
