// The requests made from callbacks, with their answers, in app.sqlite; the newest are kept.
import type { DatabaseSync } from 'node:sqlite';
import type { CallbackSend } from '@rainbell/contract/app-rpc';
import { formatInstant, pick } from '@rainbell/shared';
import { runInTransaction } from '../database/transaction.ts';
import type { FinishedSend } from '../http/send-request.ts';
import type { Log } from '../ports/log.ts';

/** Stored as JSON, with the start in epoch milliseconds. */
export type NewSend = FinishedSend & Pick<CallbackSend, 'kind' | 'callbackId' | 'method' | 'url'>;

export type CallbackSends = ReturnType<typeof createCallbackSends>;

const maxSends = 10_000;

export function createCallbackSends(db: DatabaseSync, log: Log) {
  const insert = db.prepare('INSERT INTO callback_sends (callback_id, send) VALUES (?, ?)');
  const trim = db.prepare('DELETE FROM callback_sends WHERE id <= ?');
  const ofOne = db.prepare('SELECT id, send FROM callback_sends WHERE callback_id = ? ORDER BY id DESC LIMIT 100');
  return {
    /** Returns it without an ID (0) if it can’t be stored, because the database is locked or the disk is full. */
    add(send: NewSend): CallbackSend {
      const stored = pick(send, 'callbackId', 'kind', 'startedAt', 'tookMs', 'method', 'url', 'headers', 'outcome');
      try {
        return runInTransaction(db, () => {
          const id = Number(insert.run(stored.callbackId, JSON.stringify(stored)).lastInsertRowid);
          trim.run(id - maxSends);
          return toSend(id, stored);
        });
      } catch (error) {
        log.warn({ err: error }, 'a request that was sent could not be stored');
        return toSend(0, stored);
      }
    },
    /** Of one callback, newest first, at most 100. */
    of: (callbackId: number): CallbackSend[] =>
      ofOne.all(callbackId).map((row) => toSend(Number(row['id']), JSON.parse(String(row['send'])) as NewSend)),
  };
}

function toSend(id: number, send: NewSend): CallbackSend {
  return { ...send, id, startedAt: formatInstant(send.startedAt) };
}
