// The log of all HTTP exchanges in app.sqlite, bounded by number and bytes, masked before it is kept. Writing waits a moment,
// so that a burst of calls costs one write.
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { z } from 'zod';
import { type Clock, formatInstant, pick } from '@rainbell/shared';
import {
  appProblemSchema,
  headerListSchema,
  type TrafficEntry,
  type TrafficSummary,
  trafficSummarySchema,
} from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import type { ConnectionProfile } from '../connection/connection.ts';
import type { ObservedRequest } from '../http/http-sender.ts';
import { createLockRetry } from '../database/lock-retry.ts';
import { runInTransaction } from '../database/transaction.ts';
import type { Log } from '../ports/log.ts';
import { type NumberedRecord, passes, type TrafficFilter } from './traffic-filter.ts';
import { toRecord } from './traffic-record.ts';
import { createTrafficBuffer } from './traffic-buffer.ts';

export type TrafficLog = ReturnType<typeof createTrafficLog>;

export type TrafficLimits = { entries: number; bytes: number };
export const trafficLimits: TrafficLimits = { entries: 2000, bytes: 64 * 1024 * 1024 };

type TrafficLogOptions = {
  db: DatabaseSync;
  clock: Clock;
  log: Log;
  limits?: TrafficLimits;
  onChanged: (newestId: number) => void;
};

const writeDelayMs = 250;
/** While the database is locked or its disk is full. */
const retryDelayMs = 2000;

