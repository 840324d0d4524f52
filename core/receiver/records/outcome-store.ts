// Stores outcomes of responses, in the transaction of the next batch of callbacks, and reads them with what was sent.
import type { DatabaseSync } from 'node:sqlite';
import { type CallbackOutcome, type CallbackResponse, type OutcomeKind } from '@rainbell/contract/app-rpc';
import { formatInstant, storageCauseOf } from '@rainbell/shared';
import { callbackFlags } from '../requests/received-callback.ts';
import {
  headersOf,
  outcomeCodes,
  receivedResponse,
  type RecordedOutcome,
  type ResponsePlanned,
} from '../responses/response-outcome.ts';

/** The stored `action` of a response that the user typed. */
const byHandAction = 'by-hand';

/** Responses with an echo of the request are each a new one. */
const maxRememberedResponses = 1000;

export function createOutcomeStore(db: DatabaseSync) {
  // The callback may have been removed in the meantime.
  const insert = db.prepare(
    `INSERT OR REPLACE INTO callback_outcomes (callback_id, kind, ended_after_ms, begun_after_ms, bytes, is_kept_alive, answer_id)
     SELECT ?1, ?, ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM callbacks WHERE id = ?1)`,
  );
  const setStatus = db.prepare('UPDATE callbacks SET answered_status = ? WHERE id = ?');
  const insertResponse = db.prepare(
    'INSERT INTO callback_answers (action, status, headers, body, delay_ms, rule, step) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const responseIds = new Map<ResponsePlanned, number>();

  function responseIdOf(planned: ResponsePlanned): number | null {
    if (planned === receivedResponse) return null;
    const known = responseIds.get(planned);
    if (known !== undefined) return known;
    const { action, status, headers, body, delayMs, rule, step, isByHand } = planned;
    const stored = isByHand ? byHandAction : action;
    const { lastInsertRowid } = insertResponse.run(stored, status, JSON.stringify(headers), body, delayMs, rule, step);
    if (responseIds.size >= maxRememberedResponses) responseIds.clear();
    responseIds.set(planned, Number(lastInsertRowid));
    return Number(lastInsertRowid);
  }

  return {
    /** Inside of the caller's transaction. */
    add(outcomes: readonly RecordedOutcome[]) {
      for (const { callbackId, kind, planned, endedAfterMs, startedAfterMs, bytesSent, isKeptAlive } of outcomes) {
        if (planned.isUnplanned) setStatus.run(planned.status, callbackId);
        insert.run(
          callbackId,
          outcomeCodes[kind],
          endedAfterMs,
          startedAfterMs,
          bytesSent,
          isKeptAlive ? 1 : 0,
          responseIdOf(planned),
        );
      }
    },
    /** Call it when callbacks were removed, or a transaction was rolled back: rows of responses may be gone. */
    clearResponses: (): void => responseIds.clear(),
  };
}

type Row = Record<string, unknown>;

/** Columns of callback_outcomes as `readOutcome` and the reader of responses expect them. */
export const outcomeColumns = `outcomes.kind AS outcome, ended_after_ms, begun_after_ms, bytes, is_kept_alive, answer_id,
  callbacks.id > (SELECT outcomes_from FROM callback_counters WHERE endpoint_id = '') AS awaits_outcome`;

const kindOfCode = new Map<number, OutcomeKind>(
  Object.entries(outcomeCodes).map(([kind, code]) => [code, kind as OutcomeKind]),
);

/** They have no response. */
export const noResponseFlags = callbackFlags.imported | callbackFlags.byFeed;

export function readOutcome(row: Row, receivedAt: number): CallbackOutcome {
  const kind = kindOfCode.get(Number(row['outcome'] ?? 0));
  if (!kind) {
    const none = { at: null, afterMs: null, bytesSent: null };
    const flags = Number(row['flags']);
    if ((flags & callbackFlags.refused) !== 0) return { kind: 'refused', ...none };
    const isWaiting = row['awaits_outcome'] === 1 && (flags & noResponseFlags) === 0;
    return { kind: isWaiting ? 'waiting' : 'unrecorded', ...none };
  }
  const afterMs = Number(row['ended_after_ms']);
  return { kind, at: formatInstant(receivedAt + afterMs), afterMs, bytesSent: row['bytes'] as number | null };
}

export function createResponseReader(db: DatabaseSync): (row: Row) => CallbackResponse | null {
  const one = db.prepare('SELECT * FROM callback_answers WHERE id = ?');
  return (row) => {
    if (row['outcome'] === null) return null;
    const stored = row['answer_id'] === null ? undefined : one.get(Number(row['answer_id']));
    if (row['answer_id'] !== null && !stored) return null;
    const planned = stored ? toPlanned(stored) : receivedResponse;
    if (planned.action !== 'answer') return { ...planned, headers: [] };
    // A response that was not started has the headers of the plan only.
    const headers =
      row['begun_after_ms'] === null
        ? planned.headers.map(([name, value]): [string, string] => [name, value])
        : headersOf(planned, Number(row['received_at']) + Number(row['begun_after_ms']), row['is_kept_alive'] === 1);
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

/** Call it before a receiver starts: responses without an outcome never get one. */
export function closeOutcomes(db: DatabaseSync): void {
  try {
    db.exec('UPDATE callback_counters SET outcomes_from = newest_id WHERE outcomes_from < newest_id');
  } catch (error) {
    // A full or locked disk must not prevent the start; those outcomes then show as waiting.
    if (storageCauseOf(error) === undefined) throw error;
  }
}
