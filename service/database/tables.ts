import type { Kysely } from 'kysely';

/**
 * All tables of the service's database. Each subject folder declares its tables (table.ts) and adds their types by declaration merging,
 * so the engine imports no subject.
 */
export interface Tables {}

/** The database, or a transaction on it. */
export type Db = Kysely<Tables>;
