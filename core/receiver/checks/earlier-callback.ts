// What is known of the callbacks before one that is checked.
import type { FeedOrigin } from '../records/feed-store.ts';
import type { StoredCallback } from '../records/stored-callback.ts';
import type { HeaderList } from '@rainbell/contract/app-rpc';
import { headerOf } from '../../http/http-headers.ts';

/** Another callback of the same monitor, before this one. */
export type EarlierCallback = Pick<StoredCallback, 'id' | 'receivedAt'> & {
  event: EventHeaders;
  /** Whether it counts as an event (event-evidence.ts); undefined if that cannot be known yet. */
  counts: boolean | undefined;
  /** When the service sent its event, by the delivery log. */
  sentAt?: number | undefined;
  /** Set if received by the feed. */
  feed?: FeedOrigin | undefined;
};

/** What the headers of Standard Webhooks say of the event. Read once, because each callback is compared with many. */
export type EventHeaders = { id: string | undefined; timestamp: string | undefined };

export function eventHeadersOf(headers: HeaderList): EventHeaders {
  return { id: headerOf(headers, 'webhook-id'), timestamp: headerOf(headers, 'webhook-timestamp') };
}
