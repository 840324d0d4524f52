// Reads stored callbacks, newest first, by key (never by offset), so the millionth page is as quick as the first.
import type { DatabaseSync } from 'node:sqlite';
import type { Callback, CallbackSummary } from '#contract/procedures/callbacks.ts';
import type { HeaderList } from '#contract/procedures/base.ts';
import { formatInstant } from '#contract/timestamp.ts';
import type { EarlierCallback } from './callback-checks.ts';

export type LastCallback = { id: number; receivedAt: string };

/** A callback as stored, before it is checked. */
export type StoredCallback = Omit<Callback, 'checks'>;

export type CallbackPages = {
  page: (options: { beforeId: number | undefined; limit: number }) => CallbackSummary[];
  get: (id: number) => StoredCallback | undefined;
  /** Callbacks of the same monitor before this one, the newest first. */
  earlierOf: (callback: StoredCallback) => EarlierCallback[];
  /** The newest callback whose body has this monitor's id. */
  newestOf: (monitorId: string) => LastCallback | null;
};

const summaryColumns =
  'id, received_at, method, target, remote_address, size_bytes, answered_status, monitor_id, http_version, truncated';

export function createCallbackPages(db: DatabaseSync): CallbackPages {
  const page = db.prepare(`SELECT ${summaryColumns} FROM callbacks WHERE id < ? ORDER BY id DESC LIMIT ?`);
  const one = db.prepare(`SELECT ${summaryColumns}, headers, body FROM callbacks WHERE id = ?`);
  const newest = db.prepare('SELECT id, received_at FROM callbacks WHERE monitor_id = ? ORDER BY id DESC LIMIT 1');
  const earlier = db.prepare(
    'SELECT id, received_at, headers FROM callbacks WHERE monitor_id = ? AND id < ? ORDER BY id DESC LIMIT 20',
  );
  return {
    page: ({ beforeId, limit }) => page.all(beforeId ?? Number.MAX_SAFE_INTEGER, limit).map(toSummary),
    get(id) {
      const row = one.get(id);
      return row && toCallback(row);
    },
    earlierOf: ({ id, monitorId }) => (monitorId === null ? [] : earlier.all(monitorId, id).map(toEarlier)),
    newestOf(monitorId) {
      const row = newest.get(monitorId);
      return row ? { id: Number(row['id']), receivedAt: formatInstant(Number(row['received_at'])) } : null;
    },
  };
}

type Row = Record<string, unknown>;

function toSummary(row: Row): CallbackSummary {
  return {
    id: Number(row['id']),
    receivedAt: formatInstant(Number(row['received_at'])),
    method: String(row['method']),
    target: String(row['target']),
    remoteAddress: String(row['remote_address']),
    sizeBytes: Number(row['size_bytes']),
    answeredStatus: Number(row['answered_status']),
    monitorId: row['monitor_id'] as string | null,
  };
}

function toCallback(row: Row): StoredCallback {
  return {
    ...toSummary(row),
    httpVersion: String(row['http_version']),
    headers: pairs(JSON.parse(String(row['headers'])) as string[]),
    bodyBase64: Buffer.from(row['body'] as Uint8Array).toString('base64'),
    truncated: row['truncated'] === 1,
  };
}

function toEarlier(row: Row): EarlierCallback {
  return {
    id: Number(row['id']),
    receivedAt: Number(row['received_at']),
    headers: pairs(JSON.parse(String(row['headers'])) as string[]),
  };
}

function pairs(flat: readonly string[]): HeaderList {
  const list: HeaderList = [];
  for (let index = 0; index + 1 < flat.length; index += 2) list.push([flat[index] ?? '', flat[index + 1] ?? '']);
  return list;
}
