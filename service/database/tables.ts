import type { Kysely } from 'kysely';

/**
 * All tables of the service's database. Each subject folder owns the types of its tables and adds them by declaration merging (its
 * `tables.ts`), so the engine imports no subject.
 */
export interface Tables {}

/** The database, or a transaction on it. */
export type Db = Kysely<Tables>;
