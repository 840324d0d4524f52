// Which applications read their feed. Only these get events while delivery to a monitor is off: otherwise every forgotten monitor
// would write an unread row per hour.
import { expressionBuilder, type Kysely } from 'kysely';
import { createCache } from '../../cache/create-cache.ts';
import type { Clock } from '@rainbell/shared';
import type { Tables } from '../../database/tables.ts';
import { retentionMs } from './retention-time.ts';

const notedEveryMs = 3_600_000;
const rememberedApplications = 20_000;

/** Records that an application read its feed; writes at most once an hour for each. */
export type NoteFeedReader = (applicationId: string) => Promise<void>;

export function createFeedReaders({ db, clock }: { db: Kysely<Tables>; clock: Clock }): NoteFeedReader {
  const notedAt = createCache<string, number>(rememberedApplications);
  return async (applicationId) => {
    const now = clock.now();
    if (Math.abs(now - (notedAt.get(applicationId) ?? -Infinity)) < notedEveryMs) return;
    await db
      .insertInto('feed_readers')
      .values({ application_id: applicationId, read_at: now })
      .onConflict((conflict) => conflict.column('application_id').doUpdateSet({ read_at: now }))
      .execute();
    notedAt.set(applicationId, now);
  };
}

/** For `exists` in a statement on monitors: the application read its feed recently enough for its cursor to be valid. */
export function readsFeed(now: number) {
  return expressionBuilder<Tables, 'monitors'>()
    .selectFrom('feed_readers')
    .select('feed_readers.application_id')
    .whereRef('feed_readers.application_id', '=', 'monitors.application_id')
    .where('feed_readers.read_at', '>', now - retentionMs);
}
