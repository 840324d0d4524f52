// Grants and their tokens in the database (docs/interface.md §3.1). Tokens are stored as hashes; new ones are returned in plain
// text once.
import type { KeyObject } from 'node:crypto';
import type { Selectable } from 'kysely';
import { type Clock, dayMs } from '@rainbell/shared';
import type { GrantKind } from '@rainbell/contract/service-api';
import { ServiceError } from '../errors/service-error.ts';
import type { Access } from '../http/access.ts';
import { prepareStatement, type PreparedStatement } from '../database/prepared-statement.ts';
import type { Db, Tables } from '../database/tables.ts';
import type { PendingRequest } from './pending-request.ts';
import { hashOf, newId, newSecret } from '../secrets/random-text.ts';
import {
  announceRevocation,
  type GrantChoice,
  isSpent,
  type Revoked,
  revokeGrantsIn,
  spend,
} from '../accounts/revocation.ts';
import { ensureSigningKey } from '../secrets/stored-keys.ts';
import type { Application } from '../accounts/application-store.ts';
import { storedScope } from './scope.ts';
import { isSealedForm, openRefreshToken, refreshTokenKey, sealRefreshToken } from './sealed-refresh-token.ts';

type Lifetimes = { accessTokenSeconds: number; codeSeconds: number; refreshTokenSeconds: number };
export type Grant = Selectable<Tables['grants']>;
export type NewGrant = { applicationId: string; accountId: string | null; kind: GrantKind; scope: readonly string[] };
/** `family`: of a sealed one, which has no row. */
export type RefreshToken = Omit<Selectable<Tables['refresh_tokens']>, 'hash'> & {
  token: string;
  grant: Grant;
  family?: string;
};
export type Code = Selectable<Tables['codes']> & { grant: Grant };
/** `grantId`: its family, by which it is revoked. `expiresAt`: in epoch milliseconds. */
export type KnownAccess = Access & { grantId: string; expiresAt: number; plan: string };

/** A used form must stay refused if the clock was ahead for some days. */
const usedFormMs = 30 * dayMs;

type Dependencies = {
  db: Db;
  clock: Clock;
  lifetimes: Lifetimes;
  /** Called once it is committed. */
  onRevoked: (revoked: Revoked) => void;
};

export class TokenStore {
  readonly lifetimes: Lifetimes;
  readonly #needs: Dependencies;
  #insertClientToken: PreparedStatement | undefined;
  #knownKey: Promise<KeyObject> | undefined;

  constructor(needs: Dependencies) {
    this.lifetimes = needs.lifetimes;
    this.#needs = needs;
  }

  now(): number {
    return this.#needs.clock.now();
  }

  /** Runs `work` in one transaction; for everything here except revoking. */
  atOnce<T>(work: (tokens: TokenStore, trx: Db) => Promise<T>): Promise<T> {
    return this.#needs.db.transaction().execute((trx) => work(new TokenStore({ ...this.#needs, db: trx }), trx));
  }

  async createGrant({ applicationId, accountId, kind, scope }: NewGrant): Promise<Grant> {
    const grant: Grant = {
      id: newId(),
      application_id: applicationId,
      account_id: accountId,
      kind,
      scope: scope.join(' '),
      created_at: this.#needs.clock.now(),
      revoked_at: null,
    };
    await this.#needs.db.insertInto('grants').values(grant).execute();
    return grant;
  }

  async issueAccessToken(grant: Grant, scope: readonly string[], family?: string): Promise<string> {
    const token = newSecret();
    const expires_at = this.#needs.clock.now() + this.lifetimes.accessTokenSeconds * 1000;
    const row = { hash: hashOf(token), grant_id: grant.id, scope: scope.join(' '), expires_at, family };
    await this.#needs.db.insertInto('access_tokens').values(row).execute();
    return token;
  }

