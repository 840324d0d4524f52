// Deletes expired tokens and mailed links, and grants without tokens, in batches, so that a large backlog never blocks the database
// for long. Codes stay as long as their grant, because reusing one still ends it.
import type { Kysely } from 'kysely';
import type { Clock } from '@rainbell/shared';
import type { Tables } from '../database/tables.ts';
import { pendingRequestLifetimeMs } from './pending-request.ts';

const sliceRows = 500;
/** A clock set back slightly must not make a deleted token valid again. */
const graceMs = 3_600_000;
/** Longer than an authorization request lives, by the monotonic clock. */
const stillExpiredAfterMs = 2 * pendingRequestLifetimeMs;

/** Returns the periodic cleanup. */
export function createExpiryCleanup(db: Kysely<Tables>, clock: Clock): () => Promise<void> {
  const allowedBefore = createJumpProofExpiry(clock);
  return async () => {
    const before = clock.now() - graceMs;
    await deleteExpired(db, before);
    const expired = allowedBefore(before);
    if (expired === undefined) return;
    await inSlices(async () => {
      const slice = db.selectFrom('allowed_requests').select('id').where('expires_at', '<', expired).limit(sliceRows);
      return (await db.deleteFrom('allowed_requests').where('id', 'in', slice).executeTakeFirst()).numDeletedRows;
    });
  };
}

/**
 * A used form stays refused if the wall clock jumps forward and back, so its record must outlast the form by the monotonic
 * clock: it is deleted only if it was expired at an earlier time, and still is. Returns the
 * time before which that is so, or undefined if no record is that old yet.
 */
function createJumpProofExpiry(clock: Clock): (before: number) => number | undefined {
  let seen: { before: number; at: number } | undefined;
  return (before) => {
    if (seen === undefined) {
      seen = { before, at: clock.elapsed() };
      return undefined;
    }
    if (clock.elapsed() - seen.at < stillExpiredAfterMs) return undefined;
    const certain = Math.min(seen.before, before);
    seen = { before, at: clock.elapsed() };
    return certain;
  };
}

async function deleteExpired(db: Kysely<Tables>, before: number): Promise<void> {
  await inSlices(async () => {
    const slice = db.selectFrom('access_tokens').select('hash').where('expires_at', '<', before).limit(sliceRows);
    return (await db.deleteFrom('access_tokens').where('hash', 'in', slice).executeTakeFirst()).numDeletedRows;
  });
  await inSlices(async () => {
    const slice = db.selectFrom('refresh_tokens').select('hash').where('expires_at', '<', before).limit(sliceRows);
    return (await db.deleteFrom('refresh_tokens').where('hash', 'in', slice).executeTakeFirst()).numDeletedRows;
  });
  await inSlices(async () => {
    const slice = db.selectFrom('ended_families').select('family').where('expires_at', '<', before).limit(sliceRows);
    return (await db.deleteFrom('ended_families').where('family', 'in', slice).executeTakeFirst()).numDeletedRows;
  });
  // A process that has not read them by then clears its cache.
  await db.deleteFrom('revoked').where('at', '<', before).execute();
  await db.deleteFrom('mail_links').where('expires_at', '<', before).execute();
  await db.deleteFrom('mail_recipients').where('last_at', '<', before).execute();
  await inSlices(async () => {
    const slice = emptyGrants(db, before).limit(sliceRows);
    return (await db.deleteFrom('grants').where('id', 'in', slice).executeTakeFirst()).numDeletedRows;
  });
}

function emptyGrants(db: Kysely<Tables>, before: number) {
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
