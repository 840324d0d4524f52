// What the checks of a callback share: their form, and what is known of the callbacks before it.
import type { FeedOrigin, StoredCallback } from '../records/stored-callback.ts';
import type { CallbackCheck, CheckVerdict, HeaderList } from '@rainbell/contract/app-rpc';
import { isJsonObject } from '@rainbell/shared';
import { headerOf } from '../../http/http-headers.ts';

export function checksOf(check: CallbackCheck['check']) {
  return (verdict: CheckVerdict, message: string, breach?: CallbackCheck['breach']): CallbackCheck => ({
    check,
    verdict,
    ...(breach && { breach }),
    message,
  });
}

/** A Monitor with the longest callback address, or an event about it, is far below it; a longer body is not parsed at all. */
export const maxMonitorBytes = 64 * 1024;

/** Another callback of the same monitor, before this one. */
export type EarlierCallback = Pick<StoredCallback, 'id' | 'receivedAt'> & {
  event: EventHeaders;
  /** Whether it counts as an event (event-evidence.ts); undefined if that cannot be known yet. */
  counts: boolean | undefined;
  /** Whether it only follows an event: the hour between events is not about it. */
  isFollowUp?: boolean;
  /** When the service sent its event, by the delivery log. */
  sentAt?: number | undefined;
  feed?: FeedOrigin | undefined;
};

/** Returns the monitor that a body is, or that the event in it is about (docs/events.md). */
export function monitorOfBody(value: unknown): Record<string, unknown> | undefined {
  const { type, data } = objectOf(value) ?? {};
  const isEvent = typeof type === 'string' && type.startsWith('precipitation.');
  return isEvent ? objectOf(objectOf(data)?.['monitor']) : objectOf(value);
}

/** Of the events in docs/events.md, only a start is the interface's event. The service writes the type first. */
export function isFollowUp({ body }: Pick<StoredCallback, 'body'>): boolean {
  return /^\s*\{\s*"type"\s*:\s*"precipitation\.(?:expected|ended|canceled)"/.test(body.toString('latin1', 0, 100));
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function objectOf(value: unknown): Record<string, unknown> | undefined {
  return isJsonObject(value) ? value : undefined;
}

/** What the headers of Standard Webhooks say of the event. Read once, because each callback is compared with many. */
export type EventHeaders = { id: string | undefined; timestamp: string | undefined };

export function eventHeadersOf(headers: HeaderList): EventHeaders {
  return { id: headerOf(headers, 'webhook-id'), timestamp: headerOf(headers, 'webhook-timestamp') };
}
