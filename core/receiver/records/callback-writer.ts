// Writes callbacks into app.sqlite, a batch per transaction, with the counters in the same transaction. Only the
// receiver's thread writes; the ids it gives grow by one and are never used again.
import type { DatabaseSync } from 'node:sqlite';
import type { Endpoint, HeaderList } from '@rainbell/contract/app-rpc';
import { pick } from '@rainbell/shared';
import { runInTransaction } from '../../database/transaction.ts';
import { headerOf, pairsOf } from '../../http/http-headers.ts';
import { monitorOfBody, parseJson } from '../checks/monitor-body.ts';
import { decodeAtOnce, textOfBytes } from '../../http/decode-body.ts';
import { type BodyPlace, maxInlineBytes, openBodyFiles } from './body-files.ts';
import {
  outcomeCodes,
  receivedResponse,
  type RecordedOutcome,
  type ResponsePlanned,
} from '../responses/response-outcome.ts';
import type { FeedOrigin } from './stored-callback.ts';
import { fitsPath, pathOf } from '../requests/path-pattern.ts';
import type { MoreRefusals } from '../refusals/refused-requests.ts';
import {
  bufferOf,
  callbackFlags,
  feedCursorName,
  type FeedProgress,
  type ReceivedCallback,
} from '../requests/received-callback.ts';

export type CallbackCounters = { newestId: number; total: number; bytes: number };

export type CallbackWriter = ReturnType<typeof createCallbackWriter>;

/** As JSON; no head of 16 KB is longer. */
const longHeadBytes = 34 * 1024;
/** Longer responses, as JSON, count for the limit of kept bytes. */
const longResponseBytes = 4096;

