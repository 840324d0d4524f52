// Grants and their tokens in the database (docs/interface.md §3.1). Tokens go in as hashes; what is issued here is seen
// in clear once, by the caller.
import type { Kysely, Selectable } from 'kysely';
import type { Clock } from '#shared/time/clock.ts';
import type { GrantKind } from '#contract/service-api/oauth.ts';
import type { Access } from '../http/access.ts';
import type { Tables } from '../database/tables.ts';
import { liveGrants } from './live-grants.ts';
import type { PendingRequest } from './pending-request.ts';
import { hashOf, newId, newSecret } from '#service/secrets/random-text.ts';
import { announceRevocation, type GrantChoice, revokeGrants } from '#service/accounts/revocation.ts';
import { storedScope } from './scope.ts';
import type { OAuthTables } from './tables.ts';
import { describeToken, type TokenDescription } from './token-description.ts';

export type Lifetimes = { accessTokenSeconds: number; codeSeconds: number; refreshTokenSeconds: number };
export type Grant = Selectable<OAuthTables['grants']>;
export type NewGrant = { applicationId: string; accountId: string | null; kind: GrantKind; scope: readonly string[] };
export type RefreshToken = Selectable<OAuthTables['refresh_tokens']> & { grant: Grant };
export type Code = Selectable<OAuthTables['codes']> & { grant: Grant };
/** What an access token allows, and until when (epoch milliseconds). */
export type KnownAccess = Access & { grantId: string; expiresAt: number; plan: string };

export type TokenStore = {
  lifetimes: Lifetimes;
  now(): number;
  /** All that `work` writes, or nothing of it, and one wait for the disk; for everything here but revoking. */
  atOnce<T>(work: (tokens: TokenStore) => Promise<T>): Promise<T>;
  createGrant(grant: NewGrant): Promise<Grant>;
  issueAccessToken(grant: Grant, scope: readonly string[]): Promise<string>;
  issueRefreshToken(grant: Grant): Promise<string>;
  findAccessToken(token: string): Promise<KnownAccess | undefined>;
  /** Also an expired or replaced one; the caller decides. Undefined where its grant was revoked. */
  findRefreshToken(token: string): Promise<RefreshToken | undefined>;
  /** The successor; the old one is only known as replaced from now on. Of several calls at once, one wins. */
  replaceRefreshToken(old: RefreshToken): Promise<string | undefined>;
  issueCode(grant: Grant, redirectUri: string, codeChallenge: string | null): Promise<string>;
  /** Also an expired or used one. Undefined where its grant was revoked. */
  findCode(code: string): Promise<Code | undefined>;
  /** True for exactly one of any number of calls at once. */
  consumeCode(code: Code): Promise<boolean>;
  /** Records that a user allowed this request; true for exactly one of any number of calls. */
  recordAllowed(request: Pick<PendingRequest, 'id' | 'expiresAt'>): Promise<boolean>;
  wasAllowed(requestId: string): Promise<boolean>;
  /** An access or a refresh token, for introspection and revocation. */
  describe(token: string): Promise<TokenDescription | undefined>;
  /** Ends one access token; the rest of its family stays. */
  revokeAccessToken(token: string): Promise<void>;
  revoke(choice: GrantChoice): Promise<void>;
};

type Dependencies = { db: Kysely<Tables>; clock: Clock; lifetimes: Lifetimes; onRevoked: () => void };

