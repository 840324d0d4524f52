// The log of all HTTP exchanges in app.sqlite, bounded by number and bytes, masked before it is kept. Writing waits a moment,
// so that a burst of calls costs one write.
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { z } from 'zod';
import { type Clock, formatInstant } from '@rainbell/shared';
import {
  appProblemSchema,
  headerListSchema,
  type TrafficEntry,
  type TrafficSummary,
  trafficSummarySchema,
} from '@rainbell/contract/app-rpc';
import type { Handlers } from '../app/handlers.ts';
import { AppFailure, toProblem } from '../errors/app-failure.ts';
import type { ConnectionProfile } from '../connection/connection.ts';
import type { ObservedRequest } from '../http/http-sender.ts';
import { runInTransaction } from '../database/transaction.ts';
import type { Log } from '../ports/log.ts';
import { maskerFor } from './mask.ts';

export type TrafficLog = ReturnType<typeof createTrafficLog>;

type NumberedRecord = ReturnType<typeof toRecord> & { id: number };

type TrafficFilter = Parameters<Handlers<'traffic'>['traffic']['list']>[0]['input'];

type TrafficLimits = { entries: number; bytes: number };
const trafficLimits: TrafficLimits = { entries: 2000, bytes: 64 * 1024 * 1024 };

type TrafficLogOptions = {
  db: DatabaseSync;
  clock: Clock;
  log: Log;
  limits?: TrafficLimits;
  onChanged: (newestId: number) => void;
};

const writeDelayMs = 250;

export function createTrafficLog({ db, clock, log, limits = trafficLimits, onChanged }: TrafficLogOptions) {
  const counted = countersSchema.parse(db.prepare(countersSql).get());
  let { newestId, total, bytes } = counted;
  let waiting: NumberedRecord[] = [];
  let cancelWrite: (() => void) | undefined;
  let isClosed = false;
  const insert = db.prepare(insertSql);

  /** A log that can't be written to costs its entries, not the calls. */
  function flush(): void {
    cancelWrite?.();
    cancelWrite = undefined;
    const records = waiting;
    waiting = [];
    if (records.length === 0) return;
    const before = { total, bytes };
    try {
      runInTransaction(db, () => {
        for (const record of records) {
          insert.run(record);
          total += 1;
          bytes += record.storedBytes;
        }
        prune();
      });
    } catch (error) {
      ({ total, bytes } = before);
      log.warn({ err: error, lost: records.length }, 'requests could not be written to the traffic log');
    }
  }

  function prune(): void {
    while (total > 0 && (total > limits.entries || bytes > limits.bytes)) {
      const rows = oldestSchema.parse(db.prepare(oldestSql).all());
      const last = rows.at(-1);
      if (!last) return;
      db.prepare('DELETE FROM exchanges WHERE id <= ?').run(last.id);
      total -= rows.length;
      bytes -= rows.reduce((sum, row) => sum + row.stored_bytes, 0);
    }
  }

  return {
    /** Returns the ID of the stored exchange; undefined if it is not stored. */
    record(profile: Pick<ConnectionProfile, 'id' | 'name'>, observed: ObservedRequest): number | undefined {
      // An exchange that ends after the app did has no file to go to any more.
      if (isClosed) return undefined;
      if (observed.request.logged === 'on failure' && isSuccess(observed)) return undefined;
      newestId += 1;
      waiting.push({ ...toRecord(profile, observed), id: newestId });
      cancelWrite ??= clock.after(writeDelayMs, flush);
      onChanged(newestId);
      return newestId;
    },
    list(filter: TrafficFilter): { items: TrafficSummary[]; total: number; newestId: number } {
      flush();
      const { sql, values } = conditionOf(filter);
      const listed = db.prepare(`SELECT ${named(summaryColumns)} FROM exchanges WHERE ${sql} ORDER BY id DESC LIMIT ?`);
      return { items: z.array(summaryRowSchema).parse(listed.all(...values, filter.limit)), total, newestId };
    },
    get(id: number): TrafficEntry {
      flush();
      const row = db.prepare(`SELECT ${named(columns)} FROM exchanges WHERE id = ?`).get(id);
      if (!row) throw new AppFailure('NOT_FOUND', `Request ${id} is no longer in the log.`, { field: 'id' });
      const { lookedUpMs, connectedMs, securedMs, firstByteMs, ...entry } = wholeRowSchema.parse(row);
      return { ...entry, timing: { lookedUpMs, connectedMs, securedMs, firstByteMs, totalMs: entry.tookMs } };
    },
    clear() {
      // So that the file knows the newest id, which is never used again.
      flush();
      db.exec('DELETE FROM exchanges');
      total = 0;
      bytes = 0;
      onChanged(newestId);
    },
    newestId: (): number => newestId,
    close() {
      flush();
      isClosed = true;
    },
  };
}

/** Characters of a body that are kept; a forecast of 72 hours has about a third of it. */
const maxCharacters = 256 * 1024;
/** Longer text is not searched for secrets. Text at that cut is removed, because half a secret would not be recognized. */
const maskedCharacters = 1024 * 1024;
const cutCharacters = 8 * 1024;