/** Every change runs in `guard`. */
export function createCallbackWriter(
  db: DatabaseSync,
  endpoints: () => readonly Endpoint[] = () => [],
  guard: <Result>(change: () => Result) => Result = (change) => change(),
) {
  const sql = prepare(db);
  const bodies = openBodyFiles(db);
  let counters = readCounters(db);
  /** Only callbacks up to this one can have been removed. */
  let newestAtRemoval = 0;

  /** Counts for the whole store, and for a named endpoint. */
  function count(next: CallbackCounters, endpointId: string | null, rows: number, bytes: number): void {
    next.total += rows;
    next.bytes += bytes;
    if (endpointId !== null) sql.countOf.run(endpointId, rows, bytes);
  }

  function inTransaction(write: (next: CallbackCounters) => void): void {
    const next = { ...counters };
    runInTransaction(db, () => {
      write(next);
      sql.setCounters.run(next.newestId, next.total, next.bytes);
    });
    counters = next;
  }

  function insertRow(next: CallbackCounters, row: ReceivedCallback, place?: BodyPlace, progress?: FeedProgress): void {
    const endpoint = row.refusal ? undefined : endpoints().find(({ path }) => fitsPath(path, pathOf(row.target)));
    const endpointId = endpoint?.id ?? null;
    const headers = JSON.stringify(row.rawHeaders);
    const headBytes = Buffer.byteLength(headers);
    next.newestId += 1;
    sql.insert.run(next.newestId, endpointId, headers, ...valuesOf(row, place), originOf(row, progress));
    count(next, endpointId, 1, row.body.length + (headBytes > longHeadBytes ? headBytes : 0));
  }

  function remove(ids: readonly number[]): number {
    if (ids.length === 0) return 0;
    const list = JSON.stringify(ids);
    const { total } = counters;
    newestAtRemoval = counters.newestId;
    let files: number[] = [];
    inTransaction((next) => {
      for (const row of sql.held.all(list))
        count(next, row['endpoint_id'] as string | null, -Number(row['total']), -Number(row['bytes']));
      files = sql.filesOf.all(list).map((row) => Number(row['body_file']));
      for (const deletion of sql.deletions) deletion.run(list);
    });
    bodies.drop(files);
    return total - counters.total;
  }

  /** Removes what a statement finds among all callbacks, or among those of one endpoint. */
  function removeOldest(
    statement: (from: string) => string,
    values: Record<string, number>,
    endpoint?: string,
  ): number {
    const [from, of] = endpoint === undefined ? ['TRUE', {}] : ['endpoint_id = :endpoint', { endpoint }];
    const rows = db.prepare(statement(`callbacks WHERE ${from}`)).all({ ...values, ...of });
    return remove(rows.map((row) => Number(row['id'])));
  }

  function append(batch: readonly ReceivedCallback[], progress?: FeedProgress): number {
    const firstId = counters.newestId + 1;
    const long = batch.map(({ body }) => body).filter(isLong);
    const places = bodies.append(long, firstId).values();
    inTransaction((next) => {
      for (const row of batch) insertRow(next, row, isLong(row.body) ? places.next().value : undefined, progress);
      if (progress) {
        const { connectionId, source, cursor } = progress;
        sql.setCursor.run(feedCursorName + connectionId, JSON.stringify({ source, cursor }));
      }
    });
    return firstId;
  }

  /** Those whose events are not stored yet, each event once: the service repeats some after a cursor that it does not know. */
  function newOf(batch: readonly ReceivedCallback[], connectionId: string): ReceivedCallback[] {
    const seen = new Set<string>();
    return batch.filter(({ feedEvent }) => {
      const id = feedEvent?.id ?? '';
      const isNew = !seen.has(id) && !sql.knownEvent.get(id, connectionId);
      seen.add(id);
      return isNew;
    });
  }

  function addOutcome(next: CallbackCounters, outcome: RecordedOutcome): void {
    const { callbackId, kind, planned, endedAfterMs, startedAfterMs, bytesSent, isKeptAlive } = outcome;
    if (callbackId <= newestAtRemoval && !sql.endpointOf.get(callbackId)) return;
    if (planned.isUnplanned) sql.setStatus.run(planned.status, callbackId);
    const response = planned === receivedResponse ? null : toStored(planned);
    const code = outcomeCodes[kind];
    sql.addOutcome.run(callbackId, code, endedAfterMs, startedAfterMs, bytesSent, isKeptAlive ? 1 : 0, response);
    const bytes = Buffer.byteLength(response ?? '');
    const row = bytes > longResponseBytes && sql.endpointOf.get(callbackId);
    if (row) count(next, row['endpoint_id'] as string | null, 0, bytes);
  }

  return {
    get counters(): Readonly<CallbackCounters> {
      return counters;
    },
    /** All or none, on disk when it returns. Returns the first ID. Throws what SQLite throws. */
    append: (batch: readonly ReceivedCallback[]): number => guard(() => append(batch)),
    /** The same for a page of the feed, without the events that are stored already, with where to go on. */
    appendFeed: (batch: readonly ReceivedCallback[], progress: FeedProgress): void =>
      // Only this thread writes, so none is added in the meantime.
      guard(() => void append(newOf(batch, progress.connectionId), progress)),
    /** What became of responses, all or none. */
    recordOutcomes: (outcomes: readonly RecordedOutcome[]): void =>
      guard(() => inTransaction((next) => outcomes.forEach((outcome) => addOutcome(next, outcome)))),
    /** Adds to the newest refused requests with these reasons; returns those of which there is none. */
    addRefusals: (more: readonly MoreRefusals[]): MoreRefusals[] =>
      guard(() =>
        more.filter(({ count: times, lastAt, reason }) => sql.addRefused.run(times, lastAt, reason).changes === 0),
      ),
    /** Removes the oldest callbacks, at most `limit`, of all or of one endpoint; returns how many were removed. */
    dropOldest: (limit: number, endpointId?: string): number =>
      guard(() => removeOldest(oldest, { limit }, endpointId)),
    /**
     * Removes the oldest callbacks up to the last that was received before `instant` without a younger one between. Those dated later
     * than `now`, by a clock that was ahead, count as old as the next one.
     */
    dropOlder: (instant: number, now: number, limit: number, endpointId?: string): number =>
      guard(() => removeOldest(older, { instant, now, limit }, endpointId)),
    remove: (ids: readonly number[]): number => guard(() => remove(ids)),
    /** When the newest was received; undefined if there is none. */
    newestReceivedAt(): number | undefined {
      const row = sql.newestInstant.get();
      return row && Number(row['received_at']);
    },
    endpointCounters: (endpointId: string) => pick(readCounters(db, endpointId), 'total', 'bytes'),
    close: bodies.close,
  };
}

