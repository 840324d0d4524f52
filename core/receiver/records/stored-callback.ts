// A callback as it is stored.
import type { DatabaseSync } from 'node:sqlite';
import {
  type Callback,
  type CallbackOutcome,
  type CallbackRefusal,
  type CallbackResponse,
  type HeaderList,
  type OutcomeKind,
  refusalReasons,
} from '@rainbell/contract/app-rpc';
import { inboxIdPrefix } from '@rainbell/contract/service-api';
import { formatInstant, storageCauseOf } from '@rainbell/shared';
import { rebuildHead } from '../requests/head-capture.ts';
import { pairsOf } from '../../http/http-headers.ts';
import { callbackFlags } from '../requests/received-callback.ts';
import { readBody } from './body-files.ts';
import { headersOf, outcomeCodes, receivedResponse } from '../responses/response-outcome.ts';

type Row = Record<string, unknown>;

/** The origin of a callback received by the feed, in the column `feed`. `occurredAt` is by the service's clock, in epoch milliseconds. */
export type FeedOrigin = { connectionId: string; eventId: string; occurredAt: number };

const codes = (...kinds: (keyof typeof outcomeCodes)[]) => kinds.map((kind) => outcomeCodes[kind]).join(', ');
const hasFlag = (flag: number) => `(callbacks.flags & ${flag}) <> 0`;
/** Columns of a callback, for conditions of a RowFilter too. */
export const filterColumns = {
  outcome: `CASE outcomes.kind
      ${Object.entries(outcomeCodes)
        .map(([kind, code]) => `WHEN ${code} THEN '${kind}'`)
        .join(' ')}
      ELSE CASE WHEN ${hasFlag(callbackFlags.refused)} THEN 'refused'
        WHEN NOT ${hasFlag(callbackFlags.imported | callbackFlags.byFeed)}
          AND callbacks.id > (SELECT outcomes_from FROM callback_counters WHERE endpoint_id = '') THEN 'waiting'
        ELSE 'unrecorded' END
    END`,
  status: `CASE WHEN coalesce(outcomes.kind, 0) IN (${codes('closed', 'reset', 'aborted', 'dropped')}) THEN 0 ELSE answered_status END`,
  /** In milliseconds from receipt to the end of the response. */
  took: 'outcomes.ended_after_ms',
  isImported: hasFlag(callbackFlags.imported),
  isByFeed: hasFlag(callbackFlags.byFeed),
  isRefused: hasFlag(callbackFlags.refused),
  isNoted: 'note IS NOT NULL',
};

export const summaryColumns = `id, received_at, method, target, http_version, remote_address, size_bytes, monitor_id,
  flags, note, refusal, refused_count, refused_last_at, feed, ended_after_ms, begun_after_ms, bytes, is_kept_alive,
  ${filterColumns.outcome} AS outcome, ${filterColumns.status} AS status`;
export const wholeColumns = `${summaryColumns}, headers, trailers, head, body_file, body_offset, body, response`;
/** Where these columns are. */
export const callbackTable = 'callbacks LEFT JOIN callback_outcomes AS outcomes ON outcomes.callback_id = callbacks.id';

/** What a summary shows. Most rows of a list need neither headers nor body. */
export type CallbackFacts = ReturnType<typeof toFacts>;

export type StoredCallback = CallbackFacts & ReturnType<typeof contentsIn>;

/** `file`: of the database. */
export function toStored(row: Row, file: string): StoredCallback {
  const facts = toFacts(row);
  return { ...facts, ...contentsIn(row, facts, file) };
}

