// The requests made from callbacks, with their answers, in app.sqlite; the newest are kept.
import type { DatabaseSync } from 'node:sqlite';
import { type CallbackSend, headerListSchema, sendOutcomeSchema } from '@rainbell/contract/app-rpc';
import { formatInstant } from '@rainbell/shared';
import { runInTransaction } from '../database/transaction.ts';
import type { FinishedSend } from '../http/send-request.ts';

export type NewSend = FinishedSend & Pick<CallbackSend, 'kind' | 'callbackId' | 'method' | 'url'>;

export type CallbackSends = ReturnType<typeof createCallbackSends>;

const maxSends = 10_000;

export function createCallbackSends(db: DatabaseSync) {
  const insert = db.prepare(
    `INSERT INTO callback_sends (callback_id, kind, started_at, took_ms, method, url, headers, outcome)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const trim = db.prepare('DELETE FROM callback_sends WHERE id <= ?');
  const ofOne = db.prepare('SELECT * FROM callback_sends WHERE callback_id = ? ORDER BY id DESC LIMIT 100');

  function insertOne(send: NewSend): CallbackSend {
    const { callbackId, kind, startedAt, tookMs, method, url, headers, outcome } = send;
    const { lastInsertRowid } = insert.run(
      callbackId,
      kind,
      startedAt,
      tookMs,
      method,
      url,
      JSON.stringify(headers),
      JSON.stringify(outcome),
    );
    const id = Number(lastInsertRowid);
    return { id, kind, callbackId, startedAt: formatInstant(startedAt), tookMs, method, url, headers, outcome };
  }

  return {
    add: (send: NewSend): CallbackSend =>
      runInTransaction(db, () => {
        const added = insertOne(send);
        trim.run(added.id - maxSends);
        return added;
      }),
    /** Of one callback, newest first, at most 100. */
    of: (callbackId: number): CallbackSend[] => ofOne.all(callbackId).map(toSend),
  };
}

function toSend(row: Record<string, unknown>): CallbackSend {
  return {
    id: Number(row['id']),
    kind: row['kind'] as CallbackSend['kind'],
    callbackId: Number(row['callback_id']),
    startedAt: formatInstant(Number(row['started_at'])),
    tookMs: Number(row['took_ms']),
    method: String(row['method']),
    url: String(row['url']),
    headers: headerListSchema.parse(JSON.parse(String(row['headers']))),
    outcome: sendOutcomeSchema.parse(JSON.parse(String(row['outcome']))),
  };
}
