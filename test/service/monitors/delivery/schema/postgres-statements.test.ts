// What only PostgreSQL is sent: locks between processes, and columns with the types of the schema. Without a server; other tests run
// these statements on one.
import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Tables } from '#service/database/tables.ts';
import { createOutbox } from '#service/monitors/delivery/outbox.ts';
import type { AttemptRecord } from '#service/monitors/delivery/attempt-recorder.ts';
import { openDeliveryRows, startMs } from '#test/service/monitors/delivery/delivery-rows.ts';

type Result = (statement: string) => unknown[];

/** Records statements, which return what the test says. */
function recordStatements(resultOf: Result = () => []) {
  const statements: string[] = [];
  const connection: DatabaseConnection = {
    async executeQuery<Row>({ sql: statement }: CompiledQuery) {
      statements.push(statement);
      return { rows: resultOf(statement) as Row[] };
    },
    async *streamQuery() {},
  };
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createDriver: () => ({
        init: async () => {},
        acquireConnection: async () => connection,
        beginTransaction: async () => {},
        commitTransaction: async () => {},
        rollbackTransaction: async () => {},
        releaseConnection: async () => {},
        destroy: async () => {},
      }),
    },
  });
  const matching = (start: string) => statements.filter((statement) => statement.startsWith(start));
  return { database: { db, engine: 'postgres' as const }, statements, matching };
}

/** The columns of an insert, with the types that its arrays are cast to. */
function castsOf(statement = ''): Record<string, string> {
  const [, columns = '', arrays = ''] =
    /\((.*)\) select \* from unnest\((.*)\)(?: on conflict do nothing)?$/.exec(statement) ?? [];
  const types = arrays.split(', ').map((array) => /^\$\d+::(.*)\[\]$/.exec(array)?.[1] ?? '');
  const names = columns.split(', ').map((name) => name.replaceAll('"', ''));
  return Object.fromEntries(names.map((name, index) => [name, types[index] ?? '']));
}

async function start() {
  const rows = await openDeliveryRows();
  await rows.addApplication('a');
  await rows.addMonitor('a', 'm1');
  const monitor = await rows.monitorRow('m1');
  const recorded: AttemptRecord[] = [];
  for (const id of ['e1', 'e2', 'e3']) {
    const result = { status: 500, error: null, latencyMs: 5, answer: '', retryAfterSeconds: undefined };
    const times = { startedAt: startMs, nextAttemptAt: startMs + 10_000 };
    recorded.push({ event: await rows.addEvent(id), result, state: 'waiting', ...times });
  }
  async function typesOf(table: 'events' | 'waiting_events' | 'attempts'): Promise<Record<string, string>> {
    const { rows: columns } = await sql<{ name: string; type: string }>`
      select name, type from pragma_table_info(${table})`.execute(rows.db);
    return Object.fromEntries(columns.map(({ name, type }) => [name, type.toLowerCase()]));
  }
  return { monitor, recorded, typesOf };
}

const onlySqlite = /json_each\(|->>/;

describe('a claim on PostgreSQL', () => {
  it('locks the monitors in the order of their IDs, so that claims of the same cells do not deadlock', async () => {
    const { database, matching, statements } = recordStatements();
    await createOutbox(database, 'claims').claim(['x'], startMs);
    const [claim] = matching('update "monitors"');
    expect(claim).toMatch(/select "id" from "monitors" .* order by "id" limit \$\d+ for update\)/);
    expect(statements.filter((statement) => onlySqlite.test(statement))).toEqual([]);
  });

  it('inserts events with the types of their columns', async () => {
    const { monitor, typesOf } = await start();
    let isClaimed = false;
    const { database, matching, statements } = recordStatements((statement) => {
      if (statement.includes('feed_positions')) return [{ last_position: 7 }];
      if (!statement.startsWith('update "monitors"') || isClaimed) return [];
      isClaimed = true;
      return [monitor];
    });
    expect(await createOutbox(database, 'claims').claim(['x'], startMs)).toBe(1);
    const casts = castsOf(matching('/* prepared: insert-events */').at(0));
    expect(casts).toEqual(await typesOf('events'));
    const waiting = castsOf(matching('/* prepared: insert-waiting_events */').at(0));
    expect(waiting).toEqual(await typesOf('waiting_events'));
    expect(statements.filter((statement) => onlySqlite.test(statement))).toEqual([]);
  });
});

describe('the outbox on PostgreSQL', () => {
  it('takes events that no other process is taking', async () => {
    const { database, statements } = recordStatements();
    await createOutbox(database, 'me').take(startMs, 9, [{ application_id: 'app', host: 'https://a.example' }]);
    expect(statements).toHaveLength(1);
    expect(statements[0]).toMatch(/where event_id = any\(array\(\(?select "event_id" from "waiting_events" /);
    expect(statements[0]).toMatch(
      /not \(?\("application_id" = \$\d+ and "host" = \$\d+\)\)? order by "due_at" limit \$\d+ for update skip locked/,
    );
  });

  it('logs attempts with the types of their columns', async () => {
    const { recorded, typesOf } = await start();
    const { database, matching, statements } = recordStatements((statement) =>
      statement.startsWith('select') ? recorded.map(({ event }) => ({ id: event.id })) : [],
    );
    await createOutbox(database, 'me').record(recorded);
    // Written only by an edit of the event.
    const { request: _, ...types } = await typesOf('attempts');
    expect(castsOf(matching('/* prepared: insert-attempts */').at(0))).toEqual(types);
    expect(statements.filter((statement) => statement.includes('json_each_text'))).toHaveLength(1);
    expect(statements.filter((statement) => onlySqlite.test(statement))).toEqual([]);
  });
});