/** As it is kept: masked, bodies cut at a limit, each field what its column takes. */
export function toRecord(profile: Pick<ConnectionProfile, 'id' | 'name'>, observed: ObservedRequest) {
  const { request, startedAt, tookMs, steps } = observed;
  const response = observed.response;
  const masker = maskerFor(request);
  const kind = request.kind ?? 'api';
  const maskBody = kind === 'token' ? masker.tokenBody : masker.text;
  const receivedText = response?.body.toString('utf8') ?? '';
  const isLong = receivedText.length > maskedCharacters;
  const maskedText = maskBody(receivedText.slice(0, maskedCharacters));
  const responseText = isLong ? maskedText.slice(0, -cutCharacters) : maskedText;
  const requestBody = request.body === undefined ? null : maskBody(request.body);
  const responseBody = responseText.slice(0, maxCharacters);
  const problem = observed.failure ? toProblem(observed.failure) : null;
  return {
    at: startedAt,
    connectionId: profile.id,
    connectionName: profile.name,
    kind,
    isBackground: Number(request.isBackground === true),
    method: request.method,
    url: masker.url(request.url),
    status: response?.status ?? null,
    tookMs,
    ...steps,
    firstByteMs: response?.firstByteMs ?? null,
    sizeBytes: response?.body.length ?? 0,
    // With a failure, reading stopped before the end, or there was nothing to read.
    truncated: Number(
      isLong || responseBody.length < responseText.length || (response !== undefined && problem !== null),
    ),
    problem: problem && JSON.stringify(problem),
    requestHeaders: JSON.stringify(masker.headers(request.headers)),
    responseHeaders: JSON.stringify(response ? masker.headers(response.headers) : []),
    requestBody,
    responseBody,
    storedBytes: responseBody.length + (requestBody?.length ?? 0) + 1024,
  };
}

type Condition = { sql: string; values: SQLInputValue[] };

/** Successful requests of the background are hidden unless the filter includes them. */
function conditionOf({ beforeId, kind, connectionId, text = '', ...filter }: TrafficFilter): Condition {
  const hasFailed = '(status IS NULL OR status >= 400 OR problem IS NOT NULL)';
  const words = text.toLowerCase().split(/\s+/);
  const conditions: Condition[] = [
    { sql: 'id < ?', values: [beforeId ?? Number.MAX_SAFE_INTEGER] },
    ...(kind === undefined ? [] : [{ sql: 'kind = ?', values: [kind] }]),
    ...(connectionId === undefined ? [] : [{ sql: 'connection_id = ?', values: [connectionId] }]),
    ...(filter.failedOnly ? [{ sql: hasFailed, values: [] }] : []),
    ...(filter.includesBackground ? [] : [{ sql: `(NOT is_background OR ${hasFailed})`, values: [] }]),
    ...words
      .filter((word) => /[^-]/.test(word))
      .map((word) =>
        word.startsWith('-')
          ? { sql: 'instr(lower(url), ?) = 0', values: [word.slice(1)] }
          : { sql: 'instr(lower(url), ?) > 0', values: [word] },
      ),
  ];
  return {
    sql: conditions.map(({ sql }) => sql).join(' AND '),
    values: conditions.flatMap(({ values }) => values),
  };
}

const countersSql = `SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'exchanges'), 0) AS newestId,
  count(*) AS total, coalesce(sum(stored_bytes), 0) AS bytes FROM exchanges`;
const countersSchema = z.object({ newestId: z.number(), total: z.number(), bytes: z.number() });
const oldestSql = 'SELECT id, stored_bytes FROM exchanges ORDER BY id LIMIT 50';
const oldestSchema = z.array(z.object({ id: z.number(), stored_bytes: z.number() }));

const summaryColumns =
  'id, at, connection_id, connection_name, kind, is_background, method, url, status, took_ms, size_bytes';
const columns = `${summaryColumns}, looked_up_ms, connected_ms, secured_ms, first_byte_ms, truncated, problem, stored_bytes,
  request_headers, response_headers, request_body, response_body`;
const insertSql = `INSERT INTO exchanges (${columns}) VALUES (${columns.replaceAll(/\w+/g, (name) => `:${fieldOf(name)}`)})`;

/** Named as the fields of a record: `took_ms AS tookMs`. */
function named(list: string): string {
  return list.replaceAll(/\w+/g, (column) => `${column} AS ${fieldOf(column)}`);
}

function fieldOf(column: string): string {
  return column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const flag = z.number().transform((value) => value === 1);
const summaryRowSchema = trafficSummarySchema.extend({ at: z.number().transform(formatInstant), isBackground: flag });

const jsonText = z.string().transform((text): unknown => JSON.parse(text));
const wholeRowSchema = summaryRowSchema.extend({
  lookedUpMs: z.number().nullable(),
  connectedMs: z.number().nullable(),
  securedMs: z.number().nullable(),
  firstByteMs: z.number().nullable(),
  truncated: flag,
  problem: jsonText.pipe(appProblemSchema).nullable(),
  requestHeaders: jsonText.pipe(headerListSchema),
  responseHeaders: jsonText.pipe(headerListSchema),
  requestBody: z.string().nullable(),
  responseBody: z.string(),
});

function isSuccess({ response, failure }: ObservedRequest): boolean {
  return response !== undefined && failure === undefined && response.status >= 200 && response.status < 300;
}
