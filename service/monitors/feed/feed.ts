// Reads the feed of an application's events (docs/feed.md): page by page, each event signed as its callback would be now.
import { sql } from 'kysely';
import { type CancelTimer, type Clock, formatTimestamp } from '@rainbell/shared';
import { type FeedEvent, type FeedPage, inboxIdPrefix, type InboxRequest } from '@rainbell/contract/service-api';
import { z } from 'zod';
import type { Logger } from 'pino';
import type { Database } from '../../database/open-database.ts';
import { type AsymmetricSigner, signWebhook, type WebhookSecrets } from '../delivery/signing.ts';
import { retentionMs, timeOfEventId } from '../delivery/tables.ts';
import { evidenceHeaders } from '../delivery/event-basis.ts';
import { callbackHeaders } from '../delivery/send-callback.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { createCache } from '../../cache/create-cache.ts';
import type { Access } from '../../http/access.ts';

export type WaitingReader = { key: number; applicationId: string; place: FeedPlace };

export type EventFeed = ReturnType<typeof createEventFeed>;

type Dependencies = {
  database: Pick<Database, 'db' | 'engine'>;
  clock: Clock;
  secrets: Pick<WebhookSecrets, 'activeFor'>;
  asymmetricSigner?: AsymmetricSigner | undefined;
};

/** Housekeeping runs hourly, and clocks of processes differ. */
const slackMs = 3_600_000;

const notedEveryMs = 3_600_000;
const rememberedApplications = 20_000;

export function createEventFeed({ database, clock, secrets, asymmetricSigner }: Dependencies) {
  const { db, engine } = database;
  const notedAt = createCache<string, number>(rememberedApplications);

  const newestIn = (table: 'events' | 'inbox_requests', applicationId: string) =>
    db
      .selectFrom(table)
      .select(['feed_position', 'id'])
      .where('application_id', '=', applicationId)
      .orderBy('feed_position', 'desc')
      .limit(1)
      .execute();

  /**
   * Returns undefined if nothing is lost. Otherwise the time from which events are new to the reader: the event of its cursor is
   * unknown here, for example because the database was restored from a backup, so positions mean nothing.
   */
  async function gapAfter(applicationId: string, cursor: FeedCursor): Promise<number | undefined> {
    const now = clock.now();
    const isTooOld = cursor.completeAt < now - retentionMs;
    if (cursor.id === '') return isTooOld ? 0 : undefined;
    const table = cursor.id.startsWith(inboxIdPrefix) ? 'inbox_requests' : 'events';
    const known = await db
      .selectFrom(table)
      .select('id')
      .where('application_id', '=', applicationId)
      .where('id', '=', cursor.id)
      .where('feed_position', '=', cursor.position)
      .executeTakeFirst();
    if (known) return undefined;
    const occurredAt = timeOfEventId(cursor.id);
    const isExpired = occurredAt < now - retentionMs + slackMs;
    if (isExpired && !isTooOld) return undefined;
    return occurredAt - slackMs;
  }

  return {
    /**
     * Writes, at most once an hour, that the application reads its feed. Only these get events while delivery to a monitor is off:
     * otherwise every forgotten monitor would write an unread row per hour.
     */
    async noteReader(applicationId: string): Promise<void> {
      const now = clock.now();
      if (Math.abs(now - (notedAt.get(applicationId) ?? -Infinity)) < notedEveryMs) return;
      await db.updateTable('applications').set({ feed_read_at: now }).where('id', '=', applicationId).execute();
      notedAt.set(applicationId, now);
    },

    /** Returns the events after a cursor; without one, from the oldest stored. */
    async read(applicationId: string, after: FeedCursor | undefined, limit: number): Promise<FeedPage> {
      const gapFrom = after && (await gapAfter(applicationId, after));
      const place = gapFrom === undefined ? after : undefined;
      const completeAt = clock.now();
      const from = (place ?? beginning).position;
      const events = await db
        .selectFrom('events')
        .where('application_id', '=', applicationId)
        .select(['id', 'monitor_id', 'occurred_at', 'callback_uri', 'body', 'feed_position', 'triggered_by'])
        .where('feed_position', '>', from)
        .where('occurred_at', '>=', gapFrom ?? 0)
        .orderBy('feed_position')
        .limit(limit + 1)
        .execute();
      const requests = await db
        .selectFrom('inbox_requests')
        .where('application_id', '=', applicationId)
        .select(['id', 'received_at', 'request', 'feed_position'])
        .where('feed_position', '>', from)
        .where('received_at', '>=', gapFrom ?? 0)
        .orderBy('feed_position')
        .limit(requestsPerPage + 1)
        .execute();
      const rows = inOrder(events, requests);
      const shown = rows.slice(0, limit);
      // Without a secret, the application was deleted.
      const active = shown.some((row) => 'body' in row) ? await secrets.activeFor(applicationId) : [];
      const timestamp = Math.floor(clock.now() / 1000);
      const last = shown.at(-1);
      const reached = last ? { position: Number(last.feed_position), id: last.id } : (place ?? beginning);
      return {
        objects: shown.map((row): FeedEvent => {
          if ('request' in row) return inboxEvent(row);
          const { id, monitor_id, occurred_at, callback_uri, body, triggered_by } = row;
          return {
            id,
            monitor_id,
            occurred_at: formatTimestamp(Number(occurred_at)),
            callback_uri,
            headers: callbackHeaders({
              ...signWebhook(id, timestamp, body, active, asymmetricSigner),
              ...evidenceHeaders(triggered_by),
            }),
            body,
          };
        }),
        meta: {
          cursor: formatFeedCursor({ ...reached, completeAt }),
          has_more: rows.length > limit,
          has_gap: gapFrom !== undefined,
        },
      };
    },

    /** The cursor after the newest event. */
    async end(applicationId: string): Promise<FeedCursor> {
      const completeAt = clock.now();
      const newest = await Promise.all(
        (['events', 'inbox_requests'] as const).map((table) => newestIn(table, applicationId)),
      );
      const [last] = newest.flat().toSorted((one, other) => Number(other.feed_position) - Number(one.feed_position));
      return { ...(last ? { position: Number(last.feed_position), id: last.id } : beginning), completeAt };
    },

    /** Runs one query for all readers; returns the keys of those that have events. */
    async findReady(readers: readonly WaitingReader[]): Promise<number[]> {
      const json = JSON.stringify(
        readers.map(({ key, applicationId, place }) => ({ key, application: applicationId, position: place.position })),
      );
      const given =
        engine === 'sqlite'
          ? sql`(select value ->> 'key' as key, value ->> 'application' as application, value ->> 'position' as position
                 from json_each(${json})) as given`
          : sql`json_to_recordset(${json}::json) as given(key integer, application text, position bigint)`;
      const { rows } = await sql<{ key: number }>`
        select key from ${given} where exists (select 1 from events
          where events.application_id = given.application and events.feed_position > given.position)
        or exists (select 1 from inbox_requests
          where inbox_requests.application_id = given.application and inbox_requests.feed_position > given.position)`.execute(
        db,
      );
      return rows.map(({ key }) => key);
    },
  };
}

