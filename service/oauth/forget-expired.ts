// Deletes expired tokens and mailed links, and grants without tokens, in batches, so that a large backlog never blocks the database
// for long. Codes stay as long as their grant, because reusing one still ends it.
import type { Clock } from '@rainbell/shared';
import type { Db } from '../database/tables.ts';

const sliceRows = 500;
/** A clock set back slightly must not make a deleted token valid again. */
const graceMs = 3_600_000;

export function createExpiryCleanup(db: Db, clock: Clock): () => Promise<void> {
  return async () => {
    const before = clock.now() - graceMs;
    await deleteExpired(db, 'access_tokens', 'hash', before);
    await deleteExpired(db, 'refresh_tokens', 'hash', before);
    await deleteExpired(db, 'spent_tokens', 'id', before);
    // A process that has not read them by then clears its cache.
    await db.deleteFrom('revoked').where('at', '<', before).execute();
    await db.deleteFrom('mail_links').where('expires_at', '<', before).execute();
    await inSlices(async () => {
      const slice = emptyGrants(db, before).limit(sliceRows);
      return (await db.deleteFrom('grants').where('id', 'in', slice).executeTakeFirst()).numDeletedRows;
    });
  };
}

async function deleteExpired(
  db: Db,
  table: 'access_tokens' | 'refresh_tokens' | 'spent_tokens',
  key: 'hash' | 'id',
  before: number,
): Promise<void> {
  const column = db.dynamic.ref<never>(key);
  await inSlices(async () => {
    const slice = db.selectFrom(table).select(column).where('expires_at', '<', before).limit(sliceRows);
    return (await db.deleteFrom(table).where(column, 'in', slice).executeTakeFirst()).numDeletedRows;
  });
}

function emptyGrants(db: Db, before: number) {
  return db
    .selectFrom('grants')
    .select('grants.id')
    .where('grants.created_at', '<', before)
    .where((where) => {
      const access = where
        .selectFrom('access_tokens')
        .select('hash')
        .whereRef('access_tokens.grant_id', '=', 'grants.id');
      const refresh = where
        .selectFrom('refresh_tokens')
        .select('hash')
        .whereRef('refresh_tokens.grant_id', '=', 'grants.id');
      // Sealed refresh tokens have no row, and are valid as long as this one.
      const clients = where
        .selectFrom('applications')
        .select('id')
        .whereRef('applications.id', '=', 'grants.application_id')
        .whereRef('applications.client_grant', '=', 'grants.id');
      const isUnused = [access, refresh, clients].map((rows) => where.not(where.exists(rows)));
      return where.and(isUnused);
    });
}

async function inSlices(deleteSlice: () => Promise<bigint>): Promise<void> {
  while ((await deleteSlice()) >= BigInt(sliceRows)) {
    // Other work runs between two slices, because each is a separate call.
  }
}
