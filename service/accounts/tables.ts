// Tables of accounts, their contracts with a pricing plan, and the applications that stand on a contract (§5.2, §7.3).
// Secrets and passwords are here as hashes only.
import type { SessionTables } from './session-tables.ts';

export type AccountTables = SessionTables & {
  accounts: {
    id: string;
    username: string;
    /** The username as it is compared: lower case, so that "Ann" and "ann" are one account. Unique. */
    username_key: string;
    email: string;
    email_key: string;
    /** `scrypt$…`, see passwords.ts. */
    password_hash: string;
    is_operator: number;
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
    /** 1: runs where no secret can be kept (§5.3), so it has none. */
    is_public: number;
    /** 1: the operator allows `grant_type=password` (§4.2). */
    allows_password: number;
    /** SHA-256 of the client secret; null for a public application. */
    secret_hash: string | null;
    secret_created_at: number | null;
    /** 1: made by `ensureSandbox`; its credentials follow from a key file and cannot be changed by hand. */
    is_sandbox: number;
    terms_accepted_at: number;
    created_at: number;
    disabled_at: number | null;
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
};
