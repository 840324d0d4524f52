// Writes callbacks into app.sqlite, a batch per transaction, with the counters in the same transaction. Only the
// receiver's thread writes; the ids it gives grow by one and are never used again.
import type { DatabaseSync } from 'node:sqlite';
import type { Endpoint, HeaderList } from '@rainbell/contract/app-rpc';
import { headerOf } from '../../http/http-headers.ts';
import { decodeAtOnce, textOfBytes } from '../requests/decode-body.ts';
import { createCallbackRemoval, longHeadBytes } from './callback-removal.ts';
import { createCallbackCounts } from './callback-counts.ts';
import { maxInlineBytes, openBodySegments, type BodyPlace } from './body-segments.ts';
import { createOutcomeStore } from './outcome-store.ts';
import type { RecordedOutcome } from '../responses/response-outcome.ts';
import { rebuildHead } from '../requests/head-capture.ts';
import { createRefusalRows } from '../refusals/refusal-rows.ts';
import { createFeedStore } from './feed-store.ts';
import {
  callbackFlags,
  pairsOf,
  wholeBody,
  type FeedProgress,
  type ReceivedCallback,
} from '../requests/received-callback.ts';

export type CallbackCounters = { newestId: number; total: number; bytes: number };

export type CallbackWriter = ReturnType<typeof createCallbackWriter>;