  async issueClientTokens(client: Application): Promise<{ accessToken: string; refreshToken: string }> {
    const accessToken = newSecret();
    const family = newId();
    const expires_at = this.#needs.clock.now() + this.lifetimes.accessTokenSeconds * 1000;
    const insert = (this.#insertClientToken ??= prepareStatement(
      'insert-client-token',
      clientTokenInsert(this.#needs.db),
    ));
    // One statement, so that no revocation can come between; false if the grant is revoked.
    const isInserted = async (grant: string) =>
      (await insert(this.#needs.db, [hashOf(accessToken), family, expires_at, grant])).numAffectedRows === 1n;
    let grantId = client.client_grant;
    // The first time there is no grant yet.
    while (grantId === null || !(await isInserted(grantId))) {
      grantId = await replaceClientGrant(this.#needs.db, this.#needs.clock, client.id, grantId);
    }
    const expiresAt = this.#needs.clock.now() + this.lifetimes.refreshTokenSeconds * 1000;
    return { accessToken, refreshToken: sealRefreshToken(await this.#sealingKey(), { grantId, family, expiresAt }) };
  }

  async issueRefreshToken(grant: Grant): Promise<string> {
    const token = newSecret();
    const expires_at = this.#needs.clock.now() + this.lifetimes.refreshTokenSeconds * 1000;
    const row = { hash: hashOf(token), grant_id: grant.id, expires_at, replaced_at: null };
    await this.#needs.db.insertInto('refresh_tokens').values(row).execute();
    return token;
  }

  async findAccessToken(token: string): Promise<KnownAccess | undefined> {
    return findAccessToken(this.#needs.db, hashOf(token));
  }

  /** Returns a token, even an expired or replaced one; undefined if its grant was revoked. */
  async findRefreshToken(token: string): Promise<RefreshToken | undefined> {
    if (isSealedForm(token)) return this.#findSealed(token);
    const row = await this.#needs.db
      .selectFrom('refresh_tokens')
      .selectAll()
      .where('hash', '=', hashOf(token))
      .executeTakeFirst();
    const grant = row && (await findGrant(this.#needs.db, row.grant_id));
    return row && grant && { ...row, token, grant };
  }

  /** Returns the successor and marks the old one as replaced. Of several concurrent calls, one wins. */
  async replaceRefreshToken(old: RefreshToken): Promise<string | undefined> {
    const change = await this.#needs.db
      .updateTable('refresh_tokens')
      .set({ replaced_at: this.#needs.clock.now() })
      .where('hash', '=', hashOf(old.token))
      .where('replaced_at', 'is', null)
      .executeTakeFirst();
    if (change.numUpdatedRows === 1n) return this.issueRefreshToken(old.grant);
    // Two concurrent uses are a reuse like any other.
    await this.revoke({ grantId: old.grant_id });
    return undefined;
  }

  async issueCode(grant: Grant, redirectUri: string, codeChallenge: string | null): Promise<string> {
    const code = newSecret();
    const row = {
      hash: hashOf(code),
      grant_id: grant.id,
      redirect_uri: redirectUri,
      code_challenge: codeChallenge,
      expires_at: this.#needs.clock.now() + this.lifetimes.codeSeconds * 1000,
      used: 0,
    };
    await this.#needs.db.insertInto('codes').values(row).execute();
    return code;
  }

  /** Returns a code, even an expired or used one; undefined if its grant was revoked. */
  async findCode(code: string): Promise<Code | undefined> {
    const row = await this.#needs.db
      .selectFrom('codes')
      .selectAll()
      .where('hash', '=', hashOf(code))
      .executeTakeFirst();
    const grant = row && (await findGrant(this.#needs.db, row.grant_id));
    return row && grant && { ...row, grant };
  }

  /** Returns true for exactly one of several concurrent calls. */
  async consumeCode({ hash }: Code): Promise<boolean> {
    const change = await this.#needs.db
      .updateTable('codes')
      .set({ used: 1 })
      .where('hash', '=', hash)
      .where('used', '=', 0)
      .executeTakeFirst();
    return change.numUpdatedRows === 1n;
  }

  /** Records that a user allowed this request; returns true for exactly one of several calls. */
  recordAllowed({ id, expiresAt }: Pick<PendingRequest, 'id' | 'expiresAt'>): Promise<boolean> {
    return spend(this.#needs.db, id, expiresAt + usedFormMs);
  }

  wasAllowed(requestId: string): Promise<boolean> {
    return isSpent(this.#needs.db, requestId);
  }

  /** Ends one access token; the rest of its family stays. */
  async revokeAccessToken(token: string): Promise<void> {
    const revoked = { kind: 'token', subject: hashOf(token) } as const;
    await this.#needs.db.transaction().execute(async (trx) => {
      await trx.deleteFrom('access_tokens').where('hash', '=', revoked.subject).execute();
      await announceRevocation(trx, this.#needs.clock.now(), revoked);
    });
    this.#needs.onRevoked(revoked);
  }

  async revoke(choice: GrantChoice): Promise<void> {
    this.#needs.onRevoked(
      await this.#needs.db.transaction().execute((trx) => revokeGrantsIn(trx, this.#needs.clock, choice)),
    );
  }

  async #findSealed(token: string): Promise<RefreshToken | undefined> {
    const opened = openRefreshToken(await this.#sealingKey(), token);
    const grant = opened && (await findGrant(this.#needs.db, opened.grantId));
    if (!grant || (await isSpent(this.#needs.db, opened.family))) return undefined;
    const { family, expiresAt } = opened;
    return { token, grant, grant_id: grant.id, family, expires_at: expiresAt, replaced_at: null };
  }

  #sealingKey(): Promise<KeyObject> {
    this.#knownKey ??= ensureSigningKey(this.#needs.db)
      .then(refreshTokenKey)
      .catch((error: unknown) => {
        this.#knownKey = undefined;
        throw error;
      });
    return this.#knownKey;
  }
}

/** Its parameters are the hash, the family, the expiry, and the grant. */
function clientTokenInsert(db: Db) {
  return db
    .insertInto('access_tokens')
    .columns(['hash', 'grant_id', 'family', 'scope', 'expires_at'])
    .expression((query) =>
      query
        .selectFrom('grants')
        .select((select) => [
          select.cast<string>(select.val(''), 'text').as('hash'),
          'grants.id',
          select.cast<string>(select.val(''), 'text').as('family'),
          'grants.scope',
          select.cast<number>(select.val(0), 'bigint').as('expires_at'),
        ])
        .where('grants.id', '=', '')
        .where('grants.revoked_at', 'is', null),
    );
}

/** Returns the application's new grant, or the one that another request or process has created meanwhile. */
function replaceClientGrant(db: Db, clock: Clock, applicationId: string, old: string | null): Promise<string> {
  return db.transaction().execute(async (trx) => {
    const id = newId();
    // Locks the application's row first, like everything that writes for an application.
    const change = await trx
      .updateTable('applications')
      .set({ client_grant: id })
      .where('id', '=', applicationId)
      .where('client_grant', old === null ? 'is' : '=', old)
      .executeTakeFirst();
    if (change.numUpdatedRows !== 1n) {
      const application = await trx
        .selectFrom('applications')
        .select('client_grant')
        .where('id', '=', applicationId)
        .executeTakeFirst();
      const other = application?.client_grant ?? null;
      if (other === null) throw new ServiceError('invalid_client', 'This application was deleted.');
      return other;
    }
    const grant = { application_id: applicationId, account_id: null, kind: 'client_credentials', scope: '' } as const;
    await trx
      .insertInto('grants')
      .values({ id, ...grant, created_at: clock.now(), revoked_at: null })
      .execute();
    return id;
  });
}

/** A refresh token or a code is valid only while the user who granted it may sign in. */
function findGrant(db: Db, id: string): Promise<Grant | undefined> {
  return db
    .selectFrom('grants')
    .leftJoin('accounts', 'accounts.id', 'grants.account_id')
    .selectAll('grants')
    .where('grants.id', '=', id)
    .where('grants.revoked_at', 'is', null)
    .where('accounts.disabled_at', 'is', null)
    .executeTakeFirst();
}

/** Returns a token, even an expired one, unless it was revoked, or the application, its owner, or its user is disabled. */
async function findAccessToken(db: Db, hash: string): Promise<KnownAccess | undefined> {
  const row = await db
    .selectFrom('access_tokens as token')
    .innerJoin('grants', 'grants.id', 'token.grant_id')
    .innerJoin('applications', 'applications.id', 'grants.application_id')
    .innerJoin('accounts as owner', 'owner.id', 'applications.account_id')
    .leftJoin('accounts as user', 'user.id', 'grants.account_id')
    .select([
      'token.scope',
      'token.expires_at',
      'token.family',
      'grants.id',
      'grants.application_id',
      'grants.account_id',
      'applications.account_id as owner_id',
      'grants.kind',
      'applications.plan',
    ])
    .where('token.hash', '=', hash)
    .where('grants.revoked_at', 'is', null)
    .where('applications.disabled_at', 'is', null)
    .where('owner.disabled_at', 'is', null)
    .where('user.disabled_at', 'is', null)
    .executeTakeFirst();
  if (!row) return undefined;
  return {
    applicationId: row.application_id,
    accountId: row.account_id,
    ownerId: row.owner_id,
    kind: row.kind,
    scope: storedScope(row.scope),
    grantId: row.family ?? row.id,
    expiresAt: row.expires_at,
    plan: row.plan,
  };
}
