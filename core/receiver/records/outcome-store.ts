// Stores outcomes of responses. They are written in the transaction of the next batch of callbacks, so under load they need no
// transaction of their own.
import type { DatabaseSync } from 'node:sqlite';
import { storageCauseOf } from '@rainbell/shared';
import {
  outcomeCodes,
  receivedResponse,
  type RecordedOutcome,
  type ResponsePlanned,
} from '../responses/response-outcome.ts';

/** The stored `action` of a response that the user typed. */
export const byHandAction = 'by-hand';

/** Responses with an echo of the request are each a new one. */
const maxRememberedResponses = 1000;

export function createOutcomeStore(db: DatabaseSync) {
  // A callback may have been deleted before its delayed response.
  const insert = db.prepare(
    `INSERT OR REPLACE INTO callback_outcomes (callback_id, kind, ended_after_ms, begun_after_ms, bytes, is_kept_alive, answer_id)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertPlain = db.prepare('INSERT OR REPLACE INTO plain_outcomes (first_id, count, outcomes) VALUES (?, ?, ?)');
  const setStatus = db.prepare('UPDATE callbacks SET answered_status = ? WHERE id = ?');
  const isThere = db.prepare('SELECT 1 FROM callbacks WHERE id = ?');
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

  /** In runs of IDs that follow each other; usually it is one run. */
  function addPlain(plain: readonly RecordedOutcome[]): void {
    const sorted = plain.toSorted((one, other) => one.callbackId - other.callbackId);
    for (let from = 0; from < sorted.length;) {
      const firstId = sorted[from]?.callbackId ?? 0;
      let end = from + 1;
      while (sorted[end]?.callbackId === firstId + end - from) end += 1;
      insertPlain.run(firstId, end - from, packOutcomes(sorted.slice(from, end)));
      from = end;
    }
  }

  return {
    /** Inside of the caller's transaction. */
    add(outcomes: readonly RecordedOutcome[]) {
      addPlain(outcomes.filter(isPlain));
      for (const outcome of outcomes) {
        if (isPlain(outcome)) continue;
        const { callbackId, kind, planned, endedAfterMs, startedAfterMs, bytesSent, isKeptAlive } = outcome;
        if ((planned.delayMs > 0 || planned.isUnplanned) && !isThere.get(callbackId)) continue;
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

function isPlain({ kind, planned, startedAfterMs }: RecordedOutcome): boolean {
  return kind === 'answered' && planned === receivedResponse && startedAfterMs !== null;
}

const packedBytes = 8;
const keptAliveBit = 0x8000_0000;
const maxMs = 0x7fff_ffff;

/**
 * Two numbers each: when the response started, and when it was sent; the highest bit of the second is set if the connection stays
 * open.
 */
function packOutcomes(outcomes: readonly RecordedOutcome[]): Buffer {
  const packed = Buffer.allocUnsafe(outcomes.length * packedBytes);
  outcomes.forEach(({ startedAfterMs, endedAfterMs, isKeptAlive }, index) => {
    packed.writeUInt32LE(clamp(startedAfterMs ?? 0), index * packedBytes);
    packed.writeUInt32LE(clamp(endedAfterMs) + (isKeptAlive ? keptAliveBit : 0), index * packedBytes + 4);
  });
  return packed;
}

/** A wall clock can jump back in the meantime. */
function clamp(ms: number): number {
  return Math.min(Math.max(Math.round(ms), 0), maxMs);
}

/** The packed outcome of the row `callbacks.id`, or null. */
export const packedOutcome = `(SELECT CASE WHEN callbacks.id < first_id + plain_outcomes.count
    THEN substr(outcomes, (callbacks.id - first_id) * ${packedBytes} + 1, ${packedBytes}) END
  FROM plain_outcomes WHERE first_id <= callbacks.id ORDER BY first_id DESC LIMIT 1)`;

/** Position of a byte in it, from 1, as SQLite's `instr` finds it: a blob has no numbers in SQL. */
const everyByte = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)).toString('hex');

/** `endedAfterMs` of the row `callbacks.id` in `plain_outcomes`, or null. */
export const packedEnd = `(SELECT ${[0, 1, 2, 3]
  .map(
    (byte) =>
      `((instr(x'${everyByte}', substr(packed, ${5 + byte}, 1)) - 1) & ${byte === 3 ? 0x7f : 0xff}) * ${256 ** byte}`,
  )
  .join(' + ')} FROM (SELECT ${packedOutcome} AS packed) WHERE packed IS NOT NULL)`;

export function unpackOutcome(packed: Uint8Array): Pick<RecordedOutcome, 'endedAfterMs' | 'isKeptAlive'> & {
  startedAfterMs: number;
} {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const ended = view.getUint32(4, true);
  return {
    startedAfterMs: view.getUint32(0, true),
    endedAfterMs: ended & maxMs,
    isKeptAlive: ended >= keptAliveBit,
  };
}

/** Call it before a receiver starts: responses without an outcome never get one. */
export function closeOutcomes(db: DatabaseSync): void {
  try {
    db.exec(
      `UPDATE outcome_start SET outcomes_from = (SELECT newest_id FROM callback_counters)
       WHERE outcomes_from < (SELECT newest_id FROM callback_counters)`,
    );
  } catch (error) {
    // A full or locked disk must not prevent the start; those outcomes then show as waiting.
    if (storageCauseOf(error) === undefined) throw error;
  }
}
