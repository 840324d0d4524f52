// Statements that run with every request or callback. PostgreSQL parses and plans them once for each connection: a statement's
// name is in a comment at its beginning, which openPostgres reads. SQLite keeps every statement prepared.
import { CompiledQuery, type Compilable, type QueryResult } from 'kysely';
import type pg from 'pg';
import type { Db } from './tables.ts';

export type PreparedStatement<Row = unknown> = (db: Db, parameters: readonly unknown[]) => Promise<QueryResult<Row>>;

/**
 * Compiles a query once. `name`: unique for its text. Its columns must be listed: a migration that adds one would change what `*`
 * means, and PostgreSQL then refuses the prepared statement. Its parameters are replaced by those of each call, in the same order.
 */
export function prepareStatement<Row>(name: string, query: Compilable<Row>): PreparedStatement<Row> {
  const text = nameStatement(name, query.compile().sql);
  return (db, parameters) => db.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]));
}

const opening = '/* prepared: ';
const closing = ' */ ';

export function nameStatement(name: string, text: string): string {
  return `${opening}${name}${closing}${text}`;
}

export function prepareNamed(client: Pick<pg.ClientBase, 'query'>): void {
  const query = client.query.bind(client) as (...input: unknown[]) => unknown;
  client.query = ((first: unknown, ...rest: unknown[]) => {
    const name = typeof first === 'string' ? nameOf(first) : undefined;
    return name === undefined ? query(first, ...rest) : query({ name, text: first }, ...rest);
  }) as typeof client.query;
}

function nameOf(text: string): string | undefined {
  return text.startsWith(opening) ? text.slice(opening.length, text.indexOf(closing)) : undefined;
}
