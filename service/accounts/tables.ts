// Tables of accounts, their contracts with a pricing plan, and the applications that stand on a contract
// (docs/interface.md §5.2, §7.3). Secrets and passwords are here as hashes only.
import type { SessionTables } from './session-tables.ts';

export type ContractState = 'active' | 'pending' | 'denied';

export type AccountTables = SessionTables & {
  accounts: {
    id: string;
    username: string;
    /** The username as it is compared: lower case, so that "Ann" and "ann" are one account. Unique. */
    username_key: string;
    email: string;
    /** The address as it is compared. Unique; `unconfirmed:<id>` while the address is not the account's to use. */
    email_key: string;
    /** When the owner of the address proved to be the account's, or the operator said so; null: not yet. */
    email_confirmed_at: number | null;
    /** The address to which a confirmation link was sent; it takes effect when the link is followed. */
    pending_email: string | null;
    /** `scrypt$…`, see passwords.ts. */
    password_hash: string;
    is_operator: number;
    /** What the operator allows this account instead of the settings; null: the settings count. */
    application_limit: number | null;
    monitor_limit: number | null;
    created_at: number;
    disabled_at: number | null;
  };
  contracts: {
    id: string;
    account_id: string;
    plan: string;
    created_at: number;
    /** Only an active contract can have applications. `pending`: the operator has to approve it. */
    state: ContractState;
  };
  applications: {
    id: string;
    client_id: string;
    account_id: string;
    contract_id: string;
    name: string;
    description: string;
    /** 1: runs where no secret can be kept (docs/interface.md §5.3), so it has none. */
    is_public: number;
    /** 1: the operator allows `grant_type=password` (docs/interface.md §4.2). */
    allows_password: number;
    /** 1: the service refuses authorization requests for a code without a code_challenge (RFC 7636). */
    requires_pkce: number;
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

declare module '#service/database/tables.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only interfaces merge
  interface Tables extends AccountTables {}
}
