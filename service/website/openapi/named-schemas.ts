// The named schemas of the OpenAPI document, so that generators create types with these names.
import { z } from 'zod';
import * as api from '@rainbell/contract/service-api';
import { reportSchema } from '../../metags/metag-routes.ts';
import { tokenAnswerSchema, tokenFormSchema } from '../../oauth/token-routes.ts';

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
export function createSchemaWriter() {
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
