// `GET /v2/deliveries/`: the events of an application without a callback (docs/feed.md). Same tokens as the monitors API, and nothing
// else of delivery changes: reading an event is not a delivery.
import type { FastifyInstance, FastifyRequest, preHandlerAsyncHookHandler } from 'fastify';
import { z } from 'zod';
import { feedEnd, type FeedPage, feedPageSizes, feedSchema, maxFeedWaitSeconds } from '@rainbell/contract/service-api';
import { ServiceError } from '../../errors/service-error.ts';
import { inQuery, type Operation } from '../../http/operation.ts';
import { readQuery, wholeNumber } from '../../http/query.ts';
import { withoutSlot } from '../../http/request-slot.ts';
import { type EventFeed, type FeedWaits, formatFeedCursor, parseFeedCursor } from './feed.ts';

export const readFeed: Operation = {
  id: 'read-feed',
  group: 'Delivery',
  access: 'application',
  isTriable: true,
  title: 'Read the event feed',
  description:
    "All events of the calling application's monitors, in order, each with the headers and exact body of its callback, for " +
    'clients that the service cannot reach. If there are none after the cursor, the request waits for one. Reading an event does ' +
    'not count as delivery: callbacks are sent as usual, with the same webhook-id. Events are kept for 30 days. This is an ' +
    'extension to the API spec: services that support it list feed in meta.extensions of GET /v2/delivery/.',
  parameters: [
    inQuery(
      'after',
      'now',
      'The meta.cursor of the last response, or "now" to start at the end of the feed. If omitted, the response starts with the oldest event.',
    ),
    inQuery(
      'wait',
      0,
      `Seconds to wait if there are no events, at most ${maxFeedWaitSeconds} (default: ${maxFeedWaitSeconds}).`,
      z.int().min(0).max(maxFeedWaitSeconds).optional(),
    ),
    inQuery(
      'limit',
      100,
      `Maximum number of events in the response, at most ${feedPageSizes.max} (default: ${feedPageSizes.default}).`,
      z.int().min(1).max(feedPageSizes.max).optional(),
    ),
  ],
  responses: [{ status: 200, meaning: 'A list of events.', schema: feedSchema }],
};

type FeedNeeds = {
  feed: EventFeed;
  waits: FeedWaits;
  /** Accepts an application token. */
  preHandler: preHandlerAsyncHookHandler[];
  /** Whether the token of an accepted request is still valid. */
  isStillValid: (request: FastifyRequest) => Promise<boolean>;
};

const querySchema = z.object({
  after: z.string({ error: 'after must appear at most once' }).optional(),
  wait: wholeNumber('wait', 0, maxFeedWaitSeconds, 4).default(maxFeedWaitSeconds),
  limit: wholeNumber('limit', 1, feedPageSizes.max, 4).default(feedPageSizes.default),
});

export function registerFeedRoutes(server: FastifyInstance, needs: FeedNeeds): void {
  const { feed, waits, preHandler } = needs;

  async function readOrWait(request: FastifyRequest, signal: AbortSignal): Promise<FeedPage> {
    const { applicationId } = request.access;
    const { after, wait, limit } = readQuery(querySchema, request.query);
    await feed.noteReader(applicationId);
    if (after === feedEnd) {
      const cursor = formatFeedCursor(await feed.end(applicationId));
      return { objects: [], meta: { cursor, has_more: false, has_gap: false } };
    }
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
