// Reads stored callbacks by key (never by offset), so the millionth page is as quick as the first. Those that are hidden
// until their deletion is final are left out.
import type { DatabaseSync } from 'node:sqlite';
import {
  type Callback,
  type CallbackOutcome,
  type CallbackRefusal,
  type CallbackResponse,
  type CallbackSummary,
  type HeaderList,
  type OutcomeKind,
  refusalReasons,
} from '@rainbell/contract/app-rpc';
import { formatInstant } from '@rainbell/shared';
import { readBody } from './body-segments.ts';
import { createFeedOriginReader, type FeedOrigin } from './feed-store.ts';
import { rebuildHead } from '../requests/head-capture.ts';
import { callbackFlags, pairsOf } from '../requests/received-callback.ts';
import { byHandAction, packedEnd, packedOutcome, unpackOutcome } from './outcome-store.ts';
import {
  headBytes,
  headersOf,
  outcomeCodes,
  receivedResponse,
  type ResponsePlanned,
} from '../responses/response-outcome.ts';

export type LastCallback = { id: number; receivedAt: string };

/** What a list shows of a callback, before it is validated. */
export type StoredSummary = Omit<
  CallbackSummary,
  'verdict' | 'verdictName' | 'kind' | 'isMonitorOwn' | 'sender' | 'eventType'
>;

/** A callback as stored, before it is checked. */
export type StoredCallback = StoredSummary &
  Pick<Callback, 'httpVersion' | 'headers' | 'trailers' | 'truncated' | 'note'> & {
    /** Read when they are called, because a search needs none. */
    answer: () => CallbackResponse | null;
    head: () => Callback['head'];
    body: Buffer;
    /** The store no longer has the whole body that was received. */
    isBodyLost: boolean;
    /** Set if received by the feed. */
    feed: FeedOrigin | undefined;
  };

/** What a verdict is made from. */
export type CallbackToValidate = Pick<
  StoredCallback,
  | 'id'
  | 'receivedAt'
  | 'method'
  | 'target'
  | 'headers'
  | 'body'
  | 'truncated'
  | 'isBodyLost'
  | 'monitorId'
  | 'isImported'
  | 'feed'
>;

/** How many callbacks of the same monitor to compare with one. */
export const earlierLimit = 20;

/** Which rows of the store; both ends are left out themselves. */
export type RowRange = { beforeId?: number | undefined; afterId?: number | undefined };

/** A condition of SQL over the columns of `filterColumns`, with its values. */
export type RowFilter = { sql: string; values: readonly (string | number)[] };

export type CallbackPages = ReturnType<typeof createCallbackPages>;

const summaryColumns = `id, received_at, method, target, remote_address, size_bytes, answered_status, monitor_id, http_version,
  flags, (SELECT note FROM callback_notes WHERE callback_notes.callback_id = callbacks.id) AS note,
  outcomes.kind AS outcome, ended_after_ms, begun_after_ms, bytes, is_kept_alive, answer_id,
  ${packedOutcome} AS packed,
  refusals.reason, refusals.count AS refusal_count, refusals.last_at,
  callbacks.id > (SELECT outcomes_from FROM outcome_start) AS awaits_outcome`;
/** What the conditions of a RowFilter are about. */
export const callbackTable = `callbacks LEFT JOIN callback_outcomes AS outcomes ON outcomes.callback_id = callbacks.id
  LEFT JOIN callback_refusals AS refusals ON refusals.callback_id = callbacks.id`;
const place = `segment, offset, (SELECT trailers FROM callback_trailers WHERE callback_trailers.callback_id = callbacks.id) AS trailers,
  (SELECT head FROM callback_heads WHERE callback_heads.callback_id = callbacks.id) AS head`;
const withPlace = `${callbackTable} LEFT JOIN callback_bodies ON callback_bodies.callback_id = callbacks.id`;
const wholeColumns = `${summaryColumns}, headers, body, ${place}`;
/** Enough for every check. */
export const validatedBytes = 65_537;
/** A condition on `callbacks.id`. */
export const isShown =
  'NOT EXISTS (SELECT 1 FROM callback_deletions WHERE callback_deletions.callback_id = callbacks.id)';