export function toFacts(row: Row) {
  const receivedAt = Number(row['received_at']);
  return {
    id: Number(row['id']),
    /** In epoch milliseconds. */
    receivedAt,
    method: String(row['method']),
    target: String(row['target']),
    httpVersion: String(row['http_version']),
    remoteAddress: String(row['remote_address']),
    sizeBytes: Number(row['size_bytes']),
    /** 0 if the sender got no whole response. */
    answeredStatus: Number(row['status']),
    outcome: readOutcome(row, receivedAt),
    /** Set if the request was refused before it became a callback. */
    refusal: refusalIn(row),
    /** The ID in its body, if it may be a monitor's. */
    monitorId: row['monitor_id'] as string | null,
    note: (row['note'] as string | null) ?? '',
    isImported: isFlagged(row, 'imported'),
    isByFeed: isFlagged(row, 'byFeed'),
    /** Set if it is an event of the service, received by its feed. */
    feed: readFeedOrigin(row['feed']),
  };
}

function isFlagged(row: Row, flag: keyof typeof callbackFlags): boolean {
  return (Number(row['flags']) & callbackFlags[flag]) !== 0;
}

function contentsIn(row: Row, facts: CallbackFacts, file: string) {
  const { sizeBytes } = facts;
  const body = bodyIn(row, file, sizeBytes);
  const isBodyLost = (body?.length ?? 0) < sizeBytes;
  return {
    headers: headersIn(row['headers']),
    trailers: headersIn(row['trailers'] ?? '[]'),
    body: body ?? Buffer.alloc(0),
    // A body that is lost is not whole either.
    truncated: isBodyLost || isFlagged(row, 'truncated'),
    /** The store no longer has the whole body that was received. */
    isBodyLost,
    answer: () => readResponse(row, facts),
    head: () => headOf(row, facts),
  };
}

function readFeedOrigin(stored: unknown): FeedOrigin | undefined {
  const origin = typeof stored === 'string' ? (JSON.parse(stored) as FeedOrigin) : undefined;
  return origin?.eventId.startsWith(inboxIdPrefix) ? undefined : origin;
}

/** The columns of callback_outcomes are null if there is no outcome. */
function readOutcome(row: Row, receivedAt: number): CallbackOutcome {
  const afterMs = row['ended_after_ms'] as number | null;
  const at = afterMs === null ? null : formatInstant(receivedAt + afterMs);
  return { kind: row['outcome'] as OutcomeKind, at, afterMs, bytesSent: row['bytes'] as number | null };
}

function readResponse(row: Row, { receivedAt }: CallbackFacts): CallbackResponse | null {
  if (row['ended_after_ms'] === null) return null;
  const stored = row['response'] as string | null;
  const planned = stored === null ? { ...receivedResponse, headers: [] } : (JSON.parse(stored) as CallbackResponse);
  if (planned.action !== 'answer') return { ...planned, headers: [] };
  // A response that was not started has the headers of the plan only.
  if (row['begun_after_ms'] === null) return planned;
  const startedAt = receivedAt + Number(row['begun_after_ms']);
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

function refusalIn(row: Row): CallbackRefusal | null {
  const reason = refusalReasons.find((known) => known === row['refusal']);
  if (!reason) return null;
  return { reason, count: Number(row['refused_count']), lastAt: formatInstant(Number(row['refused_last_at'])) };
}

function headOf(row: Row, facts: CallbackFacts): Callback['head'] {
  if (isFlagged(row, 'refused')) return null;
  const stored = row['head'] instanceof Uint8Array ? Buffer.from(row['head']) : undefined;
  const bytes = stored ?? rebuildHead({ ...facts, rawHeaders: JSON.parse(String(row['headers'])) as string[] });
  return { base64: bytes.toString('base64'), isExact: stored !== undefined || isFlagged(row, 'usualHead') };
}

function bodyIn(row: Row, databaseFile: string, sizeBytes: number): Buffer | undefined {
  const { body, body_file: file, body_offset: offset } = row;
  if (typeof file === 'number') return readBody(databaseFile, { file, offset: Number(offset) }, sizeBytes);
  return body instanceof Uint8Array ? Buffer.from(body.buffer, body.byteOffset, body.byteLength) : undefined;
}

/** Stored as names and values alternately. */
function headersIn(json: unknown): HeaderList {
  return pairsOf(JSON.parse(String(json)) as string[]);
}