const isLong = ({ length }: Uint8Array) => length > maxInlineBytes;

/** Returns the values of the columns from received_at to body. */
function valuesOf(row: ReceivedCallback, place: BodyPlace | undefined) {
  return [
    row.receivedAt,
    row.method,
    row.target,
    row.httpVersion,
    row.remoteAddress,
    row.answeredStatus,
    flagsOf(row),
    row.body.length,
    row.refusal || place ? null : monitorIdOf(row),
    row.refusal ?? null,
    row.refusal ? 1 : null,
    row.refusal ? row.receivedAt : null,
    row.note || null,
    place?.file ?? null,
    place?.offset ?? null,
    row.rawTrailers && row.rawTrailers.length > 0 ? JSON.stringify(row.rawTrailers) : null,
    row.head === 'usual' ? null : (row.head ?? null),
    place ? Buffer.alloc(0) : bufferOf(row.body),
  ] as const;
}

function originOf({ feedEvent }: ReceivedCallback, progress: FeedProgress | undefined): string | null {
  if (!feedEvent || !progress) return null;
  const { id: eventId, occurredAt } = feedEvent;
  return JSON.stringify({ connectionId: progress.connectionId, eventId, occurredAt } satisfies FeedOrigin);
}

function toStored(planned: ResponsePlanned): string {
  return JSON.stringify(pick(planned, 'action', 'status', 'headers', 'body', 'delayMs', 'rule', 'step', 'isByHand'));
}

const oldest = (from: string) => `SELECT id FROM ${from} ORDER BY id LIMIT :limit`;
/** Looks at one slice only: a store that is all old would otherwise be read whole for each. */
const older = (from: string) =>
  `WITH slice AS (SELECT id, received_at FROM ${from} ORDER BY id LIMIT :limit),
    younger AS (SELECT min(id) AS id FROM slice WHERE received_at BETWEEN :instant AND :now),
    old AS (SELECT max(id) AS id FROM slice WHERE received_at < :instant AND id < coalesce((SELECT id FROM younger), ${Number.MAX_SAFE_INTEGER})),
    next AS (SELECT id, received_at FROM ${from} AND received_at <= :now ORDER BY id LIMIT 1)
    SELECT id FROM slice WHERE id <= coalesce((SELECT id FROM old), (SELECT id FROM next WHERE received_at < :instant)) ORDER BY id`;

const chosen = 'IN (SELECT value FROM json_each(?))';
/** What a row counts for in the limit of kept bytes: its body, a long head, and a long response. */
const storedBytes = `size_bytes + CASE WHEN octet_length(headers) > ${longHeadBytes} THEN octet_length(headers) ELSE 0 END
  + coalesce((SELECT octet_length(response) FROM callback_outcomes
      WHERE callback_id = callbacks.id AND octet_length(response) > ${longResponseBytes}), 0)`;