const inRange = `id < ? AND id > ? AND ${isShown}`;

/** Finds all. */
export const everyRow: RowFilter = { sql: 'TRUE', values: [] };

export function createCallbackPages(db: DatabaseSync) {
  const page = db.prepare(
    `SELECT ${summaryColumns} FROM ${callbackTable} WHERE id < ? AND ${isShown} ORDER BY id DESC LIMIT ?`,
  );
  const file = db.location() ?? '';
  const one = db.prepare(`SELECT ${wholeColumns} FROM ${withPlace} WHERE id = ? AND ${isShown}`);
  const toValidate = db.prepare(
    `SELECT id, received_at, method, target, flags, size_bytes, monitor_id, headers, substr(body, 1, ${validatedBytes}) AS body, segment, offset
     FROM callbacks LEFT JOIN callback_bodies ON callback_bodies.callback_id = callbacks.id WHERE id = ? AND ${isShown}`,
  );
  const ids = db.prepare(`SELECT id FROM callbacks WHERE ${inRange} ORDER BY id DESC LIMIT ?`);
  const newest = db.prepare(
    `SELECT id, received_at FROM callbacks WHERE monitor_id = ? AND NOT (flags & ${callbackFlags.byFeed}) AND ${isShown}
     ORDER BY id DESC LIMIT 1`,
  );
  // One value is quicker to read than many rows.
  const earlier = db.prepare(
    `SELECT json_group_array(id) AS ids FROM
       (SELECT id FROM callbacks WHERE monitor_id = ? AND id < ? ORDER BY id DESC LIMIT ${earlierLimit})`,
  );
  const responses = createResponseReader(db);
  const feedOriginOf = createFeedOriginReader(db);
  const toWhole = (row: Row) => toCallback(row, file, responses, feedOriginOf);
  const lost = db.prepare('SELECT 1 FROM lost_callbacks WHERE first_id < ? AND last_id > ? LIMIT 1');
  // They are noted before the app opens the database.
  const hasLost = db.prepare('SELECT 1 FROM lost_callbacks LIMIT 1').get() !== undefined;
  // One statement sees one moment.
  const counts = db.prepare(
    'SELECT newest_id, total - (SELECT count(*) FROM callback_deletions) AS total FROM callback_counters',
  );
  return {
    /** Of what is shown, as it is stored at this moment. */
    counts(): { newestId: number; total: number } {
      const row = counts.get();
      return { newestId: Number(row?.['newest_id']), total: Number(row?.['total']) };
    },
    page: ({ beforeId, limit }: { beforeId: number | undefined; limit: number }): StoredSummary[] =>
      page.all(beforeId ?? Number.MAX_SAFE_INTEGER, limit).map(toSummary),
    get(id: number): StoredCallback | undefined {
      const row = one.get(id);
      return row && toWhole(row);
    },
    /** Of a long body only its first 64 KB and a byte. */
    toValidate(id: number): (CallbackToValidate & { isRefused: boolean }) | undefined {
      const row = toValidate.get(id);
      return row && toCallbackToValidate(row, file, feedOriginOf);
    },
    /** Whole rows one after the other, newest first unless `oldestFirst`. Read on while nothing else is written. */
    *rows(
      range: RowRange,
      order: 'newestFirst' | 'oldestFirst' = 'newestFirst',
      filter: RowFilter = everyRow,
    ): Iterable<StoredCallback> {
      // A statement of its own, because a second reader of the same one would end the first.
      const sql = `SELECT ${wholeColumns} FROM ${withPlace} WHERE ${inRange} AND ${filter.sql} ORDER BY id ${order === 'newestFirst' ? 'DESC' : 'ASC'}`;
      for (const row of db.prepare(sql).iterate(...bounds(range), ...filter.values)) yield toWhole(row);
    },
    /** How many rows there are. */
    count: (range: RowRange, filter: RowFilter): number =>
      Number(
        db
          .prepare(`SELECT count(*) AS count FROM ${callbackTable} WHERE ${inRange} AND ${filter.sql}`)
          .get(...bounds(range), ...filter.values)?.['count'],
      ),
    /** All IDs, ordered by an SQL expression over the columns of `filterColumns`; newest first among equal ones. */
    sortedIds: (range: RowRange, filter: RowFilter, key: string): number[] =>
      db
        .prepare(`SELECT id FROM ${callbackTable} WHERE ${inRange} AND ${filter.sql} ORDER BY ${key}, id DESC`)
        .all(...bounds(range), ...filter.values)
        .map((row) => Number(row['id'])),
    /** IDs up to `limit`, newest first. */
    idsIn: (range: RowRange, limit: number): number[] =>
      ids.all(...bounds(range), limit).map((row) => Number(row['id'])),
    /** IDs of previous callbacks of the same monitor, newest first, at most `earlierLimit`. */
    earlierOf: ({ id, monitorId }: Pick<StoredSummary, 'id' | 'monitorId'>): number[] =>
      monitorId === null ? [] : (JSON.parse(String(earlier.get(monitorId, id)?.['ids'])) as number[]),
    /** Whether an earlier callback has the same event and came the other way: by the feed, or as a request. */
    hasOtherWay: createOtherWay(db),
    /** Whether callbacks between these two were lost when the store was damaged. */
    hasLostBetween: (earlierId: number, laterId: number): boolean =>
      hasLost && lost.get(laterId, earlierId) !== undefined,
    /** The newest callback with this monitor's ID in its body, except those received by the feed. */
    newestOf(monitorId: string): LastCallback | null {
      const row = newest.get(monitorId);
      return row ? { id: Number(row['id']), receivedAt: formatInstant(Number(row['received_at'])) } : null;
    },
  };
}

