// Tables of accounts, their contracts with a pricing plan, and the applications of a contract (docs/interface.md §5.2, §7.3).
// Secrets and passwords are stored only as hashes.
import { bigint, byDefault, integer, orNull, type RowsOf, table, text } from '../database/table.ts';
import type { PlanId } from './plans.ts';

export const accountTables = {
  accounts: table({
    id: text('PRIMARY KEY'),
    username: text(),
    /** The normalized username: lower case, so that "Ann" and "ann" are one account. */
    username_key: text('UNIQUE'),
    email: text(),
    /** The normalized address; `unconfirmed:<id>` until the account may use the address. */
    email_key: text('UNIQUE'),
    /** When the account proved ownership of the address, or the operator confirmed it; null: not yet. */
    email_confirmed_at: orNull(bigint()),
    /** The address to which a confirmation link was sent; it takes effect when the link is followed. */
    pending_email: orNull(text()),
    /** `scrypt$…`, see passwords.ts. */
    password_hash: text(),
    is_operator: integer(),
    /** 1: its owner is mailed when callbacks fail, and when they work again. */
    endpoint_mails: byDefault(integer(), 1),
    created_at: bigint(),
    disabled_at: orNull(bigint()),
  }),
  contracts: table(
    { account_id: text('REFERENCES accounts (id)'), plan: text<PlanId>(), created_at: bigint() },
    { constraint: 'CONSTRAINT contracts_once_per_plan PRIMARY KEY (account_id, plan)' },
  ),
  applications: table(
    {
      id: text('PRIMARY KEY'),
      client_id: text('UNIQUE'),
      account_id: text('REFERENCES accounts (id)'),
      /** That of the account's contract. */
      plan: text<PlanId>(),
      name: text(),
      description: text(),
      /** One a line, '' for none. */
      redirect_uris: text(),
      /** 1: a public client (docs/interface.md §5.3), which has no secret. */
      is_public: integer(),
      /** 1: the operator allows `grant_type=password` (docs/interface.md §4.2). */
      allows_password: integer(),
      /** 1: the service refuses authorization requests for a code without a code_challenge (RFC 7636). */
      requires_pkce: byDefault(integer(), 0),
      /** SHA-256 of the client secret; null for a public client. */
      secret_hash: orNull(text()),
      secret_created_at: orNull(bigint()),
      /** 1: created by `ensureSandbox`; its credentials follow from a key file and cannot be changed manually. */
      is_sandbox: integer(),
      terms_accepted_at: bigint(),
      created_at: bigint(),
      disabled_at: orNull(bigint()),
      /** When it last read its feed, within an hour; 0: never. */
      feed_read_at: byDefault(bigint(), 0),
      /** The grant of its client credentials; null before the first; useless once revoked. */
      client_grant: orNull(text()),
    },
    { indexes: { applications_by_account: '(account_id)' } },
  ),
  /** Requests of an application on one UTC day. `day`: days since 1970-01-01. */
  usage: table(
    { application_id: text(), day: integer(), requests: bigint() },
    { constraint: 'CONSTRAINT usage_per_day PRIMARY KEY (application_id, day)' },
  ),
  /** Sessions of the website. IDs are random; the table has their SHA-256. */
  sessions: table(
    {
      hash: text('PRIMARY KEY'),
      account_id: text('REFERENCES accounts (id) ON DELETE CASCADE'),
      expires_at: bigint(),
    },
    { indexes: { sessions_by_account: '(account_id)' } },
  ),
  /** See stored-keys.ts. `value`: hexadecimal. */
  signing_keys: table({ name: text('PRIMARY KEY'), value: text() }),
};

declare module '../database/tables.ts' {
  interface Tables extends RowsOf<typeof accountTables> {}
}
