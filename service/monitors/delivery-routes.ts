// Delivery over HTTP (contract/service-api/delivery.ts): an extension of the interface, for our app and for users who want
// to know why a callback did not arrive. Same tokens and same "own monitors only" as the monitors API.
import type { FastifyInstance, FastifyRequest, preHandlerAsyncHookHandler } from 'fastify';
import { z } from 'zod';
import { type Clock, formatTimestamp } from '@rainbell/shared';
import {
  backtestExtension,
  deliveryMetaSchema,
  type DeliveryState,
  deliveryStateSchema,
  feedExtension,
  inboxExtension,
  type MonitorExplanation,
  monitorExplanationSchema,
  nowcastExtension,
  rainEventTypes,
  sentEventSchema,
  type WebhookKeySet,
  webhookKeySetSchema,
} from '@rainbell/contract/service-api';
import { ServiceError } from '../errors/service-error.ts';
import type { MonitorRow } from './monitor-json.ts';
import type { MonitorLimit } from '../accounts/plans.ts';
import { inPath, type Operation } from '../http/operation.ts';
import type { DeliveryLog } from './delivery/delivery-log.ts';
import type { EpisodeEvent } from './delivery/tables.ts';
import { monitorIdParameter } from './monitor-routes.ts';

type Dependencies = {
  log: DeliveryLog;
  clock: Clock;
  /** Accepts an application token. */
  preHandler: preHandlerAsyncHookHandler[];
  monitorOf: (applicationId: string, id: string) => Promise<MonitorRow>;
  limitOf: (applicationId: string) => Promise<MonitorLimit>;
  /** The public keys of the service; without any, callbacks have no signature of the service. */
  webhookKeys: WebhookKeySet;
  explain: (monitor: MonitorRow) => Promise<MonitorExplanation>;
};

type OneMonitor = { Params: { monitor_id: string } };
type OneEvent = { Params: { monitor_id: string; event_id: string } };

const eventIdParameter = inPath(
  'event_id',
  '0190b3e0-7f00-7000-8000-000000000001',
  "ID of one of the monitor's events, from the record of events.",
);
const statesSchema = z.object({ objects: z.array(deliveryStateSchema), meta: deliveryMetaSchema });
const switchBody = z.strictObject({ is_on: z.boolean() });
const testEventBody = z.strictObject({ type: z.enum(rainEventTypes).optional() });
const queued = { status: 202, meaning: 'The event is queued.', schema: sentEventSchema };