function prepare(db: DatabaseSync) {
  return {
    insert: db.prepare(
      `INSERT INTO callbacks (id, endpoint_id, headers, received_at, method, target, http_version, remote_address, answered_status, flags,
       size_bytes, monitor_id, refusal, refused_count, refused_last_at, note, body_file, body_offset, trailers, head, body, feed)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    addOutcome: db.prepare(
      `INSERT OR REPLACE INTO callback_outcomes (callback_id, kind, ended_after_ms, begun_after_ms, bytes, is_kept_alive, response)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ),
    setStatus: db.prepare('UPDATE callbacks SET answered_status = ? WHERE id = ?'),
    endpointOf: db.prepare('SELECT endpoint_id FROM callbacks WHERE id = ?'),
    knownEvent: db.prepare(
      `SELECT 1 FROM callbacks WHERE feed IS NOT NULL AND feed ->> 'eventId' = ? AND feed ->> 'connectionId' = ?`,
    ),
    // In the transaction that stores the events, so that a killed process neither loses nor repeats one.
    setCursor: db.prepare('INSERT OR REPLACE INTO documents (name, json) VALUES (?, ?)'),
    setCounters: db.prepare("UPDATE callback_counters SET newest_id = ?, total = ?, bytes = ? WHERE endpoint_id = ''"),
    countOf: db.prepare(
      `INSERT INTO callback_counters (endpoint_id, total, bytes) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET total = total + excluded.total, bytes = bytes + excluded.bytes`,
    ),
    newestInstant: db.prepare('SELECT received_at FROM callbacks ORDER BY id DESC LIMIT 1'),
    addRefused: db.prepare(
      `UPDATE callbacks SET refused_count = refused_count + ?, refused_last_at = max(refused_last_at, ?)
       WHERE id = (SELECT max(id) FROM callbacks WHERE refusal = ?)`,
    ),
    held: db.prepare(
      `SELECT endpoint_id, count(*) AS total, sum(${storedBytes}) AS bytes FROM callbacks WHERE id ${chosen} GROUP BY 1`,
    ),
    filesOf: db.prepare(`SELECT DISTINCT body_file FROM callbacks WHERE id ${chosen} AND body_file IS NOT NULL`),
    deletions: [
      `DELETE FROM callback_outcomes WHERE callback_id ${chosen}`,
      `DELETE FROM callback_sends WHERE callback_id ${chosen}`,
      `DELETE FROM callbacks WHERE id ${chosen}`,
    ].map((deletion) => db.prepare(deletion)),
  };
}

function flagsOf({ head, truncated, isImported, refusal, feedEvent }: ReceivedCallback): number {
  return (
    (head === 'usual' ? callbackFlags.usualHead : 0) |
    (truncated ? callbackFlags.truncated : 0) |
    (isImported ? callbackFlags.imported : 0) |
    (refusal ? callbackFlags.refused : 0) |
    (feedEvent ? callbackFlags.byFeed : 0)
  );
}

/** Reads the counters of the whole store, or of a named endpoint. */
export function readCounters(db: DatabaseSync, endpointId = ''): CallbackCounters {
  const row = db.prepare('SELECT newest_id, total, bytes FROM callback_counters WHERE endpoint_id = ?').get(endpointId);
  const [newestId = 0, total = 0, bytes = 0] = Object.values(row ?? {}).map(Number);
  return { newestId, total, bytes };
}

const openingBrace = 0x7b;
/** How other JSON objects begin: a byte order mark, UTF-16, or white space. */
const otherStarts: ReadonlySet<number> = new Set([openingBrace, 0x00, 0xef, 0xfe, 0xff, 0x20, 0x09, 0x0a, 0x0d]);

/** Of the body as its sender meant it: decoded, if it is encoded. */
function monitorIdOf({ body, rawHeaders, truncated }: ReceivedCallback): string | null {
  const headers = pairsOf(rawHeaders);
  const whole = bufferOf(body);
  const plain = monitorIdIn(whole, headers);
  if (plain !== null || headerOf(headers, 'content-encoding') === undefined) return plain;
  const decoded = decodeAtOnce({ headers, body: whole, truncated }, maxInlineBytes);
  return decoded ? monitorIdIn(decoded, headers) : null;
}

/** The monitor's ID in a JSON object (docs/interface.md §6, docs/events.md), or null. Searches for the member before parsing the body. */
function monitorIdIn(body: Buffer, headers: HeaderList): string | null {
  const isPlain = body[0] === openingBrace && body[1] !== 0;
  if (isPlain ? !body.includes('"id"') : !otherStarts.has(body[0] ?? -1)) return null;
  const monitor = monitorOfBody(parseJson(textOfBytes(body, headerOf(headers, 'content-type') ?? '')));
  return typeof monitor?.['id'] === 'string' ? monitor['id'].slice(0, 200) : null;
}
