// Tables of accounts, their contracts with a pricing plan, and the applications of a contract (docs/interface.md §5.2, §7.3).
// Secrets and passwords are stored only as hashes.
import type { Generated } from 'kysely';

declare module '../database/tables.ts' {
  interface Tables {
    accounts: {
      id: string;
      username: string;
      /** The normalized username: lower case, so that "Ann" and "ann" are one account. Unique. */
      username_key: string;
      email: string;
      /** The normalized address. Unique; `unconfirmed:<id>` until the account may use the address. */
      email_key: string;
      /** When the account proved ownership of the address, or the operator confirmed it; null: not yet. */
      email_confirmed_at: number | null;
      /** The address to which a confirmation link was sent; it takes effect when the link is followed. */
      pending_email: string | null;
      /** `scrypt$…`, see passwords.ts. */
      password_hash: string;
      is_operator: number;
      /** 1: its owner is mailed when callbacks fail, and when they work again. */
      endpoint_mails: Generated<number>;
      created_at: number;
      disabled_at: number | null;
    };
    contracts: {
      id: string;
      account_id: string;
      plan: string;
      created_at: number;
    };
    applications: {
      id: string;
      client_id: string;
      account_id: string;
      contract_id: string;
      name: string;
      description: string;
      /** 1: a public client (docs/interface.md §5.3), which has no secret. */
      is_public: number;
      /** 1: the operator allows `grant_type=password` (docs/interface.md §4.2). */
      allows_password: number;
      /** 1: the service refuses authorization requests for a code without a code_challenge (RFC 7636). */
      requires_pkce: number;
      /** SHA-256 of the client secret; null for a public client. */
      secret_hash: string | null;
      secret_created_at: number | null;
      /** 1: created by `ensureSandbox`; its credentials follow from a key file and cannot be changed manually. */
      is_sandbox: number;
      terms_accepted_at: number;
      created_at: number;
      disabled_at: number | null;
      /** The grant of its client credentials; null before the first; useless once revoked. */
      client_grant: string | null;
    };
    application_redirects: {
      application_id: string;
      uri: string;
      position: number;
    };
    /** Requests of an application on one UTC day. */
    usage: {
      application_id: string;
      /** Days since 1970-01-01. */
      day: number;
      requests: number;
    };
    /** Sessions of the website. IDs are random; the table has their SHA-256. */
    sessions: { hash: string; account_id: string; created_at: number; expires_at: number };
    /** See signing-key.ts. `value`: hexadecimal. */
    signing_keys: { name: string; value: string };
  }
}