export function registerDeliveryRoutes(server: FastifyInstance, needs: Dependencies): void {
  const { log, clock, preHandler, monitorOf } = needs;
  const one = '/v2/monitors/:monitor_id';
  const own = ({ access, params }: FastifyRequest<OneMonitor>) => monitorOf(access.applicationId, params.monitor_id);
  const as = (operation: Omit<Operation, 'group' | 'access'>) => ({
    preHandler,
    config: { operation: { group: 'Delivery', access: 'application', isTriable: true, ...operation } as const },
  });
  const ofMonitor = (operation: Omit<Operation, 'group' | 'access'>) =>
    as({ parameters: [monitorIdParameter], ...operation });

  const listStates = as({
    id: 'list-delivery-states',
    title: 'List delivery statuses',
    description: "The delivery status of each of the calling application's monitors, and the limits of its plan.",
    responses: [{ status: 200, meaning: 'A list of delivery statuses.', schema: statesSchema }],
  });
  server.get(
    '/v2/delivery/',
    listStates,
    async ({ access: { applicationId } }): Promise<z.infer<typeof statesSchema>> => {
      const [objects, { limit, plan }] = [await log.states(applicationId), await needs.limitOf(applicationId)];
      return {
        objects,
        meta: {
          now: formatTimestamp(clock.now()),
          plan: { name: plan ?? null, monitor_limit: limit },
          extensions: [backtestExtension, nowcastExtension, feedExtension, inboxExtension],
        },
      };
    },
  );

  const getWebhookKeys: Operation = {
    id: 'get-webhook-keys',
    group: 'Delivery',
    title: 'Get the public webhook keys',
    description:
      "The service's Ed25519 keys (JSON Web Key Set, RFC 7517). A v1a signature in webhook-signature is valid if one of these keys " +
      'verifies it. Empty if the service signs only with secrets.',
    responses: [{ status: 200, meaning: 'The keys, newest first.', schema: webhookKeySetSchema }],
    access: 'none',
  };
  server.get('/.well-known/webhook-keys.json', { config: { operation: getWebhookKeys } }, (_request, reply) =>
    reply
      .header('access-control-allow-origin', '*')
      .header('cache-control', 'public, max-age=300')
      .send(needs.webhookKeys),
  );

  const explainMonitor = ofMonitor({
    id: 'explain-monitor',
    title: 'Explain a monitor',
    description:
      'Why a monitor is not firing right now, when that started, and when it will end. Has the weather if that is the cause.',
    responses: [{ status: 200, meaning: 'The first cause that applies.', schema: monitorExplanationSchema }],
  });
  server.get<OneMonitor>(`${one}/explanation/`, explainMonitor, async (request) => needs.explain(await own(request)));

  const switchDelivery = ofMonitor({
    id: 'switch-delivery',
    title: 'Pause or resume a monitor',
    description:
      'A paused monitor keeps its ID, record, and cool-down, and gets no events; one that waits is no longer sent. Resuming also ' +
      'turns on delivery that the service turned off after many failed events or a 410.',
    body: { type: 'application/json', schema: switchBody, example: '{"is_on": false}' },
    responses: [{ status: 200, meaning: 'The delivery status.', schema: deliveryStateSchema }],
  });
  server.patch<OneMonitor>(`${one}/delivery/`, switchDelivery, async (request): Promise<DeliveryState> => {
    const { id } = await own(request);
    const { data } = switchBody.safeParse(request.body);
    if (!data) throw new ServiceError('invalid_request', 'The body must be {is_on: true} or {is_on: false}.');
    await (data.is_on ? log.turnOn(id) : log.pause(id));
    return log.state(await own(request));
  });

  const resendEvent = ofMonitor({
    id: 'resend-event',
    conflicts: true,
    title: 'Resend an event',
    description:
      "Delivers a finished event from the last 30 days again, to the monitor's current URL and with the same webhook-id.",
    parameters: [monitorIdParameter, eventIdParameter],
    responses: [queued],
  });
  server.post<OneEvent>(`${one}/events/:event_id/resend/`, resendEvent, async (request, reply) => {
    const { id } = await own(request);
    const { event_id } = request.params;
    refuseUnlessSent(await log.resend(id, event_id));
    return reply.code(202).send({ event_id });
  });

  const sendTestEvent = ofMonitor({
    id: 'send-test-event',
    title: 'Send a test event',
    description:
      "Delivers a test event to a monitor's callback URL, without changing its cool-down. If the monitor has another payload than " +
      'the Monitor, type chooses the event; its data say is_test.',
    body: { type: 'application/json', schema: testEventBody, example: '{"type": "precipitation.ended"}' },
    responses: [queued],
  });
  server.post<OneMonitor>(`${one}/test-event/`, sendTestEvent, async (request, reply) => {
    const monitor = await own(request);
    const { data } = testEventBody.safeParse(request.body ?? {});
    if (!data) throw new ServiceError('invalid_request', `type must be one of ${rainEventTypes.join(', ')}.`);
    const kind = (data.type?.split('.')[1] ?? 'started') as EpisodeEvent;
    return reply.code(202).send({ event_id: await log.sendTest(monitor, kind) });
  });
}

function refuseUnlessSent(result: 'sent' | 'busy' | 'unknown'): void {
  if (result === 'busy') {
    throw new ServiceError(
      'conflict',
      'This event is still being delivered; wait until it is delivered or has failed.',
    );
  }
  if (result === 'unknown') {
    throw new ServiceError('not_found', 'This monitor has no event with that ID; events are stored for 30 days.');
  }
}
