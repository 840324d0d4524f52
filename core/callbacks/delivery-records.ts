// What the service's delivery log says of stored callbacks. It is read in the background soon after callbacks arrive, while this
// machine's clock and the service's can be compared, and each callback's attempt is stored once and never computed again.
import type { DatabaseSync } from 'node:sqlite';
import { type Clock, parseTimestamp } from '@rainbell/shared';
import type { AppDelivery, DeliveryStates, MatchedDelivery } from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import type { Deliveries } from '../monitors/deliveries.ts';
import type { CallbackPages } from '../receiver/records/callback-pages.ts';
import type { StoredCallback } from '../receiver/records/stored-callback.ts';
import { headerOf } from '../http/http-headers.ts';
import { matchAttempt, type DeliveryRecord } from './matched-delivery.ts';

export type DeliveryRecords = ReturnType<typeof createDeliveryRecords>;

type DeliveryRecordsDependencies = {
  db: DatabaseSync;
  pages: Pick<CallbackPages, 'counts' | 'rows' | 'get' | 'earlierOf'>;
  deliveries: Pick<Deliveries, 'of' | 'states'>;
  /** Whether the service can be queried without signing in or starting anything. */
  canRead: () => boolean;
  connectionId: () => string;
  clock: Clock;
  /** Records were stored. */
  onStored: () => void;
};

const gatherMs = 1000;
/** Delays after a poll of a log that lacks an attempt: an attempt is in the log when it has ended, which takes up to 15 s. */
const lookAgainMs = [4000, 15_000];
/** Logs of so many monitors wait to be read; the others are read when a user opens a callback. */
const maxWaiting = 200;
/** Requests of one look, a second apart from the next. */
const logsPerLook = 5;
/** How many of the newest callbacks to check, of all and of one monitor. */
const rowsPerLook = 500;
/** Time until a service without a delivery log is queried again. */
const retryMs = 5 * 60_000;
const freshStatesMs = 30_000;

