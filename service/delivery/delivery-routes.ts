// The delivery log over HTTP (contract/service-api/delivery.ts): an addition to the interface, for our own app and for whoever wants to
// know why a callback did not come. Same tokens, same "own monitors only" as the monitors API.
import type { FastifyInstance, preHandlerAsyncHookHandler } from 'fastify';
import { z } from 'zod';
import type { Clock } from '#shared/time/clock.ts';
import { collection } from '#contract/service-api/collection.ts';
import type { deliveryMetaSchema } from '#contract/service-api/delivery.ts';
import type { MonitorExplanation } from '#contract/service-api/monitor-explanation.ts';
import { nowcastExtension } from '#contract/service-api/nowcast.ts';
import { formatTimestamp } from '#contract/service-api/timestamp.ts';
import { ServiceError } from '#service/errors/service-error.ts';
import type { MonitorRow } from '../monitors/monitor-json.ts';
import type { MonitorLimit } from '#service/accounts/plans.ts';
import type { DeliveryLog } from './delivery-log.ts';
import {
  explainMonitor,
  getDeliveryState,
  listDeliveries,
  listDeliveryStates,
  resendEvent,
  sendTestEvent,
  turnOnDelivery,
} from './delivery-operations.ts';

type Dependencies = {
  log: DeliveryLog;
  clock: Clock;
  /** Lets through an application with a token of its own. */
  preHandler: preHandlerAsyncHookHandler[];
  /** The monitor, or a 404. */
  monitorOf: (applicationId: string, id: string) => Promise<MonitorRow>;
  limitOf: (applicationId: string) => Promise<MonitorLimit>;
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
      extensions: [nowcastExtension],
    };
    return { objects, meta };
  });

  server.get<OneMonitor>(
    '/v2/monitors/:monitor_id/deliveries/',
    { preHandler, config: { operation: listDeliveries } },
    async (request) => {
      const monitor = await monitorOf(request.access.applicationId, request.params.monitor_id);
      return collection(await log.attempts(monitor.id));
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
          'The body must be {is_on: true}; to end delivery, delete the monitor.',
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
    throw new ServiceError('conflict', 'This event is still being delivered; wait until its attempts are over.');
  }
  if (outcome === 'unknown') {
    throw new ServiceError('not_found', 'This monitor has no event with that id; events are kept for 30 days.');
  }
}