/** Their bodies can be 256 KB long. */
const requestsPerPage = 16;

type Placed = { feed_position: number };

/** By their positions; if there are more requests than a page may have, only as far as the last of them. */
function inOrder<Row extends Placed, Request extends Placed>(
  events: readonly Row[],
  requests: readonly Request[],
): (Row | Request)[] {
  const end = requests.length > requestsPerPage ? Number(requests.at(-1)?.feed_position) : Infinity;
  return [...events, ...requests]
    .filter(({ feed_position }) => Number(feed_position) <= end)
    .toSorted((one, other) => Number(one.feed_position) - Number(other.feed_position));
}

function inboxEvent({ id, received_at, request }: { id: string; received_at: number; request: string }): FeedEvent {
  const received = JSON.parse(request) as InboxRequest;
  const occurred_at = formatTimestamp(Number(received_at));
  return { id, monitor_id: '', occurred_at, callback_uri: '', headers: {}, body: '', request: received };
}

const beginning: FeedPlace = { position: 0, id: '' };

// The cursor of a feed: the last event its reader has, and when the reader was up to date. Opaque to clients.

/** After the event with this position and ID; 0 and '' for the start. */
export type FeedPlace = { position: number; id: string };
export type FeedCursor = FeedPlace & { completeAt: number };

const form = z.tuple([z.literal(1), z.int().min(0), z.string().max(64), z.int().min(0)]);
const maxTextLength = 300;

/** An idle cursor changes at most this often, so that its reader doesn't have to store it each time. */
const stepMs = 3_600_000;