export function createDeliveryRecords(dependencies: DeliveryRecordsDependencies) {
  const { pages, deliveries, clock, connectionId, canRead, onStored } = dependencies;
  const store = createRecordStore(dependencies.db);
  let { newestId } = pages.counts();
  let lookedAtId = newestId;
  const readStates = createStatesReader(dependencies);
  /** By monitor, when its log is to be read, and how often it was already. */
  const waiting = new Map<string, { dueAt: number; looks: number }>();
  let planned: { at: number; cancel: () => void } | undefined;
  let isLooking = false;
  let isClosed = false;

  function plan(): void {
    const hasArrived = newestId > lookedAtId;
    if (isClosed || isLooking || (waiting.size === 0 && !hasArrived)) return;
    const now = clock.elapsed();
    const first = hasArrived ? now : Math.min(...[...waiting.values()].map(({ dueAt }) => dueAt));
    // Until then, other callbacks gather.
    const at = Math.max(first, now + gatherMs);
    if (planned !== undefined && planned.at <= at) return;
    planned?.cancel();
    const cancel = clock.after(at - now, () => {
      planned = undefined;
      isLooking = true;
      void look().finally(() => {
        isLooking = false;
        plan();
      });
    });
    planned = { at, cancel };
  }

  async function look(): Promise<void> {
    noteArrived();
    const due = [...waiting].filter(([, { dueAt }]) => dueAt <= clock.elapsed()).slice(0, logsPerLook);
    for (const [monitorId, { looks }] of due) {
      waiting.delete(monitorId);
      // One request at a time: the next log is read only after this one.
      const isComplete = await readLog(monitorId).catch(() => true);
      const delayMs = lookAgainMs[looks];
      if (!isComplete && delayMs !== undefined && !waiting.has(monitorId))
        waiting.set(monitorId, { dueAt: clock.elapsed() + delayMs, looks: looks + 1 });
    }
  }

  /** Whether all of the monitor's newest callbacks have a record now, or never get one. */
  async function readLog(monitorId: string): Promise<boolean> {
    if (!canRead()) return true;
    const known = await readStates(monitorId);
    if (!known.isAvailable || !known.states.some((state) => state.monitor_id === monitorId)) return true;
    const attempts = await deliveries.of(monitorId, { isBackground: true });
    return !isClosed && storeMatches(monitorId, attempts, known.aheadMs);
  }

  function storeMatches(monitorId: string, attempts: readonly AppDelivery[], aheadMs: number): boolean {
    const connection = connectionId();
    let isComplete = true;
    const fresh: { id: number; record: DeliveryRecord }[] = [];
    const ids = store.withoutRecord(connection, monitorId);
    // Oldest first: the first callback of an attempt is the one that it sent.
    for (const id of ids.toReversed()) {
      const callback = pages.get(id);
      if (!callback || callback.isByFeed) continue;
      const record = matchOf(callback, attempts, aheadMs, connection);
      if (record) {
        store.add(connection, id, record);
        fresh.push({ id, record });
      } else if (eventIdOf(callback) !== undefined && clock.now() - callback.receivedAt < maxAttemptMs) {
        isComplete = false;
      }
    }
    if (fresh.length > 0) onStored();
    return isComplete;
  }

  function matchOf(callback: StoredCallback, attempts: readonly AppDelivery[], aheadMs: number, connection: string) {
    const isTaken = (attemptId: string) => store.callbackOf(connection, attemptId, callback.id) !== undefined;
    return matchAttempt(callback, attempts, { aheadMs, isTaken });
  }

  /** Schedules reading the logs for what has arrived since the last poll. */
  function noteArrived(): void {
    const beforeId = newestId + 1;
    const afterId = Math.max(lookedAtId, newestId - rowsPerLook);
    lookedAtId = newestId;
    for (const row of canRead() ? pages.rows({ beforeId, afterId }) : []) {
      const { monitorId } = row;
      if (monitorId === null || row.isImported || row.isByFeed || eventIdOf(row) === undefined) continue;
      if (waiting.size < maxWaiting || waiting.has(monitorId))
        waiting.set(monitorId, { dueAt: clock.elapsed(), looks: 0 });
    }
  }

  const matched = (record: DeliveryRecord, attempts: readonly AppDelivery[], connection: string) =>
    toMatched(record, attempts, store.ofEvent(connection, record.attempt.eventId));

  return {
    /** There may be new callbacks, up to this ID. */
    arrived(id: number) {
      newestId = Math.max(newestId, id);
      plan();
    },
    /** The stored record with all attempts of its event; fetches newer ones from the service. */
    async of(callback: StoredCallback): Promise<MatchedDelivery> {
      const { id, monitorId } = callback;
      const reason = neverMatched(callback);
      if (monitorId === null || reason !== undefined) return { isAvailable: false, reason: reason ?? '' };
      const connection = connectionId();
      const known = store.of(connection, id);
      try {
        const log = await readStates(monitorId);
        if (!log.isAvailable)
          return known
            ? matched(known, [], connection)
            : { isAvailable: false, reason: 'This service has no delivery log.' };
        const attempts = await attemptsOf(deliveries, monitorId);
        if (!isClosed && connection === connectionId()) storeMatches(monitorId, attempts, log.aheadMs);
        const record = store.of(connection, id) ?? matchOf(callback, attempts, log.aheadMs, connection);
        return record
          ? matched(record, attempts, connection)
          : { isAvailable: false, reason: 'This event isn’t in the service’s delivery log, or is no longer in it.' };
      } catch (error) {
        if (known) return matched(known, [], connection);
        throw error;
      }
    },
    close() {
      isClosed = true;
      planned?.cancel();
    },
  };
}

function createStatesReader({ deliveries, connectionId, clock }: DeliveryRecordsDependencies) {
  let states: { of: string; readAt: number; value: DeliveryStates } | undefined;
  /** Not older than some seconds; unless they know the monitor, then some more. */
  return async function readStates(monitorId: string | null): Promise<DeliveryStates> {
    const of = connectionId();
    const age = states?.of === of ? clock.elapsed() - states.readAt : Infinity;
    const isKnown =
      states?.value.isAvailable === true && states.value.states.some((state) => state.monitor_id === monitorId);
    if (states && (states.value.isAvailable ? isKnown && age < freshStatesMs : age < retryMs)) return states.value;
    const value = await deliveries.states();
    states = { of, readAt: clock.elapsed(), value };
    return value;
  };
}

