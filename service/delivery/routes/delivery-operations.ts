// The operations of delivery-routes.ts, as openapi.json and the documentation pages show them.
import { z } from 'zod';
import {
  deliveryAttemptSchema,
  deliveryMetaSchema,
  deliveryStateSchema,
  sentEventSchema,
  verificationSchema,
} from '#contract/service-api/delivery.ts';
import { feedPageSizes, feedSchema, maxFeedWaitSeconds } from '#contract/service-api/feed.ts';
import { monitorExplanationSchema } from '#contract/service-api/monitor-explanation.ts';
import { webhookKeySetSchema } from '#contract/service-api/webhook-keys.ts';
import type { Operation, Parameter } from '#service/http/operation.ts';
import { monitorIdParameter } from '#service/monitors/monitor-operations.ts';

const eventIdParameter: Parameter = {
  name: 'event_id',
  in: 'path',
  schema: z.string(),
  example: '0190b3e0-7f00-7000-8000-000000000001',
  meaning: 'ID of an event of the monitor, from its delivery log.',
};

const common = { group: 'Delivery', access: 'application', isTriable: true } as const;
const state = { status: 200, meaning: 'The delivery status.', schema: deliveryStateSchema };
const queued = { status: 202, meaning: 'The event is queued.', schema: sentEventSchema };

export const listDeliveryStates: Operation = {
  ...common,
  id: 'list-delivery-states',
  title: 'List delivery statuses',
  description: 'The delivery status of all monitors of the calling application, and the limits of its plan.',
  responses: [
    {
      status: 200,
      meaning: 'A list of delivery statuses.',
      schema: z.object({ objects: z.array(deliveryStateSchema), meta: deliveryMetaSchema }),
    },
  ],
};

export const listDeliveries: Operation = {
  ...common,
  id: 'list-deliveries',
  title: 'List delivery attempts',
  description:
    'The newest attempts to deliver events of a monitor, with the response of its callback URL, and whether later ' +
    'observations confirm each event.',
  parameters: [monitorIdParameter],
  responses: [
    {
      status: 200,
      meaning: 'A list of attempts.',
      schema: z.object({
        objects: z.array(deliveryAttemptSchema),
        meta: z.object({ verification: verificationSchema }),
      }),
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
    'Why a monitor is not firing now, when that started, and when it ends. If several processes share the database, the response ' +
    'contains the weather only if the responding process made the last check.',
  parameters: [monitorIdParameter],
  responses: [{ status: 200, meaning: 'The first cause that applies.', schema: monitorExplanationSchema }],
};

export const getWebhookKeys: Operation = {
  id: 'get-webhook-keys',
  group: 'Delivery',
  title: 'Get the public webhook keys',
  description:
    'The Ed25519 keys of the service (JSON Web Key Set, RFC 7517). A v1a entry of webhook-signature is valid if one of them ' +
    'verifies it. Empty if the service signs with secrets only.',
  responses: [{ status: 200, meaning: 'The keys, newest first.', schema: webhookKeySetSchema }],
  access: 'none',
};

export const turnOnDelivery: Operation = {
  ...common,
  id: 'turn-on-delivery',
  title: 'Turn delivery on again',
  description: 'The service turns off delivery after many failed events. To end it permanently, delete the monitor.',
  parameters: [monitorIdParameter],
  body: { type: 'application/json', schema: z.strictObject({ is_on: z.literal(true) }), example: '{"is_on": true}' },
  responses: [state],
};

export const resendEvent: Operation = {
  ...common,
  id: 'resend-event',
  conflicts: true,
  title: 'Resend an event',
  description: 'Delivers a finished event from the last 30 days again, under the same webhook-id.',
  parameters: [monitorIdParameter, eventIdParameter],
  responses: [queued],
};

export const sendTestEvent: Operation = {
  ...common,
  id: 'send-test-event',
  title: 'Send a test event',
  description: 'Delivers a test event to the callback URL of a monitor. The cool-down does not change.',
  parameters: [monitorIdParameter],
  responses: [queued],
};

export const readFeed: Operation = {
  ...common,
  id: 'read-feed',
  title: 'Read the feed of events',
  description:
    'The events of all monitors of the calling application in order, each with the headers and the exact body of its callback, ' +
    'for clients that the service cannot reach. If there are none after the cursor, the request waits for one. Reading is not a ' +
    'delivery: callbacks are sent as usual, under the same webhook-id. Events are kept for 30 days. This is an extension of ' +
    'the API spec: services that support it include feed in meta.extensions of GET /v2/delivery/.',
  parameters: [
    {
      name: 'after',
      in: 'query',
      schema: z.string().optional(),
      example: 'now',
      meaning:
        'The meta.cursor of the last response, or "now" to start at the end of the feed. Without it, the response starts with the oldest event.',
    },
    {
      name: 'wait',
      in: 'query',
      schema: z.int().min(0).max(maxFeedWaitSeconds).optional(),
      example: 0,
      meaning: `Seconds to wait if there are no events, at most ${maxFeedWaitSeconds} (default: ${maxFeedWaitSeconds}).`,
    },
    {
      name: 'limit',
      in: 'query',
      schema: z.int().min(1).max(feedPageSizes.max).optional(),
      example: 100,
      meaning: `Maximum number of events in the response, at most ${feedPageSizes.max} (default: ${feedPageSizes.default}).`,
    },
  ],
  responses: [{ status: 200, meaning: 'A list of events.', schema: feedSchema }],
};
