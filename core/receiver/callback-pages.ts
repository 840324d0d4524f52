// Reads stored callbacks by key (never by offset), so the millionth page is as quick as the first. Those that are hidden
// until their deletion is final are left out.
import type { DatabaseSync } from 'node:sqlite';
import type { Callback, CallbackSummary } from '#contract/app-rpc/callbacks.ts';
import type { HeaderList } from '#contract/app-rpc/base.ts';
import { formatInstant } from '#contract/service-api/timestamp.ts';
import type { EarlierCallback } from './checked-callback.ts';
import { readBody } from './body-segments.ts';
import { callbackFlags } from './received-callback.ts';

export type LastCallback = { id: number; receivedAt: string };

/** What a list shows of a callback, before it is judged. */
export type StoredSummary = Omit<CallbackSummary, 'verdict' | 'kind'>;

/** A callback as stored, before it is checked. */
export type StoredCallback = StoredSummary &
  Pick<Callback, 'httpVersion' | 'headers' | 'truncated' | 'note'> & {
    body: Buffer;
    /** The store no longer has the whole body that was received. */
    isBodyLost: boolean;
  };

/** So many callbacks of the same monitor are compared with one. */
export const earlierLimit = 20;

/** Which rows of the store; both ends are left out themselves. */
export type RowRange = { beforeId?: number | undefined; afterId?: number | undefined };

export type CallbackPages = {
  /** Of what is shown, as it is stored at this moment. */
  counts: () => { newestId: number; total: number };
  page: (options: { beforeId: number | undefined; limit: number }) => StoredSummary[];
  get: (id: number) => StoredCallback | undefined;
  /** Like `get`, but of a long body only its first 64 KB and a byte. */
  head: (id: number) => StoredCallback | undefined;
  /** Whole rows one after the other, the newest first unless `oldestFirst`. Read on while nothing else is written. */
  rows: (range: RowRange, order?: 'newestFirst' | 'oldestFirst') => Iterable<StoredCallback>;
  /** Ids as far as they go, the newest first. */
  idsIn: (range: RowRange, limit: number) => number[];
  /** Callbacks of the same monitor before this one, the newest first. */
  earlierOf: (callback: Pick<StoredSummary, 'id' | 'monitorId'>) => EarlierCallback[];
  /** Whether callbacks between these two were lost when the store was damaged. */
  hasLostBetween: (earlierId: number, laterId: number) => boolean;
  /** The newest callback whose body has this monitor's id. */
  newestOf: (monitorId: string) => LastCallback | null;
};

const summaryColumns = `id, received_at, method, target, remote_address, size_bytes, answered_status, monitor_id, http_version,
  flags, (SELECT note FROM callback_notes WHERE callback_notes.callback_id = id) AS note`;
const place = `segment, offset`;
const withPlace = 'callbacks LEFT JOIN callback_bodies ON callback_bodies.callback_id = id';
const wholeColumns = `${summaryColumns}, headers, body, ${place}`;
/** Enough for every check. */
const headBytes = 65_537;
const isShown = 'NOT EXISTS (SELECT 1 FROM callback_deletions WHERE callback_deletions.callback_id = id)';
const inRange = `id < ? AND id > ? AND ${isShown}`;