function createOtherWay(db: DatabaseSync) {
  const byFeed = db.prepare('SELECT 1 FROM feed_events WHERE event_id = ? AND callback_id < ? LIMIT 1');
  // The two copies arrive seconds apart, unless one is delayed by hours; then they are not handled at the same time.
  const asRequest = db.prepare(
    `SELECT 1 FROM (SELECT headers, flags FROM callbacks WHERE monitor_id = ? AND id < ? ORDER BY id DESC LIMIT ${earlierLimit})
     WHERE instr(headers, ?) > 0 AND NOT (flags & ${noResponseFlags})`,
  );
  return ({ id, monitorId, headers, feed }: CallbackToValidate): boolean => {
    const eventId = headers.find(([name]) => name.toLowerCase() === 'webhook-id')?.[1];
    if (feed) return asRequest.get(monitorId, id, JSON.stringify(feed.eventId)) !== undefined;
    const isReplay = headers.some(([name]) => name.toLowerCase() === 'x-rainbell-replay');
    return eventId !== undefined && !isReplay && byFeed.get(eventId, id) !== undefined;
  };
}

function bounds({ beforeId, afterId }: RowRange): [number, number] {
  return [beforeId ?? Number.MAX_SAFE_INTEGER, afterId ?? 0];
}

type Row = Record<string, unknown>;

function toSummary(row: Row): StoredSummary {
  const receivedAt = Number(row['received_at']);
  const outcome = outcomeOf(row, receivedAt);
  return {
    id: Number(row['id']),
    receivedAt: formatInstant(receivedAt),
    method: String(row['method']),
    target: String(row['target']),
    remoteAddress: String(row['remote_address']),
    sizeBytes: Number(row['size_bytes']),
    answeredStatus: hasNoResponse(outcome.kind) ? 0 : Number(row['answered_status']),
    outcome,
    refusal: refusalOf(row),
    monitorId: row['monitor_id'] as string | null,
    hasNote: row['note'] !== null,
    isImported: (Number(row['flags']) & callbackFlags.imported) !== 0,
    isByFeed: isByFeed(row),
  };
}

function isByFeed(row: Row): boolean {
  return (Number(row['flags']) & callbackFlags.byFeed) !== 0;
}

/** Known to have had no whole response. */
function hasNoResponse(kind: OutcomeKind): boolean {
  return kind === 'closed' || kind === 'reset' || kind === 'aborted' || kind === 'dropped';
}

const kindOfCode = new Map<number, OutcomeKind>(
  Object.entries(outcomeCodes).map(([kind, code]) => [code, kind as OutcomeKind]),
);

