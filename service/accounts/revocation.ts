// Ends grants, and with them every code and token of the family, in one update. Each revocation raises a number, by which
// every process that remembers tokens notices (access-check.ts). Signing secrets are read again as often
// (webhook-secrets.ts).
import type { Kysely } from 'kysely';
import type { Clock } from '#shared/time/clock.ts';
import type { Tables } from '#service/database/tables.ts';

/** One family, all of an application (its secret was renewed), or all that a user gave (the password changed). */
export type GrantChoice = { grantId: string } | { applicationId: string } | { accountId: string };

/** A process uses what it remembers of tokens and signing secrets for so long before it looks at the database again. */
export const rememberedMs = 250;
/** More than `rememberedMs`, because a timer may fire a little early, and clocks are read in whole milliseconds. */
const noticedMs = 300;

/** Resolves once every process on this database has noticed what was committed before the call. `clock`: the machine's. */
export function waitUntilNoticed(clock: Clock): Promise<void> {
  return new Promise((resolve) => clock.after(noticedMs, resolve));
}

export async function revokeGrants(db: Kysely<Tables>, clock: Clock, choice: GrantChoice): Promise<void> {
  await db.transaction().execute((trx) => revokeGrantsIn(trx, clock, choice));
}

/** The same inside of a transaction. Once it is committed, this process has to forget what it remembers, too. */
export async function revokeGrantsIn(trx: Kysely<Tables>, clock: Clock, choice: GrantChoice): Promise<void> {
  const update = trx.updateTable('grants').set({ revoked_at: clock.now() }).where('revoked_at', 'is', null);
  if ('grantId' in choice) await update.where('id', '=', choice.grantId).execute();
  else if ('applicationId' in choice) await update.where('application_id', '=', choice.applicationId).execute();
  else await update.where('account_id', '=', choice.accountId).execute();
  await announceRevocation(trx);
}

/** Makes every process forget what it remembers of tokens; for changes that end access without touching a grant. */
export async function announceRevocation(db: Kysely<Tables>): Promise<void> {
  await db
    .insertInto('revocations')
    .values({ name: 'oauth', number: 1 })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((row) => ({ number: row('revocations.number', '+', 1) })),
    )
    .execute();
}

export async function revocationNumber(db: Kysely<Tables>): Promise<number> {
  const row = await db.selectFrom('revocations').select('number').where('name', '=', 'oauth').executeTakeFirst();
  return row?.number ?? 0;
}
