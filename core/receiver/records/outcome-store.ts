// Stores outcomes of responses, and reads them with what was sent.
import type { DatabaseSync } from 'node:sqlite';
import { type CallbackOutcome, type CallbackResponse, type OutcomeKind } from '@rainbell/contract/app-rpc';
import { formatInstant, pick, storageCauseOf } from '@rainbell/shared';
import {
  headersOf,
  outcomeCodes,
  receivedResponse,
  type RecordedOutcome,
  type ResponsePlanned,
} from '../responses/response-outcome.ts';

/** Longer responses, as JSON, count for the limit of kept bytes. */
export const longResponseBytes = 4096;

/** Returns what stores outcomes, in the caller's transaction, and counts what is long. */
export function createOutcomeStore(db: DatabaseSync) {
  // The callback may have been removed in the meantime.
  const insert = db.prepare(
    `INSERT OR REPLACE INTO callback_outcomes (callback_id, kind, ended_after_ms, begun_after_ms, bytes, is_kept_alive, response)
     SELECT ?1, ?, ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM callbacks WHERE id = ?1)`,
  );
  const setStatus = db.prepare('UPDATE callbacks SET answered_status = ? WHERE id = ?');
  const endpointOf = db.prepare('SELECT endpoint_id FROM callbacks WHERE id = ?');
  return (outcomes: readonly RecordedOutcome[], count: (endpointId: string | null, bytes: number) => void): void => {
    for (const { callbackId, kind, planned, endedAfterMs, startedAfterMs, bytesSent, isKeptAlive } of outcomes) {
      if (planned.isUnplanned) setStatus.run(planned.status, callbackId);
      const response = planned === receivedResponse ? null : toStored(planned);
      insert.run(
        callbackId,
        outcomeCodes[kind],
        endedAfterMs,
        startedAfterMs,
        bytesSent,
        isKeptAlive ? 1 : 0,
        response,
      );
      const bytes = Buffer.byteLength(response ?? '');
      const row = bytes > longResponseBytes && endpointOf.get(callbackId);
      if (row) count(row['endpoint_id'] as string | null, bytes);
    }
  };
}

function toStored(planned: ResponsePlanned): string {
  return JSON.stringify(pick(planned, 'action', 'status', 'headers', 'body', 'delayMs', 'rule', 'step', 'isByHand'));
}

type Row = Record<string, unknown>;

/** Of a row with `outcome` and the columns of callback_outcomes, which are null if there is none. */
export function readOutcome(row: Row, receivedAt: number): CallbackOutcome {
  const afterMs = row['ended_after_ms'] as number | null;
  const at = afterMs === null ? null : formatInstant(receivedAt + afterMs);
  return { kind: row['outcome'] as OutcomeKind, at, afterMs, bytesSent: row['bytes'] as number | null };
}

/** `stored`: the column `response`; null for the usual one, undefined if its row is gone. */
export function readResponse(row: Row, stored: string | null | undefined): CallbackResponse | null {
  if (row['ended_after_ms'] === null || stored === undefined) return null;
  const planned = stored === null ? { ...receivedResponse, headers: [] } : (JSON.parse(stored) as CallbackResponse);
  if (planned.action !== 'answer') return { ...planned, headers: [] };
  // A response that was not started has the headers of the plan only.
  if (row['begun_after_ms'] === null) return planned;
  const startedAt = Number(row['received_at']) + Number(row['begun_after_ms']);
  return { ...planned, headers: headersOf(planned, startedAt, row['is_kept_alive'] === 1) };
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
