// The log of all HTTP exchanges in app.sqlite, bounded by number and bytes, masked before it is kept. Writing waits a moment,
// so that a burst of calls costs one write.
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { z } from 'zod';
import type { Clock } from '#contract/clock.ts';
import { appProblemSchema } from '#contract/app-errors.ts';
import { headerListSchema } from '#contract/procedures/base.ts';
import type { Exchange, ExchangeSummary } from '#contract/procedures/traffic.ts';
import { formatInstant } from '#contract/timestamp.ts';
import { AppFailure } from '../app-failure.ts';
import type { ConnectionProfile } from '../connection/connection.ts';
import type { ObservedExchange } from '../connection/http-exchange.ts';
import type { Log } from '../log.ts';
import { toCurl } from './curl.ts';
import { toRecord, type TrafficRecord } from './traffic-record.ts';

export type TrafficFilter = {
  beforeId?: number | undefined;
  limit: number;
  kind?: 'api' | 'token' | undefined;
  connectionId?: string | undefined;
  text?: string | undefined;
  failedOnly: boolean;
};

export type TrafficLog = {
  record: (profile: Pick<ConnectionProfile, 'id' | 'name'>, observed: ObservedExchange) => void;
  list: (filter: TrafficFilter) => { items: ExchangeSummary[]; total: number; newestId: number };
  get: (id: number) => Exchange;
  clear: () => void;
  newestId: () => number;
  close: () => void;
};

export type TrafficLimits = { exchanges: number; bytes: number };
export const trafficLimits: TrafficLimits = { exchanges: 2000, bytes: 64 * 1024 * 1024 };

type Parts = {
  db: DatabaseSync;
  clock: Clock;
  log: Log;
  limits?: TrafficLimits;
  onChanged: (newestId: number) => void;
};

const writeDelayMs = 250;

export function createTrafficLog({ db, clock, log, limits = trafficLimits, onChanged }: Parts): TrafficLog {
  const counted = countersSchema.parse(db.prepare(countersSql).get());
  let { newestId, total, bytes } = counted;
  let pending: (TrafficRecord & { id: number })[] = [];
  let cancelWrite: (() => void) | undefined;
  let isClosed = false;
  const insert = db.prepare(insertSql);

  function flush(): void {
    cancelWrite?.();
    cancelWrite = undefined;
    const records = pending;
    pending = [];
    if (records.length === 0) return;
    try {
      db.exec('BEGIN IMMEDIATE');
      for (const record of records) insert.run(...rowOf(record));
      prune();
      db.exec('COMMIT');
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      // The calls themselves went well; what is lost is their record.
      log.warn({ err: error, lost: records.length }, 'the traffic log could not be written');
    }
  }

  function prune(): void {
    while (total > 0 && (total > limits.exchanges || bytes > limits.bytes)) {
      const rows = oldestSchema.parse(db.prepare(oldestSql).all());
      const last = rows.at(-1);
      if (!last) return;
      db.prepare('DELETE FROM exchanges WHERE id <= ?').run(last.id);
      total -= rows.length;
      bytes -= rows.reduce((sum, row) => sum + row.stored_bytes, 0);
    }
  }

  return {
    record(profile, observed) {
      // An exchange that ends after the app did has no file to go to any more.
      if (isClosed) return;
      newestId += 1;
      const record = { ...toRecord(profile, observed), id: newestId };
      total += 1;
      bytes += record.storedBytes;
      pending.push(record);
      cancelWrite ??= clock.after(writeDelayMs, flush);
      onChanged(newestId);
    },
    list(filter) {
      flush();
      const { where, values } = conditions(filter);
      const sql = `SELECT ${summaryColumns} FROM exchanges ${where} ORDER BY id DESC LIMIT ?`;
      const rows = z.array(summaryRowSchema).parse(db.prepare(sql).all(...values, filter.limit));
      return { items: rows.map(toSummary), total, newestId };
    },
    get(id) {
      flush();
      const row = db.prepare('SELECT * FROM exchanges WHERE id = ?').get(id);
      if (!row) throw new AppFailure('NOT_FOUND', `The exchange ${id} is no longer in the log.`, { field: 'id' });
      return toExchange(wholeRowSchema.parse(row));
    },
    clear() {
      flush();
      db.exec('DELETE FROM exchanges');
      total = 0;
      bytes = 0;
      onChanged(newestId);
    },
    newestId: () => newestId,
    close() {
      flush();
      isClosed = true;
    },
  };
}