export function createCallbackWriter(db: DatabaseSync, endpoints: () => readonly Endpoint[] = () => []) {
  const sql = prepare(db);
  const segments = openBodySegments(db);
  const removeRows = createCallbackRemoval(db);
  const counts = createCallbackCounts(db, endpoints);
  const outcomeStore = createOutcomeStore(db);
  const refusals = createRefusalRows(db);
  const feed = createFeedStore(db);
  let counters = readCounters(db);

  function inTransaction(write: (next: CallbackCounters) => void): void {
    const next = { ...counters };
    db.exec('BEGIN IMMEDIATE');
    try {
      write(next);
      sql.setCounters.run(next.newestId, next.total, next.bytes);
      db.exec('COMMIT');
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      outcomeStore.clearResponses();
      throw error;
    }
    counters = next;
  }

  /** Returns the bytes that count for the limit of kept bytes. */
  function insertRow(id: number, row: ReceivedCallback, place: BodyPlace | undefined): number {
    const headers = JSON.stringify(row.rawHeaders);
    const isDefaultHead = row.head !== undefined && row.head.equals(rebuildHead(row));
    sql.insert.run(
      id,
      row.receivedAt,
      row.method,
      row.target,
      row.httpVersion,
      row.remoteAddress,
      row.answeredStatus,
      flagsOf(row) | (isDefaultHead ? callbackFlags.defaultHead : 0) | (place ? callbackFlags.inSegment : 0),
      row.body.length,
      row.refusal || row.body.length > maxMonitorBytes ? null : monitorIdOf(row),
      headers,
      place ? noBytes : wholeBody(row.body),
    );
    if (place) sql.setPlace.run(id, place.segment, place.offset);
    if (row.head && !isDefaultHead) sql.addHead.run(id, row.head);
    if (row.rawTrailers && row.rawTrailers.length > 0) sql.addTrailers.run(id, JSON.stringify(row.rawTrailers));
    if (row.note) db.prepare('INSERT INTO callback_notes (callback_id, note) VALUES (?, ?)').run(id, row.note);
    if (row.refusal) refusals.add(id, row.refusal, row.receivedAt);
    const headBytes = Buffer.byteLength(headers);
    return row.body.length + (headBytes > longHeadBytes ? headBytes : 0);
  }

  function remove(ids: readonly number[]): number {
    if (ids.length === 0) return 0;
    let deleted = 0;
    let emptied: readonly number[] = [];
    inTransaction((next) => {
      const removed = removeRows(ids);
      emptied = removed.segments;
      deleted = removed.total;
      next.total -= removed.total;
      next.bytes -= removed.bytes;
    });
    segments.drop(emptied);
    outcomeStore.clearResponses();
    refusals.recount();
    return deleted;
  }

  function append(
    batch: readonly ReceivedCallback[],
    outcomes: readonly RecordedOutcome[],
    writeMore?: (firstId: number) => void,
  ): number {
    const places = placeBodies(segments, batch);
    const firstId = counters.newestId + 1;
    inTransaction((next) => {
      outcomeStore.add(outcomes);
      for (const row of batch) {
        next.newestId += 1;
        next.total += 1;
        next.bytes += insertRow(next.newestId, row, places.get(row));
      }
      counts.add(batch, firstId);
      writeMore?.(firstId);
    });
    segments.confirm();
    remove(refusals.excess());
    return firstId;
  }

  return {
    get counters(): Readonly<CallbackCounters> {
      return counters;
    },
    /** All or none, on disk when it returns: callbacks, and outcomes of earlier ones. Returns the first ID. Throws what SQLite throws. */
    append: (batch: readonly ReceivedCallback[], outcomes: readonly RecordedOutcome[] = []): number =>
      append(batch, outcomes),
    /** The same for a page of the feed, without the events that are stored already, with where to go on. */
    appendFeed(batch: readonly ReceivedCallback[], progress: FeedProgress) {
      // Only this thread writes, so none is added in the meantime.
      const rows = feed.newOf(batch, progress.connectionId);
      append(rows, [], (firstId) => feed.add(rows, firstId, progress));
    },
    /** Adds to the newest refused requests with these reasons. */
    addRefusals: refusals.addCounts,
    /** Removes the oldest callbacks, at most `count`, of all or of one endpoint; returns how many were removed. */
    dropOldest(count: number, endpointId?: string): number {
      const rows = endpointId === undefined ? sql.oldest.all(count) : sql.oldestOf.all(endpointId, count);
      return remove(rows.map((row) => Number(row['id'])));
    },
    /** Removes these and returns how many existed. */
    remove,
    /** When the newest was received; undefined if there is none. */
    newestReceivedAt(): number | undefined {
      const row = sql.newestInstant.get();
      return row && Number(row['received_at']);
    },
    /**
     * Counts the oldest callbacks, at most `limit`, of all or of one endpoint, up to the last that was received before `instant`
     * without a younger one between. Those dated later than `now`, by a clock that was ahead, count as old as the next one.
     */
    countOlder(instant: number, now: number, limit: number, endpointId?: string): number {
      const first = endpointId === undefined ? sql.oldestInstant.get(now) : sql.oldestInstantOf.get(endpointId, now);
      if (!first || Number(first['received_at']) >= instant) return 0;
      const rows = endpointId === undefined ? sql.instants.all(limit) : sql.instantsOf.all(endpointId, limit);
      const received = rows.map((row) => Number(row['received_at']));
      return countOld(received, instant, now);
    },
    /** What a named endpoint holds. */
    endpointCounters(endpointId: string): { total: number; bytes: number } {
      const row = sql.countersOf.get(endpointId);
      return { total: Number(row?.['total'] ?? 0), bytes: Number(row?.['bytes'] ?? 0) };
    },
    close: segments.close,
  };
}

/** Long bodies are on disk before the rows that name them. */
function placeBodies(
  segments: ReturnType<typeof openBodySegments>,
  batch: readonly ReceivedCallback[],
): Map<ReceivedCallback, BodyPlace> {
  const long = batch.filter(({ body }) => body.length > maxInlineBytes);
  const places = segments.append(long.map(({ body }) => body));
  return new Map(long.map((row, index) => [row, places[index] ?? { segment: 0, offset: 0 }]));
}

function countOld(received: readonly number[], instant: number, now: number): number {
  const firstYounger = received.findIndex((at) => at >= instant && at <= now);
  const run = firstYounger === -1 ? received : received.slice(0, firstYounger);
  // A whole slice dated later than now goes with the older one behind it.
  const last = run.findLastIndex((at) => at < instant);
  return last === -1 ? run.length : last + 1;
}

