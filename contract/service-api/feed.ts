// The feed of an application's events: a Rainbell extension of the interface, at `GET /v2/deliveries/` (docs/feed.md). Clients pull
// each event with the headers and bytes of its callback, so they need no URL that the service can reach.
import { z } from 'zod';

/** The value in `meta.extensions` of `GET /v2/delivery/`; the app queries only services that list it. */
export const feedExtension = 'feed';

/** The value for services that receive webhooks of any sender (`/v2/inbox/`). */
export const inboxExtension = 'inbox';

/** Maximum and default `wait` of a request. Below the 60 s timeout of most proxies. */
export const maxFeedWaitSeconds = 55;
/** `limit` of a request. */
export const feedPageSizes = { default: 100, max: 500 } as const;

/** `after` for the end of the feed: only events from now on. */
export const feedEnd = 'now';

/** The longest body of a webhook that the service receives for the app. */
export const maxInboxBodyBytes = 256 * 1024;

/** A webhook of any sender, as the service received it. */
export const inboxRequestSchema = z.object({
  method: z.string(),
  target: z.string().describe('path and query, without the token of the address'),
  http_version: z.string(),
  headers: z.array(z.tuple([z.string(), z.string()])).describe('in their order, with duplicates'),
  body_base64: z.string(),
  remote_address: z.string(),
});
export type InboxRequest = z.infer<typeof inboxRequestSchema>;

export const inboxSchema = z.object({
  url: z.string().nullable().describe('senders POST to it, followed by any path; null: closed'),
});

export const feedEventSchema = z.object({
  id: z.string().describe('the webhook-id'),
  monitor_id: z.string(),
  occurred_at: z.string().describe('when the event was detected'),
  callback_uri: z.string().describe("the monitor's callback URL"),
  headers: z
    .record(z.string(), z.string())
    .describe('headers of the callback; webhook-timestamp and webhook-signature differ in each response'),
  body: z.string().describe('the exact body of the callback; the signature covers its UTF-8 bytes'),
  request: inboxRequestSchema
    .optional()
    .describe('a webhook from the inbox; then monitor_id, headers, and body are empty'),
});
export type FeedEvent = z.infer<typeof feedEventSchema>;

export const feedMetaSchema = z.object({
  cursor: z.string().describe('the value of `after` for the next request'),
  has_more: z.boolean().describe('true: more events are available now'),
  has_gap: z
    .boolean()
    .describe('true: the given cursor is too old or unknown, so events after it may be missing; the rest follow'),
});

export const feedSchema = z.object({ objects: z.array(feedEventSchema), meta: feedMetaSchema });
export type FeedPage = z.infer<typeof feedSchema>;
