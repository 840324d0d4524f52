// Requests of the feed, and its events as rows of the callback store.
import { z } from 'zod';
import {
  feedEnd,
  type FeedEvent,
  feedEventSchema,
  feedMetaSchema,
  type InboxRequest,
  inboxRequestSchema,
  maxInboxBodyBytes,
  maxFeedWaitSeconds,
} from '@rainbell/contract/service-api';
import { parseTimestamp } from '@rainbell/shared';
import { type ApiClient, readAs } from '../connection/api-client.ts';
import type { ReceivedCallback } from '../receiver/requests/received-callback.ts';

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
/** Bounded, because it comes from outside. */
const pageSchema = z.object({
  objects: z.array(
    feedEventSchema.extend({
      id: z.string().min(1).max(200),
      callback_uri: z.string().max(4096),
      headers: z
        .record(z.string().regex(headerName), z.string().max(4096))
        .refine((headers) => Object.keys(headers).length <= 50, 'must have at most 50 headers'),
      body: z.string().max(256 * 1024),
      request: inboxRequestSchema
        .extend({
          method: z.string().regex(headerName),
          target: z.string().startsWith('/').max(16_384),
          headers: z.array(z.tuple([z.string().regex(headerName), z.string().max(16_384)])).max(200),
          body_base64: z.base64().max(Math.ceil(maxInboxBodyBytes / 3) * 4),
        })
        .optional(),
    }),
  ),
  meta: feedMetaSchema.extend({ cursor: z.string().min(1).max(1000) }),
});
export type ReadPage = z.infer<typeof pageSchema>;

/**
 * Reads a page after the cursor, and waits for events if there are none. Without a cursor, only where the feed ends now; after an
 * empty one, from the oldest event.
 */
export async function readFeedPage(api: ApiClient, cursor: string | undefined, signal: AbortSignal): Promise<ReadPage> {
  const isWaiting = cursor !== undefined;
  const query = new URLSearchParams({ wait: String(isWaiting ? maxFeedWaitSeconds : 0) });
  if (cursor !== '') query.set('after', cursor ?? feedEnd);
  const response = await api.call({
    method: 'GET',
    path: `/v2/deliveries/?${String(query)}`,
    signal,
    isBackground: true,
    // One a minute would push other requests out of the log.
    logged: 'on failure',
    waitMs: isWaiting ? maxFeedWaitSeconds * 1000 : 0,
  });
  return readAs(response, pageSchema, 'a feed in an unknown format');
}

/** The callback that this event would have been; without a response, because nothing was sent. */
export function callbackOfEvent(event: FeedEvent, receivedAt: number, from: string): ReceivedCallback {
  const feedEvent = { id: event.id, occurredAt: parseTimestamp(event.occurred_at) ?? receivedAt };
  const facts = { truncated: false, answeredStatus: 0, feedEvent };
  if (event.request) return { ...requestFacts(event.request), ...facts, receivedAt: feedEvent.occurredAt };
  const url = URL.parse(event.callback_uri);
  return {
    ...facts,
    receivedAt,
    method: 'POST',
    target: url ? url.pathname + url.search : '/',
    httpVersion: '1.1',
    remoteAddress: from,
    rawHeaders: Object.entries(event.headers).flat(),
    body: Buffer.from(event.body),
  };
}

/** It is dated when the service received it: its signature may have been valid for five minutes only. */
function requestFacts({ method, target, http_version, headers, body_base64, remote_address }: InboxRequest) {
  return {
    method,
    target,
    httpVersion: http_version,
    remoteAddress: remote_address,
    rawHeaders: headers.flat(),
    body: Buffer.from(body_base64, 'base64'),
  };
}