export function formatFeedCursor({ position, id, completeAt }: FeedCursor): string {
  const time = Math.floor(Math.max(0, completeAt) / stepMs) * stepMs;
  return Buffer.from(JSON.stringify([1, position, id, time] satisfies z.input<typeof form>)).toString('base64url');
}

/** Throws a ServiceError if the text is not a cursor. */
export function parseFeedCursor(text: string): FeedCursor {
  const parsed = form.safeParse(text.length > maxTextLength ? undefined : jsonIn(text));
  if (!parsed.success) {
    throw new ServiceError('invalid_request', 'after must be "now" or the meta.cursor of an earlier response.');
  }
  const [, position, id, completeAt] = parsed.data;
  return { position, id, completeAt };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
}

// Requests that wait for an event of their application (docs/feed.md). They run no queries while idle: an event of this process, or
// a notice of another, triggers one check for all of them.

export type FeedWaits = ReturnType<typeof createFeedWaits>;

const limits = { perAccount: 16, total: 1_000 };
const retryAfter = 30;
/** Between two checks; the second one finds what happened meanwhile. */
const restMs = 50;

type Options = {
  findReady: EventFeed['findReady'];
  clock: Clock;
  log: Logger;
  /** Maximum interval between checks while requests wait: other processes may write events without a notice. */
  lookEveryMs?: number | undefined;
};

type FeedReader = Pick<Access, 'applicationId' | 'ownerId'>;
type Wait = WaitingReader & FeedReader & { end(): void };

export function createFeedWaits(options: Options) {
  const { findReady, clock, log, lookEveryMs } = options;
  const waits = new Map<number, Wait>();
  let nextKey = 1;
  let isClosed = false;
  let isWanted = false;
  let isLooking = false;
  let lookedAt = -Infinity;
  let cancelTimer: CancelTimer = () => {};

  function wake(): void {
    if (waits.size === 0 || isClosed) return;
    isWanted = true;
    if (!isLooking) lookAfter(Math.max(0, lookedAt + restMs - clock.elapsed()));
  }

  function lookAfter(ms: number): void {
    cancelTimer();
    cancelTimer = clock.after(ms, () => void look());
  }

  async function look(): Promise<void> {
    if (waits.size === 0) return;
    isLooking = true;
    isWanted = false;
    try {
      for (const key of await findReady([...waits.values()])) waits.get(key)?.end();
    } catch (error) {
      log.warn(
        { err: error },
        'polling the feed for events failed; waiting requests will check again when their wait ends',
      );
    }
    isLooking = false;
    lookedAt = clock.elapsed();
    if (isClosed || waits.size === 0) return;
    if (isWanted) lookAfter(restMs);
    else if (lookEveryMs !== undefined) lookAfter(lookEveryMs);
  }

  function refuseBeyondLimits(ownerId: string): void {
    const own = [...waits.values()].filter((wait) => wait.ownerId === ownerId).length;
    if (own >= limits.perAccount) {
      const limit = `${own} requests from this account are already waiting for events, which is the limit. End one, or set wait=0.`;
      throw new ServiceError('rate_limited', limit, { retryAfter });
    }
    if (waits.size < limits.total) return;
    const full = 'Too many requests are waiting for events. Try again later.';
    throw new ServiceError('temporarily_unavailable', full, { retryAfter });
  }

  return {
    /**
     * Resolves when the application may have events after this place, after `ms`, at the end of the process, or when `signal`
     * aborts. Throws a ServiceError if too many wait.
     */
    wait({ applicationId, ownerId }: FeedReader, place: FeedPlace, ms: number, signal: AbortSignal): Promise<void> {
      if (isClosed || signal.aborted || ms <= 0) return Promise.resolve();
      refuseBeyondLimits(ownerId);
      return new Promise((resolve) => {
        const key = nextKey;
        nextKey += 1;
        const end = () => {
          waits.delete(key);
          cancel();
          signal.removeEventListener('abort', end);
          resolve();
        };
        const cancel = clock.after(ms, end);
        signal.addEventListener('abort', end);
        waits.set(key, { key, applicationId, ownerId, place, end });
        // Finds what was committed after the reader's check.
        wake();
      });
    },
    wake,
    /** Ends all current and later waits at once. */
    close(): void {
      isClosed = true;
      cancelTimer();
      for (const wait of waits.values()) wait.end();
    },
  };
}
