// Tables of OAuth: a grant is the family of every code and token that came from one authorization; revoking it is one
// update. Codes and tokens are 256-bit random texts, here as SHA-256 only (hex).
import type { GrantKind } from '#contract/service-api/oauth.ts';

export type OAuthTables = {
  grants: {
    id: string;
    application_id: string;
    /** The user who authorized it; null where there is none (client credentials). */
    account_id: string | null;
    kind: GrantKind;
    /** Space-separated, '' for none: the most that any token of this grant may do. */
    scope: string;
    created_at: number;
    revoked_at: number | null;
  };
  codes: {
    hash: string;
    grant_id: string;
    redirect_uri: string;
    /** S256 challenge (RFC 7636), or null where the dialog was opened without one. */
    code_challenge: string | null;
    expires_at: number;
    /** 1 after the exchange. */
    used: number;
  };
  access_tokens: {
    hash: string;
    grant_id: string;
    scope: string;
    expires_at: number;
  };
  refresh_tokens: {
    hash: string;
    grant_id: string;
    expires_at: number;
    /** A public client's token is replaced at each use; using it once more revokes the grant. */
    replaced_at: number | null;
  };
  /** IDs of authorization requests that a user allowed, until their token expires: each can be allowed once. */
  allowed_requests: { id: string; expires_at: number };
  /** One row. Its number rises with each revocation, so that other processes drop what they remember. */
  revocations: { name: string; number: number };
};

declare module '#service/database/tables.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only interfaces merge
  interface Tables extends OAuthTables {}
}