const countersSql = `SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'exchanges'), 0) AS newestId,
  count(*) AS total, coalesce(sum(stored_bytes), 0) AS bytes FROM exchanges`;
const countersSchema = z.object({ newestId: z.number(), total: z.number(), bytes: z.number() });
const oldestSql = 'SELECT id, stored_bytes FROM exchanges ORDER BY id LIMIT 50';
const oldestSchema = z.array(z.object({ id: z.number(), stored_bytes: z.number() }));

const summaryColumns = 'id, at, connection_id, connection_name, kind, method, url, status, took_ms, size_bytes';
const insertSql = `INSERT INTO exchanges (${summaryColumns}, looked_up_ms, connected_ms, secured_ms, first_byte_ms, truncated, problem, stored_bytes,
  request_headers, response_headers, request_body, response_body)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

function rowOf(record: TrafficRecord & { id: number }): SQLInputValue[] {
  return [
    record.id,
    record.at,
    record.connectionId,
    record.connectionName,
    record.kind,
    record.method,
    record.url,
    record.status,
    record.tookMs,
    record.sizeBytes,
    record.steps.lookedUpMs,
    record.steps.connectedMs,
    record.steps.securedMs,
    record.firstByteMs,
    record.truncated ? 1 : 0,
    record.problem === null ? null : JSON.stringify(record.problem),
    record.storedBytes,
    JSON.stringify(record.requestHeaders),
    JSON.stringify(record.responseHeaders),
    record.requestBody,
    record.responseBody,
  ];
}

const summaryRowSchema = z.object({
  id: z.number(),
  at: z.number(),
  connection_id: z.string(),
  connection_name: z.string(),
  kind: z.enum(['api', 'token']),
  method: z.string(),
  url: z.string(),
  status: z.number().nullable(),
  took_ms: z.number(),
  size_bytes: z.number(),
});

const jsonText = z.string().transform((text): unknown => JSON.parse(text));
const wholeRowSchema = summaryRowSchema.extend({
  looked_up_ms: z.number().nullable(),
  connected_ms: z.number().nullable(),
  secured_ms: z.number().nullable(),
  first_byte_ms: z.number().nullable(),
  truncated: z.number(),
  problem: jsonText.pipe(appProblemSchema).nullable(),
  request_headers: jsonText.pipe(headerListSchema),
  response_headers: jsonText.pipe(headerListSchema),
  request_body: z.string().nullable(),
  response_body: z.string(),
});

function toSummary(row: z.infer<typeof summaryRowSchema>): ExchangeSummary {
  const { id, kind, method, url, status } = row;
  return {
    id,
    at: formatInstant(row.at),
    connectionId: row.connection_id,
    connectionName: row.connection_name,
    kind,
    method,
    url,
    status,
    tookMs: row.took_ms,
    sizeBytes: row.size_bytes,
  };
}

function toExchange(row: z.infer<typeof wholeRowSchema>): Exchange {
  const request = { method: row.method, url: row.url, headers: row.request_headers, body: row.request_body };
  return {
    ...toSummary(row),
    requestHeaders: row.request_headers,
    requestBody: row.request_body,
    responseHeaders: row.response_headers,
    responseBody: row.response_body,
    truncated: row.truncated === 1,
    timing: {
      lookedUpMs: row.looked_up_ms,
      connectedMs: row.connected_ms,
      securedMs: row.secured_ms,
      firstByteMs: row.first_byte_ms,
      totalMs: row.took_ms,
    },
    problem: row.problem,
    curl: toCurl(request),
  };
}

function conditions(filter: TrafficFilter): { where: string; values: SQLInputValue[] } {
  const parts: string[] = [];
  const values: SQLInputValue[] = [];
  const add = (sql: string, ...given: SQLInputValue[]) => {
    parts.push(sql);
    values.push(...given);
  };
  if (filter.beforeId !== undefined) add('id < ?', filter.beforeId);
  if (filter.kind !== undefined) add('kind = ?', filter.kind);
  if (filter.connectionId !== undefined) add('connection_id = ?', filter.connectionId);
  if (filter.text) add('instr(lower(url), ?) > 0', filter.text.toLowerCase());
  if (filter.failedOnly) add('(status IS NULL OR status >= 400)');
  return { where: parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`, values };
}
