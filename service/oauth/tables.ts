// Tables of OAuth: a grant is the family of all codes and tokens of one authorization; revoking it is one update. Codes and tokens
// are 256-bit random texts, stored only as SHA-256 (hex).
import type { GrantKind } from '@rainbell/contract/service-api';
import { bigint, integer, orNull, type RowsOf, table, text } from '../database/table.ts';

const ofGrant = 'REFERENCES grants (id) ON DELETE CASCADE';

export const oauthTables = {
  grants: table(
    {
      id: text('PRIMARY KEY'),
      application_id: text('REFERENCES applications (id) ON DELETE CASCADE'),
      /** The user who authorized it; null if there is none (client credentials). */
      account_id: orNull(text('REFERENCES accounts (id) ON DELETE CASCADE')),
      kind: text<GrantKind>(),
      /** Space-separated, '' for none: the maximum scope of this grant's tokens. */
      scope: text(),
      created_at: bigint(),
      revoked_at: orNull(bigint()),
    },
    { indexes: { grants_by_application: '(application_id)', grants_by_account: '(account_id)' } },
  ),
  codes: table(
    {
      hash: text('PRIMARY KEY'),
      grant_id: text(ofGrant),
      redirect_uri: text(),
      /** S256 challenge (RFC 7636), or null if the authorization request had none. */
      code_challenge: orNull(text()),
      expires_at: bigint(),
      used: integer(),
    },
    { indexes: { codes_by_grant: '(grant_id)' } },
  ),
  access_tokens: table(
    {
      hash: text('PRIMARY KEY'),
      grant_id: text(ofGrant),
      /** For client credentials, whose grant all tokens of an application share: those that one refresh token renews. */
      family: orNull(text()),
      scope: text(),
      expires_at: bigint(),
    },
    { indexes: { access_tokens_by_expiry: '(expires_at)', access_tokens_by_family: '(grant_id, family)' } },
  ),
  refresh_tokens: table(
    {
      hash: text('PRIMARY KEY'),
      grant_id: text(ofGrant),
      expires_at: bigint(),
      /** A public client's token is replaced at each use; reusing it revokes the grant. */
      replaced_at: orNull(bigint()),
    },
    { indexes: { refresh_tokens_by_grant: '(grant_id)', refresh_tokens_by_expiry: '(expires_at)' } },
  ),
  /**
   * Signed tokens that have no other row and are no longer valid, until they expire: an allowed authorization request by its ID
   * (pending-request.ts), a revoked refresh token by its family (token-store.ts).
   */
  spent_tokens: table(
    { id: text('PRIMARY KEY'), expires_at: bigint() },
    { indexes: { spent_tokens_by_expiry: '(expires_at)' } },
  ),
  /** What each recent revocation ended, by its number, so that processes drop it from their caches. */
  revoked: table({
    number: bigint('PRIMARY KEY'),
    /** `token`: by its hash. `grant`: a grant, or a family of client credentials. The others by their IDs. */
    kind: text<'token' | 'grant' | 'application' | 'account'>(),
    subject: text(),
    at: bigint(),
  }),
};

declare module '../database/tables.ts' {
  interface Tables extends RowsOf<typeof oauthTables> {}
}
