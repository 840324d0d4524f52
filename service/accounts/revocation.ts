// Ends grants, and with them every code and token of the family, in one update. Each revocation has a number and records what it
// ended, so that every process drops only that from its token cache (access-check.ts). Signing secrets are reloaded as often
// (signing.ts).
import type { Clock } from '@rainbell/shared';
import { takeNumbers } from '../database/counters.ts';
import type { Db, Tables } from '../database/tables.ts';

/**
 * One family, all of an application (its secret was renewed), or all that a user gave (the password changed). A family of
 * client credentials is a part of its grant; `expiresAt`: when its refresh token does.
 */
export type GrantChoice =
  | { grantId: string }
  | { grantId: string; family: string; expiresAt: number }
  | { applicationId: string }
  | { accountId: string };

export type Revoked = Pick<Tables['revoked'], 'kind' | 'subject'>;

/** How long a process uses cached tokens and signing secrets before it checks the database again. */
export const rememberedMs = 250;
/** More than `rememberedMs`, because a timer may fire a little early, and clocks are read in whole milliseconds. */
const noticedMs = 300;
/** A process that has missed more clears its cache. */
const maxNews = 1_000;

/** Resolves once every process on this database has read what was committed before the call. `clock`: the machine's. */
export function waitUntilNoticed(clock: Clock): Promise<void> {
  return new Promise((resolve) => clock.after(noticedMs, resolve));
}

/** Revokes grants in a transaction. Returns what this process must drop from its cache after the commit. */
export async function revokeGrantsIn(trx: Db, clock: Clock, choice: GrantChoice): Promise<Revoked> {
  const end = async (kind: Revoked['kind'], column: 'id' | 'application_id' | 'account_id', subject: string) => {
    const update = trx.updateTable('grants').set({ revoked_at: clock.now() }).where('revoked_at', 'is', null);
    await update.where(column, '=', subject).execute();
    return { kind, subject };
  };
  const revoked =
    'family' in choice
      ? await endFamily(trx, choice)
      : 'grantId' in choice
        ? await end('grant', 'id', choice.grantId)
        : 'applicationId' in choice
          ? await end('application', 'application_id', choice.applicationId)
          : await end('account', 'account_id', choice.accountId);
  await announceRevocation(trx, clock.now(), revoked);
  return revoked;
}

async function endFamily(
  trx: Db,
  { grantId, family, expiresAt }: { grantId: string; family: string; expiresAt: number },
): Promise<Revoked> {
  await spend(trx, family, expiresAt);
  await trx.deleteFrom('access_tokens').where('grant_id', '=', grantId).where('family', '=', family).execute();
  return { kind: 'grant', subject: family };
}

/** Ends a token that we signed and of which no row exists, by its ID. Returns true for exactly one of several calls. */
export async function spend(db: Db, id: string, expiresAt: number): Promise<boolean> {
  const change = await db
    .insertInto('spent_tokens')
    .values({ id, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  return change.numInsertedOrUpdatedRows === 1n;
}

export async function isSpent(db: Db, id: string): Promise<boolean> {
  const query = db.selectFrom('spent_tokens').select('id').where('id', '=', id);
  return (await query.executeTakeFirst()) !== undefined;
}

/**
 * Announces a revocation to every process; for changes that end access without changing a grant. Call it at the end of a
 * transaction: the row of the number stays locked until then, so that numbers appear in order.
 */
export async function announceRevocation(trx: Db, now: number, revoked: Revoked): Promise<void> {
  const number = await takeNumbers(trx, 'revocation');
  await trx
    .insertInto('revoked')
    .values({ number, ...revoked, at: now })
    .execute();
}

/** `all`: too many to list, or some are unknown. */
export type RevocationNews = { latest: number; revoked: readonly Revoked[] | 'all' };

/** Returns what was revoked since the number that an earlier call returned as `latest`. */
export async function readRevocations(db: Db, since: number): Promise<RevocationNews> {
  const rows = await db
    .selectFrom('counters')
    .leftJoin('revoked', (join) => join.on('revoked.number', '>', since))
    .select(['counters.last_number as latest', 'revoked.kind', 'revoked.subject'])
    .where('counters.name', '=', 'revocation')
    .limit(maxNews)
    .execute();
  const latest = rows[0]?.latest ?? 0;
  const revoked = rows.flatMap(({ kind, subject }) => (kind === null || subject === null ? [] : [{ kind, subject }]));
  // Missing rows were deleted, because they were old.
  return { latest, revoked: revoked.length === latest - since ? revoked : 'all' };
}
