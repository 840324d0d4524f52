import type { Kysely } from 'kysely';

/** Each subject folder adds its tables (table.ts) by declaration merging, so that the engine imports no subject. */
export interface Tables {}

/** The database, or a transaction on it. */
export type Db = Kysely<Tables>;
