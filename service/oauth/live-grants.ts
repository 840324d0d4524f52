// What makes a token valid: its grant, with the application, the application's owner, and the user who granted it.
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';

/** A query of grants of which none of these is revoked or disabled; `user` is null for client credentials. */
export function liveGrants(db: Kysely<Tables>) {
  return db
    .selectFrom('grants')
    .innerJoin('applications', 'applications.id', 'grants.application_id')
    .innerJoin('accounts as owner', 'owner.id', 'applications.account_id')
    .leftJoin('accounts as user', 'user.id', 'grants.account_id')
    .where('grants.revoked_at', 'is', null)
    .where('applications.disabled_at', 'is', null)
    .where('owner.disabled_at', 'is', null)
    .where('user.disabled_at', 'is', null);
}
