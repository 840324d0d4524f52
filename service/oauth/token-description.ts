// What the database contains about an access or refresh token, for its revocation.
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { liveGrants } from './live-grants.ts';
import { hashOf } from '../secrets/random-text.ts';

export type TokenDescription = {
  type: 'access_token' | 'refresh_token';
  grantId: string;
  /** Set for a sealed refresh token (sealed-refresh-token.ts). */
  family?: string;
  applicationId: string;
  expiresAt: number;
};

/** Describes a token; undefined if it is unknown, replaced, revoked, or whose application or user is disabled. */
export async function describeToken(db: Kysely<Tables>, token: string): Promise<TokenDescription | undefined> {
  const hash = hashOf(token);
  const access = await db
    .selectFrom('access_tokens')
    .select(['grant_id', 'expires_at'])
    .where('hash', '=', hash)
    .executeTakeFirst();
  if (access) return describe(db, 'access_token', access);
  const refresh = await db
    .selectFrom('refresh_tokens')
    .select(['grant_id', 'expires_at'])
    .where('hash', '=', hash)
    .where('replaced_at', 'is', null)
    .executeTakeFirst();
  return refresh && describe(db, 'refresh_token', refresh);
}

type Found = { grant_id: string; family?: string; expires_at: number };

/** Describes a sealed refresh token with a valid grant, like `describeToken`. */
export function describeRefreshToken(db: Kysely<Tables>, found: Found): Promise<TokenDescription | undefined> {
  return describe(db, 'refresh_token', found);
}

async function describe(
  db: Kysely<Tables>,
  type: TokenDescription['type'],
  { grant_id: grantId, family, expires_at: expiresAt }: Found,
): Promise<TokenDescription | undefined> {
  const row = await liveGrants(db).select('grants.application_id').where('grants.id', '=', grantId).executeTakeFirst();
  if (!row) return undefined;
  return { type, grantId, ...(family !== undefined && { family }), applicationId: row.application_id, expiresAt };
}