export function createTrafficLog({ db, clock, log, limits = trafficLimits, onChanged }: TrafficLogOptions) {
  const counted = countersSchema.parse(db.prepare(countersSql).get());
  let { newestId, total, bytes } = counted;
  const buffer = createTrafficBuffer();
  const retryLocked = createLockRetry(db);
  let cancelWrite: (() => void) | undefined;
  let isStuck = false;
  let isClosed = false;
  const insert = db.prepare(insertSql);
  const listed = db.prepare(listedSql);

  /** A failure loses nothing: the calls themselves went well, and their records wait on. */
  function flush(): void {
    cancelWrite?.();
    cancelWrite = undefined;
    if (buffer.all().length === 0) return;
    const before = { total, bytes };
    try {
      retryLocked(() =>
        runInTransaction(db, () => {
          for (const record of buffer.all()) insert.run(...rowOf(record));
          prune();
        }),
      );
      buffer.empty();
      if (isStuck) log.info({}, 'the traffic log can be written to again');
      isStuck = false;
    } catch (error) {
      ({ total, bytes } = before);
      // Said once, not every two seconds.
      if (!isStuck) log.warn({ err: error, waiting: buffer.all().length }, 'the traffic log cannot be written to');
      isStuck = true;
      cancelWrite = clock.after(retryDelayMs, flush);
    }
  }

  /** Screens do not wait for a write that is known to fail. */
  function flushUnlessStuck(): void {
    if (!isStuck) flush();
  }

  function drop(dropped: readonly NumberedRecord[]): void {
    if (dropped.length === 0) return;
    total -= dropped.length;
    bytes -= dropped.reduce((sum, { storedBytes }) => sum + storedBytes, 0);
    log.warn(
      { lost: dropped.length },
      'too many requests are waiting to be written to the traffic log; the oldest were dropped',
    );
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

  /** What waits to be written, and then what is on disk. */
  function* newestFirst({ beforeId = Number.MAX_SAFE_INTEGER, includesBackground }: TrafficFilter) {
    yield* buffer.all().toReversed();
    for (const row of listed.iterate(beforeId, includesBackground ? 1 : 0)) yield listedRowSchema.parse(row);
  }

  return {
    /** Returns the ID of the stored exchange; undefined if it is not stored. */
    record(profile: Pick<ConnectionProfile, 'id' | 'name'>, observed: ObservedRequest): number | undefined {
      // An exchange that ends after the app did has no file to go to any more.
      if (isClosed) return undefined;
      if (observed.request.logged === 'on failure' && isSuccess(observed)) return undefined;
      newestId += 1;
      const record = { ...toRecord(profile, observed), id: newestId };
      total += 1;
      bytes += record.storedBytes;
      drop(buffer.add(record));
      cancelWrite ??= clock.after(writeDelayMs, flush);
      onChanged(newestId);
      return record.id;
    },
    list(filter: TrafficFilter): { items: TrafficSummary[]; total: number; newestId: number } {
      flushUnlessStuck();
      const items: TrafficSummary[] = [];
      for (const record of newestFirst(filter)) {
        if (passes(record, filter)) items.push(summaryOf(record));
        if (items.length === filter.limit) break;
      }
      return { items, total, newestId };
    },
    get(id: number): TrafficEntry {
      flushUnlessStuck();
      const unwritten = buffer.all().find((record) => record.id === id);
      if (unwritten) return entryOf(unwritten);
      const row = db.prepare(`SELECT ${named(columns)} FROM exchanges WHERE id = ?`).get(id);
      if (!row) throw new AppFailure('NOT_FOUND', `Request ${id} is no longer in the log.`, { field: 'id' });
      const { lookedUpMs, connectedMs, securedMs, ...read } = wholeRowSchema.parse(row);
      return entryOf({ ...read, steps: { lookedUpMs, connectedMs, securedMs } });
    },
    clear() {
      // So that the file knows the newest id, which is never used again.
      flushUnlessStuck();
      try {
        retryLocked(() => db.exec('DELETE FROM exchanges'));
      } catch (error) {
        throw new AppFailure(
          'STORAGE',
          'The log couldn’t be deleted: another program has locked the app’s database, or the disk is full. Try again later.',
          {},
          { cause: error },
        );
      }
      buffer.empty();
      isStuck = false;
      total = 0;
      bytes = 0;
      onChanged(newestId);
    },
    newestId: (): number => newestId,
    close() {
      flush();
      cancelWrite?.();
      isClosed = true;
    },
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
/** Most rows are of the background: to read all of them for each list would take 20 ms. */
const listedSql = `SELECT ${named(`${summaryColumns}, problem`)} FROM exchanges WHERE id < ?
  AND (? OR NOT is_background OR status IS NULL OR status >= 400 OR problem IS NOT NULL) ORDER BY id DESC`;
const insertSql = `INSERT INTO exchanges (${columns})
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** Named as the fields of a record: `took_ms AS tookMs`. */
function named(list: string): string {
  const fieldOf = (column: string) => column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return list.replaceAll(/\w+/g, (column) => `${column} AS ${fieldOf(column)}`);
}

function rowOf(record: NumberedRecord): SQLInputValue[] {
  return [
    record.id,
    record.at,
    record.connectionId,
    record.connectionName,
    record.kind,
    record.isBackground ? 1 : 0,
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

const flag = z.number().transform((value) => value === 1);
const summaryRowSchema = trafficSummarySchema.extend({ at: z.number(), isBackground: flag });
const listedRowSchema = summaryRowSchema.extend({ problem: z.string().nullable() });

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

type Summarized = Pick<NumberedRecord, Exclude<keyof TrafficSummary, 'at'>> & { at: number };

function summaryOf(record: Summarized): TrafficSummary {
  const { id, at, connectionId, connectionName, kind, isBackground, method, url, status, tookMs, sizeBytes } = record;
  const who = { connectionId, connectionName, kind, isBackground };
  return { id, at: formatInstant(at), ...who, method, url, status, tookMs, sizeBytes };
}

function entryOf(record: Omit<NumberedRecord, 'storedBytes'>): TrafficEntry {
  return {
    ...summaryOf(record),
    ...pick(record, 'requestHeaders', 'requestBody', 'responseHeaders', 'responseBody', 'truncated', 'problem'),
    timing: { ...record.steps, firstByteMs: record.firstByteMs, totalMs: record.tookMs },
  };
}

function isSuccess({ response, failure }: ObservedRequest): boolean {
  return response !== undefined && failure === undefined && response.status >= 200 && response.status < 300;
}
