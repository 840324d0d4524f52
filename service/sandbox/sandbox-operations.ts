// The operations of sandbox-routes.ts, as openapi.json and the documentation pages show them.
import { z } from 'zod';
import {
  callbackAuthoritySchema,
  clockMoveSchema,
  newScenarioSchema,
  newSeriesSchema,
  newWeatherFaultSchema,
  providerChoiceSchema,
  sandboxStateSchema,
  sandboxWebhookSecretsSchema,
} from '@rainbell/contract/service-api';
import type { Operation } from '../http/operation.ts';

const common = { group: 'Sandbox', access: 'sandbox' } as const;
const state = { status: 200, meaning: 'The state of the sandbox.', schema: sandboxStateSchema };

function json(schema: z.ZodType, example: object) {
  return { type: 'application/json', schema, example: JSON.stringify(example) };
}

export const getSandboxState: Operation = {
  ...common,
  id: 'get-sandbox-state',
  title: 'Get the sandbox state',
  description: 'The sandbox’s clock, scenarios, provider, and fault.',
  responses: [state],
};

export const addScenario: Operation = {
  ...common,
  id: 'add-scenario',
  title: 'Add a scenario',
  description: 'Applies weather around a location for a limited time. Nearby monitors are checked immediately.',
  body: json(newScenarioSchema, { center: { lat: 45.07, lng: 7.69 }, radiusKm: 10, status: 'rainy', minutes: 20 }),
  responses: [state],
};

export const addSeries: Operation = {
  ...common,
  id: 'add-series',
  title: 'Add a series',
  description:
    'Applies a series of weather around a location: CSV with the columns minute (from now) and mm_per_hour, and optionally kind, ' +
    'temperature_c, and wind_ms. Each line applies until the next one, the last for 12 hours. At most 1,000 lines.',
  body: json(newSeriesSchema, {
    center: { lat: 45.07, lng: 7.69 },
    csv: 'minute,mm_per_hour,kind\n0,0,\n15,2.4,rain\n35,0,',
  }),
  responses: [state],
};

export const clearScenarios: Operation = {
  ...common,
  id: 'clear-scenarios',
  title: 'Clear scenarios',
  description: 'Ends all scenarios.',
  responses: [state],
};

export const endScenario: Operation = {
  ...common,
  id: 'end-scenario',
  title: 'End a scenario',
  description: 'Ends one scenario. If it has already ended or does not exist, nothing changes.',
  parameters: [{ name: 'id', in: 'path', schema: z.string(), example: 'a1b2', meaning: 'ID of the scenario.' }],
  responses: [state],
};

export const moveClock: Operation = {
  ...common,
  id: 'move-clock',
  title: 'Move the clock',
  description: 'Advances the service’s clock, sets it, or resets it to the machine’s clock.',
  body: json(clockMoveSchema, { kind: 'advance', seconds: 3600 }),
  responses: [state],
};

export const chooseProvider: Operation = {
  ...common,
  id: 'choose-provider',
  title: 'Choose the weather provider',
  description: 'Uses weather from one provider, or from the first live one that responds.',
  body: json(z.strictObject({ choice: providerChoiceSchema }), { choice: 'simulation' }),
  responses: [state],
};

export const getWebhookSecrets: Operation = {
  ...common,
  id: 'get-webhook-secrets',
  title: 'Get the webhook secrets',
  description: 'The secret that signs the sandbox’s callbacks, and the previous one while it is still valid.',
  responses: [{ status: 200, meaning: 'The secrets.', schema: sandboxWebhookSecretsSchema }],
};

export const setCallbackAuthority: Operation = {
  ...common,
  id: 'set-callback-authority',
  title: 'Trust a certificate authority',
  description:
    'When sending callbacks, the service also trusts this certificate authority (PEM) until it stops; null removes it.',
  body: json(callbackAuthoritySchema, { pem: null }),
  responses: [{ status: 204, meaning: 'The authority was set.' }],
};

export const startFault: Operation = {
  ...common,
  id: 'start-fault',
  title: 'Start a fault',
  description: 'GET /v2/weather/ responds slowly, with an error, or with a malformed body, for a limited time.',
  body: json(newWeatherFaultSchema, { kind: 'error' }),
  responses: [state],
};

export const stopFault: Operation = {
  ...common,
  id: 'stop-fault',
  title: 'Stop the fault',
  description: 'GET /v2/weather/ responds normally again.',
  responses: [state],
};
