// The named schemas of the OpenAPI document, so that generators create types with these names.
import { z } from 'zod';
import {
  deliveryStateSchema,
  errorBodySchema,
  geoPointSchema,
  latLngSchema,
  locationSchema,
  measuredSchema,
  monitorBodySchema,
  monitorExplanationSchema,
  monitorSchema,
  newScenarioSchema,
  rainEventSchema,
  sandboxStateSchema,
  scenarioSchema,
  sentEventSchema,
  weatherPointSchema,
  weatherSchema,
} from '@rainbell/contract/service-api';
import { reportSchema } from '../../metags/metag-routes.ts';
import { tokenAnswerSchema, tokenFormSchema } from '../../oauth/token-operations.ts';

const names = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries({
  Error: errorBodySchema,
  WeatherPoint: weatherPointSchema,
  Weather: weatherSchema,
  Measured: measuredSchema,
  Location: locationSchema,
  GeoPoint: geoPointSchema,
  LatLng: latLngSchema,
  Monitor: monitorSchema,
  RainEvent: rainEventSchema,
  NewMonitor: monitorBodySchema,
  MonitorExplanation: monitorExplanationSchema,
  DeliveryStatus: deliveryStateSchema,
  SentEvent: sentEventSchema,
  Report: reportSchema,
  Token: tokenAnswerSchema,
  TokenRequest: tokenFormSchema,
  SandboxState: sandboxStateSchema,
  Scenario: scenarioSchema,
  NewScenario: newScenarioSchema,
})) {
  names.add(schema, { id });
}

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
