// The delivery log over HTTP (contract/service-api/delivery.ts): an extension of the interface, for our app and for users who want
// to know why a callback did not arrive. Same tokens and same "own monitors only" as the monitors API.
import type { FastifyInstance, FastifyRequest, preHandlerAsyncHookHandler } from 'fastify';
import { z } from 'zod';
import { type Clock, formatTimestamp } from '@rainbell/shared';
import {
  backtestExtension,
  type deliveryMetaSchema,
  feedEnd,
  feedExtension,
  type FeedPage,
  feedPageSizes,
  maxFeedWaitSeconds,
  type MonitorExplanation,
  nowcastExtension,
  type Outcome,
  rainEventTypes,
  type Verification,
  type WebhookKeySet,
} from '@rainbell/contract/service-api';
import { ServiceError } from '../../errors/service-error.ts';
import type { MonitorRow } from '../monitor-json.ts';
import type { MonitorLimit } from '../../accounts/plans.ts';
import type { DeliveryLog } from './delivery-log.ts';
import type { EpisodeEvent } from './tables.ts';
import {
  explainMonitor,
  getDeliveryState,
  getWebhookKeys,
  listDeliveries,
  listDeliveryStates,
  readFeed,
  resendEvent,
  sendTestEvent,
  turnOnDelivery,
} from './delivery-operations.ts';
import { withoutSlot } from '../../http/request-slot.ts';
import {
  type EventFeed,
  type FeedCursor,
  type FeedWaits,
  formatFeedCursor,
  type NoteFeedReader,
  parseFeedCursor,
} from './feed.ts';

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

const testEventBody = z.strictObject({ type: z.enum(rainEventTypes).optional() });
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
      const parsed = testEventBody.safeParse(request.body ?? {});
      if (!parsed.success)
        throw new ServiceError('invalid_request', `type must be one of ${rainEventTypes.join(', ')}.`);
      const kind = (parsed.data.type?.split('.')[1] ?? 'started') as EpisodeEvent;
      return reply.code(202).send({ event_id: await log.sendTest(monitor, kind) });
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

// `GET /v2/deliveries/`: the events of an application without a callback (contract/service-api/feed.ts). Same tokens as the monitors
// API, and nothing else of delivery changes: reading an event is not a delivery.

type FeedNeeds = {
  feed: EventFeed;
  waits: FeedWaits;
  noteReader: NoteFeedReader;
  /** Accepts an application token. */
  preHandler: preHandlerAsyncHookHandler[];
  /** Whether the token of an accepted request is still valid. */
  isStillValid: (request: FastifyRequest) => Promise<boolean>;
};

const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,4}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max));
const querySchema = z.object({
  after: z.string().optional(),
  wait: whole(0, maxFeedWaitSeconds).default(maxFeedWaitSeconds),
  limit: whole(1, feedPageSizes.max).default(feedPageSizes.default),
});

export function registerFeedRoutes(server: FastifyInstance, needs: FeedNeeds): void {
  const { feed, waits, preHandler } = needs;

  async function readOrWait(request: FastifyRequest, signal: AbortSignal): Promise<FeedPage> {
    const { applicationId } = request.access;
    const { after, wait, limit } = readQuery(request.query);
    await needs.noteReader(applicationId);
    if (after === feedEnd) return emptyPage(await feed.end(applicationId));
    const cursor = after === undefined ? undefined : parseFeedCursor(after);
    const page = await feed.read(applicationId, cursor, limit);
    if (page.objects.length > 0 || page.meta.has_gap || wait === 0 || request.method === 'HEAD') return page;
    const reached = parseFeedCursor(page.meta.cursor);
    await withoutSlot(() => waits.wait(request.access, reached, wait * 1000, signal));
    if (signal.aborted) return page;
    // It may have been revoked meanwhile.
    if (!(await needs.isStillValid(request))) {
      throw new ServiceError(
        'invalid_token',
        'The access token expired or was revoked while the request was waiting; get a new one at /token/.',
      );
    }
    return feed.read(applicationId, reached, limit);
  }

  server.get('/v2/deliveries/', { preHandler, config: { operation: readFeed } }, async (request, reply) => {
    const closed = new AbortController();
    reply.raw.once('close', () => closed.abort());
    const page = await readOrWait(request, closed.signal);
    return reply.header('cache-control', 'no-store').send(page);
  });
}

function emptyPage(cursor: FeedCursor): FeedPage {
  return { objects: [], meta: { cursor: formatFeedCursor(cursor), has_more: false, has_gap: false } };
}

function readQuery(query: unknown): z.output<typeof querySchema> {
  const parsed = querySchema.safeParse(query);
  if (parsed.success) return parsed.data;
  const name = parsed.error.issues[0]?.path[0];
  const rules: Readonly<Record<string, string>> = {
    after: 'must appear at most once',
    wait: `must be a whole number of seconds from 0 to ${maxFeedWaitSeconds}`,
    limit: `must be a whole number from 1 to ${feedPageSizes.max}`,
  };
  throw new ServiceError('invalid_request', `${String(name)} ${rules[String(name)] ?? 'is not valid'}.`);
}
