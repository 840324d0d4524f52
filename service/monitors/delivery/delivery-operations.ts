// The operations of delivery-routes.ts, as openapi.json and the documentation pages show them.
import { z } from 'zod';
import {
  deliveryMetaSchema,
  deliveryStateSchema,
  monitorExplanationSchema,
  rainEventTypes,
  sentEventSchema,
  webhookKeySetSchema,
} from '@rainbell/contract/service-api';
import type { Operation, Parameter } from '../../http/operation.ts';
import { monitorIdParameter } from '../monitor-operations.ts';

const eventIdParameter: Parameter = {
  name: 'event_id',
  in: 'path',
  schema: z.string(),
  example: '0190b3e0-7f00-7000-8000-000000000001',
  meaning: "ID of one of the monitor's events, from the record of events.",
};

const common = { group: 'Delivery', access: 'application', isTriable: true } as const;
const state = { status: 200, meaning: 'The delivery status.', schema: deliveryStateSchema };
const queued = { status: 202, meaning: 'The event is queued.', schema: sentEventSchema };

export const listDeliveryStates: Operation = {
  ...common,
  id: 'list-delivery-states',
  title: 'List delivery statuses',
  description: "The delivery status of each of the calling application's monitors, and the limits of its plan.",
  responses: [
    {
      status: 200,
      meaning: 'A list of delivery statuses.',
      schema: z.object({ objects: z.array(deliveryStateSchema), meta: deliveryMetaSchema }),
    },
  ],
};

export const getDeliveryState: Operation = {
  ...common,
  id: 'get-delivery-state',
  title: 'Get a delivery status',
  description: 'The delivery status of one monitor.',
  parameters: [monitorIdParameter],
  responses: [state],
};

export const explainMonitor: Operation = {
  ...common,
  id: 'explain-monitor',
  title: 'Explain a monitor',
  description:
    'Why a monitor is not firing right now, when that started, and when it will end. If several processes share the database, ' +
    'the response includes the weather only if the process that responds made the last check.',
  parameters: [monitorIdParameter],
  responses: [{ status: 200, meaning: 'The first cause that applies.', schema: monitorExplanationSchema }],
};

export const getWebhookKeys: Operation = {
  id: 'get-webhook-keys',
  group: 'Delivery',
  title: 'Get the public webhook keys',
  description:
    "The service's Ed25519 keys (JSON Web Key Set, RFC 7517). A v1a signature in webhook-signature is valid if one of these keys " +
    'verifies it. Empty if the service signs only with secrets.',
  responses: [{ status: 200, meaning: 'The keys, newest first.', schema: webhookKeySetSchema }],
  access: 'none',
};

export const switchDelivery: Operation = {
  ...common,
  id: 'switch-delivery',
  title: 'Pause or resume a monitor',
  description:
    'A paused monitor keeps its ID, record, and cool-down, and gets no events; one that waits is no longer sent. Resuming also ' +
    'turns on delivery that the service turned off after many failed events or a 410.',
  parameters: [monitorIdParameter],
  body: { type: 'application/json', schema: z.strictObject({ is_on: z.boolean() }), example: '{"is_on": false}' },
  responses: [state],
};

export const resendEvent: Operation = {
  ...common,
  id: 'resend-event',
  conflicts: true,
  title: 'Resend an event',
  description:
    "Delivers a finished event from the last 30 days again, to the monitor's current URL and with the same webhook-id.",
  parameters: [monitorIdParameter, eventIdParameter],
  responses: [queued],
};

export const sendTestEvent: Operation = {
  ...common,
  id: 'send-test-event',
  title: 'Send a test event',
  description:
    "Delivers a test event to a monitor's callback URL, without changing its cool-down. If the monitor has another payload than " +
    'the Monitor, type chooses the event; its data say is_test.',
  parameters: [monitorIdParameter],
  body: {
    type: 'application/json',
    schema: z.strictObject({ type: z.enum(rainEventTypes).optional() }),
    example: '{"type": "precipitation.ended"}',
  },
  responses: [queued],
};