function unpackedIn(row: Row): ReturnType<typeof unpackOutcome> | undefined {
  return row['outcome'] === null && row['packed'] instanceof Uint8Array ? unpackOutcome(row['packed']) : undefined;
}

/** Every date has the same length. */
const plainBytes = {
  keptAlive: headBytes(200, headersOf(receivedResponse, 0, true).flat()),
  closed: headBytes(200, headersOf(receivedResponse, 0, false).flat()),
};

function outcomeOf(row: Row, receivedAt: number): CallbackOutcome {
  const flags = Number(row['flags']);
  const plain = unpackedIn(row);
  if (plain) {
    const afterMs = plain.endedAfterMs;
    const bytesSent = plain.isKeptAlive ? plainBytes.keptAlive : plainBytes.closed;
    return { kind: 'answered', at: formatInstant(receivedAt + afterMs), afterMs, bytesSent };
  }
  const kind = kindOfCode.get(Number(row['outcome'] ?? 0));
  if (!kind) {
    const none = { at: null, afterMs: null, bytesSent: null };
    if ((flags & callbackFlags.refused) !== 0) return { kind: 'refused', ...none };
    const isWaiting = row['awaits_outcome'] === 1 && (flags & noResponseFlags) === 0;
    return { kind: isWaiting ? 'waiting' : 'unrecorded', ...none };
  }
  const afterMs = Number(row['ended_after_ms']);
  return { kind, at: formatInstant(receivedAt + afterMs), afterMs, bytesSent: row['bytes'] as number | null };
}

function refusalOf(row: Row): CallbackRefusal | null {
  const reason = refusalReasons.find((known) => known === row['reason']);
  return reason ? { reason, count: Number(row['refusal_count']), lastAt: formatInstant(Number(row['last_at'])) } : null;
}

type FeedOriginReader = ReturnType<typeof createFeedOriginReader>;
type ResponseReader = (row: Row) => CallbackResponse | null;

function createResponseReader(db: DatabaseSync): ResponseReader {
  const one = db.prepare('SELECT * FROM callback_answers WHERE id = ?');
  return (row) => {
    const plain = unpackedIn(row);
    const receivedAt = Number(row['received_at']);
    if (plain) {
      const headers = headersOf(receivedResponse, receivedAt + plain.startedAfterMs, plain.isKeptAlive);
      return { ...receivedResponse, headers };
    }
    if (row['outcome'] === null) return null;
    const stored = row['answer_id'] === null ? undefined : one.get(Number(row['answer_id']));
    if (row['answer_id'] !== null && !stored) return null;
    const planned = stored ? toPlanned(stored) : receivedResponse;
    if (planned.action !== 'answer') return { ...planned, headers: [] };
    // A response that was not started has the headers of the plan only.
    const headers =
      row['begun_after_ms'] === null
        ? planned.headers.map(([name, value]): [string, string] => [name, value])
        : headersOf(planned, receivedAt + Number(row['begun_after_ms']), row['is_kept_alive'] === 1);
    return { ...planned, headers };
  };
}

function toPlanned(row: Row): ResponsePlanned {
  return {
    ...(row['action'] === byHandAction
      ? { action: 'answer', isByHand: true }
      : { action: row['action'] as ResponsePlanned['action'] }),
    status: row['status'] as number | null,
    headers: JSON.parse(String(row['headers'])) as [string, string][],
    body: String(row['body']),
    delayMs: Number(row['delay_ms']),
    rule: row['rule'] as string | null,
    step: row['step'] as number | null,
  };
}

function toCallbackToValidate(
  row: Row,
  file: string,
  feedOriginOf: FeedOriginReader,
): CallbackToValidate & { isRefused: boolean } {
  return {
    id: Number(row['id']),
    receivedAt: formatInstant(Number(row['received_at'])),
    method: String(row['method']),
    target: String(row['target']),
    headers: headersIn(row['headers']),
    monitorId: row['monitor_id'] as string | null,
    isRefused: (Number(row['flags']) & callbackFlags.refused) !== 0,
    isImported: (Number(row['flags']) & callbackFlags.imported) !== 0,
    feed: isByFeed(row) ? feedOriginOf(Number(row['id'])) : undefined,
    ...bodyIn(row, file, validatedBytes),
  };
}

