// Delivery over HTTP (contract/service-api/delivery.ts): an extension of the interface, for our app and for users who want
// to know why a callback did not arrive. Same tokens and same "own monitors only" as the monitors API.
import type { FastifyInstance, FastifyRequest, preHandlerAsyncHookHandler } from 'fastify';
import { z } from 'zod';
import { type Clock, formatTimestamp } from '@rainbell/shared';
import {
  backtestExtension,
  type deliveryMetaSchema,
  feedExtension,
  inboxExtension,
  type MonitorExplanation,
  nowcastExtension,
  rainEventTypes,
  type WebhookKeySet,
} from '@rainbell/contract/service-api';
import { ServiceError } from '../../errors/service-error.ts';
import type { MonitorRow } from '../monitor-json.ts';
import type { MonitorLimit } from '../../accounts/plans.ts';
import type { Operation } from '../../http/operation.ts';
import type { DeliveryLog } from './delivery-log.ts';
import type { EpisodeEvent } from './tables.ts';
import {
  explainMonitor,
  getDeliveryState,
  getWebhookKeys,
  listDeliveryStates,
  resendEvent,
  sendTestEvent,
  switchDelivery,
} from './delivery-operations.ts';

type Dependencies = {
  log: DeliveryLog;
  clock: Clock;
  /** Accepts an application token. */
  preHandler: preHandlerAsyncHookHandler[];
  /** The monitor, or a 404. */
  monitorOf: (applicationId: string, id: string) => Promise<MonitorRow>;
  limitOf: (applicationId: string) => Promise<MonitorLimit>;
  /** The public keys of the service; without any, callbacks have no signature of the service. */
  webhookKeys: WebhookKeySet;
  explain: (monitor: MonitorRow) => Promise<MonitorExplanation>;
};

type DeliveryMeta = z.infer<typeof deliveryMetaSchema>;
type OneMonitor = { Params: { monitor_id: string } };
type OneEvent = { Params: { monitor_id: string; event_id: string } };

const testEventBody = z.strictObject({ type: z.enum(rainEventTypes).optional() });
const switchBody = z.strictObject({ is_on: z.boolean() });

export function registerDeliveryRoutes(server: FastifyInstance, needs: Dependencies): void {
  const { log, clock, preHandler, monitorOf } = needs;
  const own = ({ access, params }: FastifyRequest<OneMonitor>) => monitorOf(access.applicationId, params.monitor_id);
  const one = '/v2/monitors/:monitor_id';
  const as = (operation: Operation) => ({ preHandler, config: { operation } });

  server.get('/v2/delivery/', as(listDeliveryStates), async ({ access: { applicationId } }) => {
    const [objects, { limit, plan }] = [await log.states(applicationId), await needs.limitOf(applicationId)];
    const meta: DeliveryMeta = {
      now: formatTimestamp(clock.now()),
      plan: { name: plan ?? null, monitor_limit: limit },
      extensions: [backtestExtension, nowcastExtension, feedExtension, inboxExtension],
    };
    return { objects, meta };
  });

  server.get('/.well-known/webhook-keys.json', { config: { operation: getWebhookKeys } }, (_request, reply) =>
    reply
      .header('access-control-allow-origin', '*')
      .header('cache-control', 'public, max-age=300')
      .send(needs.webhookKeys),
  );

  server.get<OneMonitor>(`${one}/delivery/`, as(getDeliveryState), async (request) => log.state(await own(request)));

  server.get<OneMonitor>(`${one}/explanation/`, as(explainMonitor), async (request) =>
    needs.explain(await own(request)),
  );

  server.patch<OneMonitor>(`${one}/delivery/`, as(switchDelivery), async (request) => {
    const { id } = await own(request);
    const { data } = switchBody.safeParse(request.body);
    if (!data) throw new ServiceError('invalid_request', 'The body must be {is_on: true} or {is_on: false}.');
    await (data.is_on ? log.turnOn(id) : log.pause(id));
    return log.state(await own(request));
  });

  server.post<OneEvent>(`${one}/events/:event_id/resend/`, as(resendEvent), async (request, reply) => {
    const { id } = await own(request);
    const { event_id } = request.params;
    refuseUnlessSent(await log.resend(id, event_id));
    return reply.code(202).send({ event_id });
  });

  server.post<OneMonitor>(`${one}/test-event/`, as(sendTestEvent), async (request, reply) => {
    const monitor = await own(request);
    const parsed = testEventBody.safeParse(request.body ?? {});
    if (!parsed.success) throw new ServiceError('invalid_request', `type must be one of ${rainEventTypes.join(', ')}.`);
    const kind = (parsed.data.type?.split('.')[1] ?? 'started') as EpisodeEvent;
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
