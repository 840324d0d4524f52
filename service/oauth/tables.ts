// Tables of OAuth: a grant is the family of all codes and tokens of one authorization; revoking it is one update. Codes and tokens
// are 256-bit random texts, stored only as SHA-256 (hex).
import type { GrantKind } from '@rainbell/contract/service-api';

/** `token`: by its hash. `grant`: a grant, or a family of client credentials. The others by their IDs. */
export type RevokedKind = 'token' | 'grant' | 'application' | 'account';

declare module '../database/tables.ts' {
  interface Tables {
    grants: {
      id: string;
      application_id: string;
      /** The user who authorized it; null if there is none (client credentials). */
      account_id: string | null;
      kind: GrantKind;
      /** Space-separated, '' for none: the maximum scope of this grant's tokens. */
      scope: string;
      created_at: number;
      revoked_at: number | null;
    };
    codes: {
      hash: string;
      grant_id: string;
      redirect_uri: string;
      /** S256 challenge (RFC 7636), or null if the authorization request had none. */
      code_challenge: string | null;
      expires_at: number;
      used: number;
    };
    access_tokens: {
      hash: string;
      grant_id: string;
      /** For client credentials, whose grant all tokens of an application share: those that one refresh token renews. */
      family: string | null;
      scope: string;
      expires_at: number;
    };
    refresh_tokens: {
      hash: string;
      grant_id: string;
      expires_at: number;
      /** A public client's token is replaced at each use; reusing it revokes the grant. */
      replaced_at: number | null;
    };
    /** IDs of authorization requests that a user allowed, until their token expires: each can be allowed once. */
    allowed_requests: { id: string; expires_at: number };
    /** Families whose sealed refresh token (sealed-refresh-token.ts) was revoked, until it expires. */
    ended_families: { family: string; expires_at: number };
    /** One row. Its number grows with each revocation. */
    revocations: { name: string; number: number };
    /** What each recent revocation ended, by its number, so that processes drop it from their caches. */
    revoked: { number: number; kind: RevokedKind; subject: string; at: number };
  }
}