function toCallback(
  row: Row,
  file: string,
  responseOf: ResponseReader,
  feedOriginOf: FeedOriginReader,
): StoredCallback {
  return {
    ...toSummary(row),
    feed: isByFeed(row) ? feedOriginOf(Number(row['id'])) : undefined,
    ...bodyIn(row, file, Infinity),
    httpVersion: String(row['http_version']),
    headers: headersIn(row['headers']),
    trailers: row['trailers'] === null ? [] : headersIn(row['trailers']),
    answer: () => responseOf(row),
    head: () => headOf(row),
    note: (row['note'] as string | null) ?? '',
  };
}

function headOf(row: Row): Callback['head'] {
  const flags = Number(row['flags']);
  if ((flags & callbackFlags.refused) !== 0) return null;
  const stored = row['head'] as Uint8Array | null;
  const head = stored
    ? Buffer.from(stored)
    : rebuildHead({
        method: String(row['method']),
        target: String(row['target']),
        httpVersion: String(row['http_version']),
        rawHeaders: JSON.parse(String(row['headers'])) as string[],
      });
  return {
    base64: head.toString('base64'),
    isExact: stored !== null || (flags & callbackFlags.defaultHead) !== 0,
  };
}

function bodyIn(row: Row, file: string, longest: number): Pick<StoredCallback, 'body' | 'truncated' | 'isBodyLost'> {
  const body = bodyOf(row, file, longest);
  const isBodyLost = body === undefined || body.length < Math.min(Number(row['size_bytes']), longest);
  return {
    body: body ?? Buffer.alloc(0),
    // A body that is lost is not whole either.
    truncated: isBodyLost || (Number(row['flags']) & callbackFlags.truncated) !== 0,
    isBodyLost,
  };
}

function bodyOf(row: Row, file: string, longest: number): Buffer | undefined {
  if (row['segment'] !== null) {
    const place = { segment: Number(row['segment']), offset: Number(row['offset']) };
    return readBody(file, place, Math.min(Number(row['size_bytes']), longest));
  }
  // substr() of an empty blob is null.
  const body = (row['body'] as Uint8Array | null) ?? new Uint8Array();
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}

/** Stored as names and values alternately. */
function headersIn(json: unknown): HeaderList {
  return pairsOf(JSON.parse(String(json)) as string[]);
}

const codes = (...kinds: (keyof typeof outcomeCodes)[]) => kinds.map((kind) => outcomeCodes[kind]).join(', ');
const isImported = `callbacks.flags & ${callbackFlags.imported}`;
/** They have no response. */
const noResponseFlags = callbackFlags.imported | callbackFlags.byFeed;

/** For conditions of a RowFilter: the columns of a callback as `toSummary` reads them. */
export const filterColumns = {
  outcome: `CASE outcomes.kind
      WHEN ${outcomeCodes.answered} THEN 'answered' WHEN ${outcomeCodes.closed} THEN 'closed'
      WHEN ${outcomeCodes.reset} THEN 'reset' WHEN ${outcomeCodes.aborted} THEN 'aborted'
      WHEN ${outcomeCodes.dropped} THEN 'dropped'
      ELSE CASE WHEN ${packedOutcome} IS NOT NULL THEN 'answered'
        WHEN callbacks.flags & ${callbackFlags.refused} THEN 'refused'
        WHEN NOT (callbacks.flags & ${noResponseFlags}) AND callbacks.id > (SELECT outcomes_from FROM outcome_start) THEN 'waiting'
        ELSE 'unrecorded' END
    END`,
  status: `CASE WHEN coalesce(outcomes.kind, 0) IN (${codes('closed', 'reset', 'aborted', 'dropped')}) THEN 0 ELSE answered_status END`,
  /** In milliseconds from receipt to the end of the response. */
  took: `coalesce(outcomes.ended_after_ms, ${packedEnd})`,
  isImported: `(${isImported}) <> 0`,
  isByFeed: `(callbacks.flags & ${callbackFlags.byFeed}) <> 0`,
  isRefused: `(callbacks.flags & ${callbackFlags.refused}) <> 0`,
  isNoted: 'EXISTS (SELECT 1 FROM callback_notes WHERE callback_notes.callback_id = callbacks.id)',
};
