// Deletes what can no longer count: expired tokens and mailed links, and grants of which nothing is left. In slices, so that a large backlog
// never holds the database for long. Codes stay as long as their grant: a used one that comes back still ends it.
import type { Kysely } from 'kysely';
import type { Clock } from '#contract/clock.ts';
import type { Tables } from '../database/tables.ts';

const sliceRows = 500;
/** A clock that is set back a little must not bring a token back, nor miss one. */
const graceMs = 3_600_000;

export async function forgetExpired(db: Kysely<Tables>, clock: Clock): Promise<void> {
  const before = clock.now() - graceMs;
  await inSlices(async () => {
    const slice = db.selectFrom('access_tokens').select('hash').where('expires_at', '<', before).limit(sliceRows);
    return (await db.deleteFrom('access_tokens').where('hash', 'in', slice).executeTakeFirst()).numDeletedRows;
  });
  await inSlices(async () => {
    const slice = db.selectFrom('refresh_tokens').select('hash').where('expires_at', '<', before).limit(sliceRows);
    return (await db.deleteFrom('refresh_tokens').where('hash', 'in', slice).executeTakeFirst()).numDeletedRows;
  });
  await db.deleteFrom('mail_links').where('expires_at', '<', before).execute();
  await db.deleteFrom('mail_recipients').where('last_at', '<', before).execute();
  await inSlices(async () => {
    const slice = db.selectFrom('allowed_requests').select('id').where('expires_at', '<', before).limit(sliceRows);
    return (await db.deleteFrom('allowed_requests').where('id', 'in', slice).executeTakeFirst()).numDeletedRows;
  });
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
      return where.and([where.not(where.exists(access)), where.not(where.exists(refresh))]);
    });
}

async function inSlices(deleteSlice: () => Promise<bigint>): Promise<void> {
  while ((await deleteSlice()) >= BigInt(sliceRows)) {
    // Others get their turn between two slices, since each is a call of its own.
  }
}
