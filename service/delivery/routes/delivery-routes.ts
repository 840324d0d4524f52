// The delivery log over HTTP (contract/service-api/delivery.ts): an extension of the interface, for our app and for users who want
// to know why a callback did not arrive. Same tokens and same "own monitors only" as the monitors API.
import type { FastifyInstance, preHandlerAsyncHookHandler } from 'fastify';
import { z } from 'zod';
import { type Clock, formatTimestamp } from '@rainbell/shared';
import {
  backtestExtension,
  type deliveryMetaSchema,
  feedExtension,
  type MonitorExplanation,
  nowcastExtension,
  type Outcome,
  type Verification,
  type WebhookKeySet,
} from '@rainbell/contract/service-api';
import { ServiceError } from '../../errors/service-error.ts';
import type { MonitorRow } from '../../monitors/monitor-json.ts';
import type { MonitorLimit } from '../../accounts/plans.ts';
import type { DeliveryLog } from '../outbox/delivery-log.ts';
import {
  explainMonitor,
  getWebhookKeys,
  getDeliveryState,
  listDeliveries,
  listDeliveryStates,
  resendEvent,
  sendTestEvent,
  turnOnDelivery,
} from './delivery-operations.ts';

type Dependencies = {
  log: DeliveryLog;
  /** Outcomes of events by later observations (docs/verification.md). */
  outcomes: {
    outcomesOf(eventIds: readonly string[]): Promise<ReadonlyMap<string, Outcome>>;
    ofMonitor(monitorId: string): Promise<Verification>;
  };
  clock: Clock;
  /** Accepts an application token. */
  preHandler: preHandlerAsyncHookHandler[];
  /** The monitor, or a 404. */
  monitorOf: (applicationId: string, id: string) => Promise<MonitorRow>;
  limitOf: (applicationId: string) => Promise<MonitorLimit>;
  /** The public keys of the service; without any, callbacks have no signature of the service. */
  webhookKeys: WebhookKeySet;
  explain: (monitor: MonitorRow) => Promise<MonitorExplanation>;
  /** Test events are for the sandbox (docs/delivery.md S15). */
  allowsTestEvents: boolean;
};

type DeliveryMeta = z.infer<typeof deliveryMetaSchema>;
type OneMonitor = { Params: { monitor_id: string } };
type OneEvent = { Params: { monitor_id: string; event_id: string } };

const turnOnBody = z.strictObject({ is_on: z.literal(true) });

export function registerDeliveryRoutes(server: FastifyInstance, needs: Dependencies): void {
  const { log, clock, preHandler, monitorOf } = needs;

  server.get('/v2/delivery/', { preHandler, config: { operation: listDeliveryStates } }, async (request) => {
    const { applicationId } = request.access;
    const [objects, { limit, plan }] = [await log.states(applicationId), await needs.limitOf(applicationId)];
    const meta: DeliveryMeta = {
      now: formatTimestamp(clock.now()),
      plan: { name: plan ?? null, monitor_limit: limit },
      extensions: [backtestExtension, nowcastExtension, feedExtension],
    };
    return { objects, meta };
  });

  server.get('/.well-known/webhook-keys.json', { config: { operation: getWebhookKeys } }, (_request, reply) =>
    reply
      .header('access-control-allow-origin', '*')
      .header('cache-control', 'public, max-age=300')
      .send(needs.webhookKeys),
  );

  server.get<OneMonitor>(
    '/v2/monitors/:monitor_id/deliveries/',
    { preHandler, config: { operation: listDeliveries } },
    async (request) => {
      const monitor = await monitorOf(request.access.applicationId, request.params.monitor_id);
      const attempts = await log.attempts(monitor.id);
      const [outcomes, verification] = await Promise.all([
        needs.outcomes.outcomesOf([...new Set(attempts.map((attempt) => attempt.event_id))]),
        needs.outcomes.ofMonitor(monitor.id),
      ]);
      const objects = attempts.map((attempt) => ({ ...attempt, outcome: outcomes.get(attempt.event_id) ?? null }));
      return { objects, meta: { verification } };
    },
  );

  server.get<OneMonitor>(
    '/v2/monitors/:monitor_id/delivery/',
    { preHandler, config: { operation: getDeliveryState } },
    async (request) => log.state(await monitorOf(request.access.applicationId, request.params.monitor_id)),
  );

  server.get<OneMonitor>(
    '/v2/monitors/:monitor_id/explanation/',
    { preHandler, config: { operation: explainMonitor } },
    async (request) => needs.explain(await monitorOf(request.access.applicationId, request.params.monitor_id)),
  );

  server.patch<OneMonitor>(
    '/v2/monitors/:monitor_id/delivery/',
    { preHandler, config: { operation: turnOnDelivery } },
    async (request) => {
      const { applicationId } = request.access;
      const monitor = await monitorOf(applicationId, request.params.monitor_id);
      if (!turnOnBody.safeParse(request.body).success) {
        throw new ServiceError(
          'invalid_request',
          'The body must be {is_on: true}; to stop delivery, delete the monitor.',
        );
      }
      await log.turnOn(monitor.id);
      return log.state(await monitorOf(applicationId, monitor.id));
    },
  );

  server.post<OneEvent>(
    '/v2/monitors/:monitor_id/events/:event_id/resend/',
    { preHandler, config: { operation: resendEvent } },
    async (request, reply) => {
      const monitor = await monitorOf(request.access.applicationId, request.params.monitor_id);
      refuseUnlessSent(await log.resend(monitor.id, request.params.event_id));
      return reply.code(202).send({ event_id: request.params.event_id });
    },
  );

  if (needs.allowsTestEvents) registerTestEvents(server, needs);
}

function registerTestEvents(server: FastifyInstance, { log, preHandler, monitorOf }: Dependencies): void {
  server.post<OneMonitor>(
    '/v2/monitors/:monitor_id/test-event/',
    { preHandler, config: { operation: sendTestEvent } },
    async (request, reply) => {
      const monitor = await monitorOf(request.access.applicationId, request.params.monitor_id);
      return reply.code(202).send({ event_id: await log.sendTest(monitor) });
    },
  );
}

function refuseUnlessSent(outcome: 'sent' | 'busy' | 'unknown'): void {
  if (outcome === 'busy') {
    throw new ServiceError(
      'conflict',
      'This event is still being delivered; wait until it is delivered or has failed.',
    );
  }
  if (outcome === 'unknown') {
    throw new ServiceError('not_found', 'This monitor has no event with that ID; events are stored for 30 days.');
  }
}