export function createTokenStore({ db, clock, lifetimes, onRevoked }: Dependencies): TokenStore {
  const store: TokenStore = {
    lifetimes,
    now: () => clock.now(),
    atOnce: (work) =>
      db.transaction().execute((trx) => work(createTokenStore({ db: trx, clock, lifetimes, onRevoked }))),

    async createGrant({ applicationId, accountId, kind, scope }) {
      const grant: Grant = {
        id: newId(),
        application_id: applicationId,
        account_id: accountId,
        kind,
        scope: scope.join(' '),
        created_at: clock.now(),
        revoked_at: null,
      };
      await db.insertInto('grants').values(grant).execute();
      return grant;
    },

    async issueAccessToken(grant, scope) {
      const token = newSecret();
      const expires_at = clock.now() + lifetimes.accessTokenSeconds * 1000;
      const row = { hash: hashOf(token), grant_id: grant.id, scope: scope.join(' '), expires_at };
      await db.insertInto('access_tokens').values(row).execute();
      return token;
    },

    async issueRefreshToken(grant) {
      const token = newSecret();
      const expires_at = clock.now() + lifetimes.refreshTokenSeconds * 1000;
      const row = { hash: hashOf(token), grant_id: grant.id, expires_at, replaced_at: null };
      await db.insertInto('refresh_tokens').values(row).execute();
      return token;
    },

    findAccessToken: (token) => findAccessToken(db, hashOf(token)),

    async findRefreshToken(token) {
      const row = await db
        .selectFrom('refresh_tokens')
        .selectAll()
        .where('hash', '=', hashOf(token))
        .executeTakeFirst();
      const grant = row && (await findGrant(db, row.grant_id));
      return row && grant && { ...row, grant };
    },

    async replaceRefreshToken(old) {
      const change = await db
        .updateTable('refresh_tokens')
        .set({ replaced_at: clock.now() })
        .where('hash', '=', old.hash)
        .where('replaced_at', 'is', null)
        .executeTakeFirst();
      if (change.numUpdatedRows === 1n) return store.issueRefreshToken(old.grant);
      // Two uses at once are a reuse like any other.
      await store.revoke({ grantId: old.grant_id });
      return undefined;
    },

    async issueCode(grant, redirectUri, codeChallenge) {
      const code = newSecret();
      const row = {
        hash: hashOf(code),
        grant_id: grant.id,
        redirect_uri: redirectUri,
        code_challenge: codeChallenge,
        expires_at: clock.now() + lifetimes.codeSeconds * 1000,
        used: 0,
      };
      await db.insertInto('codes').values(row).execute();
      return code;
    },

    async findCode(code) {
      const row = await db.selectFrom('codes').selectAll().where('hash', '=', hashOf(code)).executeTakeFirst();
      const grant = row && (await findGrant(db, row.grant_id));
      return row && grant && { ...row, grant };
    },

    async consumeCode({ hash }) {
      const change = await db
        .updateTable('codes')
        .set({ used: 1 })
        .where('hash', '=', hash)
        .where('used', '=', 0)
        .executeTakeFirst();
      return change.numUpdatedRows === 1n;
    },

    async recordAllowed({ id, expiresAt }) {
      const change = await db
        .insertInto('allowed_requests')
        .values({ id, expires_at: expiresAt })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirst();
      return change.numInsertedOrUpdatedRows === 1n;
    },

    async wasAllowed(requestId) {
      const query = db.selectFrom('allowed_requests').select('id').where('id', '=', requestId);
      return (await query.executeTakeFirst()) !== undefined;
    },

    describe: (token) => describeToken(db, token),

    async revokeAccessToken(token) {
      await db.transaction().execute(async (trx) => {
        await trx.deleteFrom('access_tokens').where('hash', '=', hashOf(token)).execute();
        await announceRevocation(trx);
      });
      onRevoked();
    },

    async revoke(choice) {
      await revokeGrants(db, clock, choice);
      onRevoked();
    },
  };
  return store;
}

/** A refresh token or a code counts as long as the user who stands behind it may sign in. */
function findGrant(db: Kysely<Tables>, id: string): Promise<Grant | undefined> {
  return db
    .selectFrom('grants')
    .leftJoin('accounts', 'accounts.id', 'grants.account_id')
    .selectAll('grants')
    .where('grants.id', '=', id)
    .where('grants.revoked_at', 'is', null)
    .where('accounts.disabled_at', 'is', null)
    .executeTakeFirst();
}

async function findAccessToken(db: Kysely<Tables>, hash: string): Promise<KnownAccess | undefined> {
  const row = await liveGrants(db)
    .innerJoin('access_tokens as token', 'token.grant_id', 'grants.id')
    .innerJoin('contracts', 'contracts.id', 'applications.contract_id')
    .select([
      'token.scope',
      'token.expires_at',
      'grants.id',
      'grants.application_id',
      'grants.account_id',
      'grants.kind',
      'contracts.plan',
    ])
    .where('token.hash', '=', hash)
    .executeTakeFirst();
  if (!row) return undefined;
  return {
    applicationId: row.application_id,
    accountId: row.account_id,
    kind: row.kind,
    scope: storedScope(row.scope),
    grantId: row.id,
    expiresAt: row.expires_at,
    plan: row.plan,
  };
}