function prepare(db: DatabaseSync) {
  return {
    insert: db.prepare(
      `INSERT INTO callbacks (id, received_at, method, target, http_version, remote_address, answered_status, flags,
       size_bytes, monitor_id, headers, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    setCounters: db.prepare('UPDATE callback_counters SET newest_id = ?, total = ?, bytes = ?'),
    oldest: db.prepare('SELECT id FROM callbacks ORDER BY id LIMIT ?'),
    oldestOf: db.prepare(
      'SELECT callback_id AS id FROM endpoint_callbacks WHERE endpoint_id = ? ORDER BY callback_id LIMIT ?',
    ),
    oldestInstant: db.prepare('SELECT received_at FROM callbacks WHERE received_at <= ? ORDER BY id LIMIT 1'),
    oldestInstantOf: db.prepare(
      'SELECT received_at FROM endpoint_callbacks WHERE endpoint_id = ? AND received_at <= ? ORDER BY callback_id LIMIT 1',
    ),
    instants: db.prepare('SELECT received_at FROM callbacks ORDER BY id LIMIT ?'),
    instantsOf: db.prepare(
      'SELECT received_at FROM endpoint_callbacks WHERE endpoint_id = ? ORDER BY callback_id LIMIT ?',
    ),
    newestInstant: db.prepare('SELECT received_at FROM callbacks ORDER BY id DESC LIMIT 1'),
    countersOf: db.prepare('SELECT total, bytes FROM endpoint_counters WHERE endpoint_id = ?'),
    setPlace: db.prepare('INSERT INTO callback_bodies (callback_id, segment, offset) VALUES (?, ?, ?)'),
    addTrailers: db.prepare('INSERT INTO callback_trailers (callback_id, trailers) VALUES (?, ?)'),
    addHead: db.prepare('INSERT INTO callback_heads (callback_id, head) VALUES (?, ?)'),
  };
}

const noBytes = Buffer.alloc(0);

function flagsOf({ truncated, isImported, refusal, feedEvent }: ReceivedCallback): number {
  return (
    (truncated ? callbackFlags.truncated : 0) |
    (isImported ? callbackFlags.imported : 0) |
    (refusal ? callbackFlags.refused : 0) |
    (feedEvent ? callbackFlags.byFeed : 0)
  );
}

/** The counters as stored. */
export function readCounters(db: DatabaseSync): CallbackCounters {
  const row = db.prepare('SELECT newest_id, total, bytes FROM callback_counters').get();
  return { newestId: Number(row?.['newest_id']), total: Number(row?.['total']), bytes: Number(row?.['bytes']) };
}

const openingBrace = 0x7b;
/** How other JSON objects begin: a byte order mark, UTF-16, or white space. */
const otherStarts: ReadonlySet<number> = new Set([openingBrace, 0x00, 0xef, 0xfe, 0xff, 0x20, 0x09, 0x0a, 0x0d]);

/** A Monitor with the longest callback address is a quarter of this; a longer body is not parsed while its sender waits. */
const maxMonitorBytes = 16 * 1024;

/** Of the body as its sender meant it: decoded, if it is encoded. */
function monitorIdOf({ body, rawHeaders, truncated }: ReceivedCallback): string | null {
  const headers = pairsOf(rawHeaders);
  const whole = wholeBody(body);
  const plain = monitorIdIn(whole, headers);
  if (plain !== null || headerOf(headers, 'content-encoding') === undefined) return plain;
  const decoded = decodeAtOnce({ headers, body: whole, truncated }, maxMonitorBytes);
  return decoded ? monitorIdIn(decoded, headers) : null;
}

/** The `id` of a JSON object; null if the body is something else. Searches for the member before it parses the body. */
function monitorIdIn(body: Buffer, headers: HeaderList): string | null {
  const isPlain = body[0] === openingBrace && body[1] !== 0;
  if (isPlain ? !body.includes('"id"') : !otherStarts.has(body[0] ?? -1)) return null;
  try {
    const value: unknown = JSON.parse(textOfBytes(body, headerOf(headers, 'content-type') ?? ''));
    return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string'
      ? value.id.slice(0, 200)
      : null;
  } catch {
    return null;
  }
}
