// What the database contains about an access or refresh token: for introspection and revocation.
import type { Kysely } from 'kysely';
import type { GrantKind } from '#contract/service-api/oauth.ts';
import type { Tables } from '../database/tables.ts';
import { liveGrants } from './live-grants.ts';
import { hashOf } from '#service/secrets/random-text.ts';

export type TokenDescription = {
  type: 'access_token' | 'refresh_token';
  grantId: string;
  /** Of a sealed refresh token (sealed-refresh-token.ts). */
  family?: string;
  applicationId: string;
  clientId: string;
  /** Of the user who granted it; null for client credentials. */
  username: string | null;
  kind: GrantKind;
  scope: string;
  expiresAt: number;
};

/** Undefined for a token that is unknown, replaced, revoked, or whose application or user is disabled. */
export async function describeToken(db: Kysely<Tables>, token: string): Promise<TokenDescription | undefined> {
  const hash = hashOf(token);
  const access = await db
    .selectFrom('access_tokens')
    .select(['grant_id', 'scope', 'expires_at'])
    .where('hash', '=', hash)
    .executeTakeFirst();
  if (access) return describe(db, { ...access, type: 'access_token' });
  const refresh = await db
    .selectFrom('refresh_tokens')
    .select(['grant_id', 'expires_at'])
    .where('hash', '=', hash)
    .where('replaced_at', 'is', null)
    .executeTakeFirst();
  return refresh && describe(db, { ...refresh, type: 'refresh_token', scope: undefined });
}

/** Like `describeToken`, for a sealed refresh token with a valid grant. */
export function describeRefreshToken(
  db: Kysely<Tables>,
  found: { grant_id: string; family?: string; expires_at: number },
): Promise<TokenDescription | undefined> {
  return describe(db, { ...found, type: 'refresh_token', scope: undefined });
}

type Found = {
  family?: string | undefined;
  type: TokenDescription['type'];
  grant_id: string;
  scope: string | undefined;
  expires_at: number;
};

async function describe(db: Kysely<Tables>, found: Found): Promise<TokenDescription | undefined> {
  const row = await liveGrants(db)
    .select(['grants.application_id', 'grants.kind', 'grants.scope', 'applications.client_id', 'user.username'])
    .where('grants.id', '=', found.grant_id)
    .executeTakeFirst();
  if (!row) return undefined;
  return {
    type: found.type,
    grantId: found.grant_id,
    ...(found.family === undefined ? {} : { family: found.family }),
    applicationId: row.application_id,
    clientId: row.client_id,
    username: row.username,
    kind: row.kind,
    scope: found.scope ?? row.scope,
    expiresAt: found.expires_at,
  };
}
