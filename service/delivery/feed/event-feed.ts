// Reads the feed of an application's events (docs/feed.md): page by page, each event signed as its callback would be now.
import { type RawBuilder, sql, type SqlBool } from 'kysely';
import { type Clock, formatTimestamp } from '@rainbell/shared';
import type { FeedEvent, FeedPage } from '@rainbell/contract/service-api';
import type { Database } from '../../database/open-database.ts';
import type { AsymmetricSigner } from '../signing/asymmetric-signing.ts';
import { type FeedCursor, type FeedPlace, formatFeedCursor } from './feed-cursor.ts';
import { feedHorizon } from '../schema/feed-positions.ts';
import { timeOfEventId } from '../schema/ordered-ids.ts';
import { retentionMs } from '../schema/retention-time.ts';
import { callbackHeaders } from '../outbox/send-callback.ts';
import { createWebhookSigner } from '../signing/standard-webhooks.ts';
import type { WebhookSecrets } from '../signing/webhook-secrets.ts';

export type WaitingReader = { key: number; applicationId: string; place: FeedPlace };

export type EventFeed = {
  /** Returns the events after a cursor; without one, from the oldest stored. */
  read(applicationId: string, after: FeedCursor | undefined, limit: number): Promise<FeedPage>;
  /** The cursor after the newest event. */
  end(applicationId: string): Promise<FeedCursor>;
  /**
   * Runs one query for all readers: which of them have events, by key. `isHeldBack`: others may follow without a notice, once a
   * transaction ends.
   */
  findReady(readers: readonly WaitingReader[]): Promise<{ keys: number[]; isHeldBack: boolean }>;
};

type Dependencies = {
  database: Pick<Database, 'db' | 'engine'>;
  clock: Clock;
  secrets: Pick<WebhookSecrets, 'activeFor'>;
  asymmetricSigner?: AsymmetricSigner | undefined;
};

/** Housekeeping runs hourly, and clocks of processes differ. */
const slackMs = 3_600_000;

export function createEventFeed({ database, clock, secrets, asymmetricSigner }: Dependencies): EventFeed {
  const { db, engine } = database;
  const sign = createWebhookSigner(asymmetricSigner);
  const horizon = feedHorizon(engine);

  function eventsOf(applicationId: string) {
    return db
      .selectFrom('events')
      .where('application_id', '=', applicationId)
      .where('feed_position', 'is not', null)
      .$if(horizon !== undefined, (query) => query.where('feed_position', '<', horizon ?? sql.lit(0)));
  }

  /**
   * Returns undefined if nothing is lost. Otherwise the time from which events are new to the reader: the event of its cursor is
   * unknown here, for example because the database was restored from a backup, so positions mean nothing.
   */
  async function gapAfter(applicationId: string, cursor: FeedCursor): Promise<number | undefined> {
    const now = clock.now();
    const isTooOld = cursor.completeAt < now - retentionMs;
    if (cursor.id === '') return isTooOld ? 0 : undefined;
    const known = await eventsOf(applicationId)
      .select('id')
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
    async read(applicationId, after, limit) {
      const gapFrom = after && (await gapAfter(applicationId, after));
      const place = gapFrom === undefined ? after : undefined;
      const completeAt = clock.now();
      const rows = await eventsOf(applicationId)
        .select(['id', 'monitor_id', 'occurred_at', 'callback_uri', 'body', 'feed_position'])
        .$if(place !== undefined, (query) => query.where(isAfter(place ?? beginning)))
        .$if(gapFrom !== undefined, (query) => query.where('occurred_at', '>=', gapFrom ?? 0))
        .orderBy('feed_position')
        .orderBy('id')
        .limit(limit + 1)
        .execute();
      const shown = rows.slice(0, limit);
      // Without a secret, the application was deleted.
      const active = shown.length === 0 ? [] : await secrets.activeFor(applicationId);
      const timestamp = Math.floor(clock.now() / 1000);
      const last = shown.at(-1);
      const reached = last ? { position: Number(last.feed_position), id: last.id } : (place ?? beginning);
      return {
        objects: shown.map(({ id, monitor_id, occurred_at, callback_uri, body }): FeedEvent => ({
          id,
          monitor_id,
          occurred_at: formatTimestamp(Number(occurred_at)),
          callback_uri,
          headers: callbackHeaders(sign(id, timestamp, body, active)),
          body,
        })),
        meta: {
          cursor: formatFeedCursor({ ...reached, completeAt }),
          has_more: rows.length > limit,
          has_gap: gapFrom !== undefined,
        },
      };
    },

    async end(applicationId) {
      const completeAt = clock.now();
      const last = await eventsOf(applicationId)
        .select(['feed_position', 'id'])
        .orderBy('feed_position', 'desc')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst();
      return { ...(last ? { position: Number(last.feed_position), id: last.id } : beginning), completeAt };
    },

    async findReady(readers) {
      const json = JSON.stringify(
        readers.map(({ key, applicationId, place }) => ({ key, application: applicationId, ...place })),
      );
      const given =
        engine === 'sqlite'
          ? sql`(select value ->> 'key' as key, value ->> 'application' as application, value ->> 'position' as position,
                 value ->> 'id' as id from json_each(${json})) as given`
          : sql`json_to_recordset(${json}::json) as given(key integer, application text, position bigint, id text)`;
      const hasEvent = (condition: RawBuilder<unknown>) => sql`exists (select 1 from events
        where events.application_id = given.application and ${condition})`;
      const isNew = sql`(events.feed_position, events.id) > (given.position, given.id)`;
      const ready = hasEvent(horizon ? sql`${isNew} and events.feed_position < ${horizon}` : isNew);
      const heldBack = horizon ? hasEvent(sql`events.feed_position >= ${horizon}`) : sql`false`;
      const { rows } = await sql<{ key: number; ready: unknown; held_back: unknown }>`
        select key, ${ready} as ready, ${heldBack} as held_back from ${given}`.execute(db);
      return {
        keys: rows.filter(({ ready: isReady }) => Boolean(isReady)).map(({ key }) => key),
        isHeldBack: rows.some(({ held_back }) => Boolean(held_back)),
      };
    },
  };
}

const beginning: FeedPlace = { position: 0, id: '' };

function isAfter({ position, id }: FeedPlace) {
  return sql<SqlBool>`(feed_position, id) > (${position}, ${id})`;
}