export function createCallbackPages(db: DatabaseSync): CallbackPages {
  const page = db.prepare(
    `SELECT ${summaryColumns} FROM callbacks WHERE id < ? AND ${isShown} ORDER BY id DESC LIMIT ?`,
  );
  const file = db.location() ?? '';
  const one = db.prepare(`SELECT ${wholeColumns} FROM ${withPlace} WHERE id = ? AND ${isShown}`);
  const head = db.prepare(
    `SELECT ${summaryColumns}, headers, substr(body, 1, ${headBytes}) AS body, ${place} FROM ${withPlace} WHERE id = ? AND ${isShown}`,
  );
  const ids = db.prepare(`SELECT id FROM callbacks WHERE ${inRange} ORDER BY id DESC LIMIT ?`);
  const newest = db.prepare(
    `SELECT id, received_at FROM callbacks WHERE monitor_id = ? AND ${isShown} ORDER BY id DESC LIMIT 1`,
  );
  const earlier = db.prepare(
    'SELECT id, received_at, headers FROM callbacks WHERE monitor_id = ? AND id < ? ORDER BY id DESC LIMIT ' +
      String(earlierLimit),
  );
  const lost = db.prepare('SELECT 1 FROM lost_callbacks WHERE first_id < ? AND last_id > ? LIMIT 1');
  // One statement sees one moment.
  const counts = db.prepare(
    'SELECT newest_id, total - (SELECT count(*) FROM callback_deletions) AS total FROM callback_counters',
  );
  return {
    counts() {
      const row = counts.get();
      return { newestId: Number(row?.['newest_id']), total: Number(row?.['total']) };
    },
    page: ({ beforeId, limit }) => page.all(beforeId ?? Number.MAX_SAFE_INTEGER, limit).map(toSummary),
    get(id) {
      const row = one.get(id);
      return row && toCallback(row, file);
    },
    head(id) {
      const row = head.get(id);
      return row && toCallback(row, file, headBytes);
    },
    *rows(range, order = 'newestFirst') {
      // A statement of its own, since a second reader of the same one would end the first.
      const sql = `SELECT ${wholeColumns} FROM ${withPlace} WHERE ${inRange} ORDER BY id ${order === 'newestFirst' ? 'DESC' : 'ASC'}`;
      for (const row of db.prepare(sql).iterate(...bounds(range))) yield toCallback(row, file);
    },
    idsIn: (range, limit) => ids.all(...bounds(range), limit).map((row) => Number(row['id'])),
    earlierOf: ({ id, monitorId }) => (monitorId === null ? [] : earlier.all(monitorId, id).map(toEarlier)),
    hasLostBetween: (earlierId, laterId) => lost.get(laterId, earlierId) !== undefined,
    newestOf(monitorId) {
      const row = newest.get(monitorId);
      return row ? { id: Number(row['id']), receivedAt: formatInstant(Number(row['received_at'])) } : null;
    },
  };
}

function bounds({ beforeId, afterId }: RowRange): [number, number] {
  return [beforeId ?? Number.MAX_SAFE_INTEGER, afterId ?? 0];
}

type Row = Record<string, unknown>;

function toSummary(row: Row): StoredSummary {
  return {
    id: Number(row['id']),
    receivedAt: formatInstant(Number(row['received_at'])),
    method: String(row['method']),
    target: String(row['target']),
    remoteAddress: String(row['remote_address']),
    sizeBytes: Number(row['size_bytes']),
    answeredStatus: Number(row['answered_status']),
    monitorId: row['monitor_id'] as string | null,
    hasNote: row['note'] !== null,
    isImported: (Number(row['flags']) & callbackFlags.imported) !== 0,
  };
}

function toCallback(row: Row, file: string, longest = Infinity): StoredCallback {
  const body = bodyOf(row, file, longest);
  const isBodyLost = body === undefined || body.length < Math.min(Number(row['size_bytes']), longest);
  return {
    ...toSummary(row),
    httpVersion: String(row['http_version']),
    headers: headersIn(row),
    body: body ?? Buffer.alloc(0),
    // A body that is lost is not whole either.
    truncated: isBodyLost || (Number(row['flags']) & callbackFlags.truncated) !== 0,
    isBodyLost,
    note: (row['note'] as string | null) ?? '',
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

function toEarlier(row: Row): EarlierCallback {
  return { id: Number(row['id']), receivedAt: Number(row['received_at']), headers: headersIn(row) };
}

/** Stored as names and values in turn. */
function headersIn(row: Row): HeaderList {
  const flat = JSON.parse(String(row['headers'])) as string[];
  const list: HeaderList = [];
  for (let index = 0; index + 1 < flat.length; index += 2) list.push([flat[index] ?? '', flat[index + 1] ?? '']);
  return list;
}