function toMatched(
  { attempt: own, arrivedAfterMs, isCopy }: DeliveryRecord,
  attempts: readonly AppDelivery[],
  stored: readonly StoredRecord[],
): MatchedDelivery {
  const callbackIds = new Map(stored.map(({ attempt, callbackId }) => [attempt.id, callbackId]));
  const all = new Map([...stored.map(({ attempt }) => attempt), own].map((one) => [one.id, one]));
  for (const attempt of attempts) if (attempt.eventId === own.eventId) all.set(attempt.id, attempt);
  const timeline = [...all.values()]
    .toSorted((one, other) => (parseTimestamp(one.startedAt) ?? 0) - (parseTimestamp(other.startedAt) ?? 0))
    .map((attempt) => ({ ...attempt, callbackId: callbackIds.get(attempt.id) ?? null }));
  return { isAvailable: true, attempt: own, arrivedAfterMs, isCopy, attempts: timeline.slice(-maxAttempts) };
}

function neverMatched(callback: StoredCallback): string | undefined {
  if (callback.isByFeed)
    return 'This callback was read from the feed, so it is not a delivery. Delivery attempts are in the monitor’s log.';
  if (callback.monitorId === null || eventIdOf(callback) === undefined)
    return 'This callback has no monitor ID or no event ID (webhook-id).';
  return undefined;
}

async function attemptsOf(deliveries: Pick<Deliveries, 'of'>, monitorId: string): Promise<AppDelivery[]> {
  try {
    return await deliveries.of(monitorId);
  } catch (error) {
    if (error instanceof AppFailure && error.details.httpStatus === 404) return [];
    throw error;
  }
}

/** An attempt has ended by then, so it is in the log. */
const maxAttemptMs = 20_000;
/** The newest are listed. */
const maxAttempts = 50;

function eventIdOf({ headers }: Pick<StoredCallback, 'headers'>): string | undefined {
  return headerOf(headers, 'webhook-id');
}

type StoredRecord = DeliveryRecord & { callbackId: number };

/** The table `callback_deliveries`. */
function createRecordStore(db: DatabaseSync) {
  // The callback may have been removed in the meantime.
  const insert = db.prepare(
    `INSERT OR IGNORE INTO callback_deliveries (callback_id, connection_id, event_id, attempt_id, arrived_after_ms, is_copy, attempt)
     SELECT ?, ?, ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM callbacks WHERE id = ?)`,
  );
  const one = db.prepare('SELECT * FROM callback_deliveries WHERE callback_id = ? AND connection_id = ?');
  const event = db.prepare(
    `SELECT * FROM callback_deliveries WHERE connection_id = ? AND event_id = ? AND is_copy = 0 ORDER BY callback_id LIMIT ${maxAttempts}`,
  );
  const taken = db.prepare(
    `SELECT callback_id FROM callback_deliveries
     WHERE connection_id = ? AND attempt_id = ? AND is_copy = 0 AND callback_id <> ? LIMIT 1`,
  );
  const withoutRecord = db.prepare(
    `SELECT id FROM (SELECT id FROM callbacks WHERE monitor_id = ? ORDER BY id DESC LIMIT ${rowsPerLook})
     WHERE NOT EXISTS (SELECT 1 FROM callback_deliveries WHERE callback_id = id AND connection_id = ?)`,
  );
  return {
    add(connectionId: string, callbackId: number, { attempt, arrivedAfterMs, isCopy }: DeliveryRecord): void {
      const { eventId, id } = attempt;
      const json = JSON.stringify(attempt);
      insert.run(callbackId, connectionId, eventId, id, arrivedAfterMs, isCopy ? 1 : 0, json, callbackId);
    },
    of(connectionId: string, callbackId: number): DeliveryRecord | undefined {
      const row = one.get(callbackId, connectionId);
      return row && toRecord(row);
    },
    /** Without copies. */
    ofEvent: (connectionId: string, eventId: string) => event.all(connectionId, eventId).map(toRecord),
    callbackOf: (connectionId: string, attemptId: string, except: number) =>
      taken.get(connectionId, attemptId, except)?.['callback_id'],
    /** IDs of the monitor's newest callbacks, newest first. */
    withoutRecord: (connectionId: string, monitorId: string) =>
      withoutRecord.all(monitorId, connectionId).map((row) => Number(row['id'])),
  };
}

function toRecord(row: Record<string, unknown>): StoredRecord {
  return {
    callbackId: Number(row['callback_id']),
    attempt: JSON.parse(String(row['attempt'])) as AppDelivery,
    arrivedAfterMs: row['arrived_after_ms'] as number | null,
    isCopy: row['is_copy'] === 1,
  };
}
