// What the service's delivery log says of stored callbacks. It is also read soon after callbacks arrive, without a user, because verdicts
// depend on it (core/monitors/deliveries.ts keeps what they need of it).
import { type Clock, parseTimestamp } from '@rainbell/shared';
import type { AppDelivery, MatchedDelivery } from '@rainbell/contract/app-rpc';
import { isUnknownAddress } from '../connection/api-client.ts';
import { headerOf } from '../http/http-headers.ts';
import type { Deliveries } from '../monitors/deliveries.ts';
import type { KnownMonitors } from '../monitors/known-monitors.ts';
import { isReplay } from '../receiver/checks/event-evidence.ts';
import type { CallbackPages } from '../receiver/records/callback-pages.ts';
import type { StoredCallback } from '../receiver/records/stored-callback.ts';
import type { CallbackIndex } from './callback-index.ts';

export type CallbackAttempts = ReturnType<typeof createCallbackAttempts>;

type CallbackAttemptsDependencies = {
  pages: Pick<CallbackPages, 'get'>;
  index: Pick<CallbackIndex, 'sameEvent'>;
  deliveries: Pick<Deliveries, 'of' | 'states' | 'hasDeliveryLog'>;
  knownMonitors: Pick<KnownMonitors, 'urls'>;
  /** Whether the service can be queried without signing in or starting anything. */
  canRead: () => boolean;
  clock: Clock;
};

const lookEveryMs = 1000;
/** An attempt is in the log when it has ended, which takes up to 15 s. */
const lookAgainMs = 20_000;
/** Logs of so many monitors wait to be read; the others are read when a user opens a callback. */
const maxWaiting = 200;
const logsPerLook = 5;
/** Time until a service without a delivery log is queried again. */
const retryMs = 5 * 60_000;
/** A signature is made this much before or after its attempt begins, by the service's clock. */
const toleranceMs = 2500;

export function createCallbackAttempts(dependencies: CallbackAttemptsDependencies) {
  const { pages, index, deliveries, knownMonitors, canRead, clock } = dependencies;
  /** By monitor, when its log is read: soon, and once more after a while. */
  const waiting = new Map<string, { dueAt: number; isLast: boolean }>();
  let askAgainAt = -Infinity;
  let cancelLook: (() => void) | undefined;
  let isClosed = false;

  const isKnown = (monitorId: string) => knownMonitors.urls()?.has(monitorId) !== false;

  function plan(): void {
    if (isClosed || waiting.size === 0) return;
    cancelLook ??= clock.after(lookEveryMs, () => {
      // The screens report what is wrong with the service.
      void look()
        .catch(() => {})
        .finally(() => {
          cancelLook = undefined;
          plan();
        });
    });
  }

  async function look(): Promise<void> {
    for (const id of waiting.keys()) if (!isKnown(id)) waiting.delete(id);
    const due = [...waiting].filter(([, { dueAt }]) => dueAt <= clock.elapsed()).slice(0, logsPerLook);
    for (const [monitorId, { isLast }] of due) {
      if (isLast) waiting.delete(monitorId);
      else waiting.set(monitorId, { dueAt: clock.elapsed() + lookAgainMs, isLast: true });
    }
    if (due.length === 0 || !canRead() || !(await hasLog())) return;
    for (const [monitorId] of due) await deliveries.of(monitorId, { isBackground: true }).catch(noneIfUnknown);
  }

  async function hasLog(): Promise<boolean> {
    if (!deliveries.hasDeliveryLog() && clock.elapsed() >= askAgainAt) {
      await deliveries.states();
      askAgainAt = clock.elapsed() + retryMs;
    }
    return deliveries.hasDeliveryLog();
  }

  return {
    /** A callback that arrived was judged: what the log says of it may change its verdict. */
    judged(callback: StoredCallback) {
      const { monitorId, isImported, isByFeed } = callback;
      const isLogged = !isImported && !isByFeed && eventIdOf(callback) !== undefined;
      if (!isLogged || monitorId === null) return;
      // A new monitor is unknown until its first callback makes the app fetch the list. Forged IDs get only half of the places.
      const places = isKnown(monitorId) ? maxWaiting : maxWaiting / 2;
      if (waiting.size < places || waiting.has(monitorId))
        waiting.set(monitorId, { dueAt: clock.elapsed(), isLast: false });
      plan();
    },
    /** The attempt that sent the callback, with all of its event; null if the service's log has none. */
    async of(callback: StoredCallback): Promise<MatchedDelivery | null> {
      const { monitorId } = callback;
      const eventId = eventIdOf(callback);
      if (monitorId === null || eventId === undefined || callback.isByFeed) return null;
      const log = await deliveries.of(monitorId).catch(noneIfUnknown);
      const attempts = log
        .filter((attempt) => attempt.eventId === eventId)
        .toSorted((one, other) => startOf(one) - startOf(other));
      const attempt = attemptOf(callback, attempts) ?? (isRepeated(callback) ? attempts[0] : undefined);
      if (!attempt) return null;
      const same = index.sameEvent(eventId, Number.MAX_SAFE_INTEGER).map(pages.get);
      // Newest first: of several, the oldest counts.
      const sentBy = new Map(
        same.toReversed().map((one) => [one && !isRepeated(one) && attemptOf(one, attempts), one?.id]),
      );
      return {
        attempt,
        isCopy: isRepeated(callback) || (sentBy.get(attempt) ?? callback.id) !== callback.id,
        attempts: attempts.map((one) => ({ ...one, callbackId: sentBy.get(one) ?? null })),
      };
    },
    close() {
      isClosed = true;
      cancelLook?.();
    },
  };
}

/** By the time of its signature: start of an attempt and signature follow the same clock. */
function attemptOf(callback: StoredCallback, attempts: readonly AppDelivery[]): AppDelivery | undefined {
  const signedAt = Number(headerOf(callback.headers, 'webhook-timestamp')) * 1000;
  const distanceOf = (attempt: AppDelivery) => Math.abs(signedAt - startOf(attempt));
  return attempts
    .filter((attempt) => distanceOf(attempt) <= toleranceMs)
    .toSorted((one, other) => distanceOf(one) - distanceOf(other))[0];
}

function isRepeated(callback: StoredCallback): boolean {
  return callback.isImported || callback.isByFeed || isReplay(callback);
}

function eventIdOf({ headers }: StoredCallback): string | undefined {
  return headerOf(headers, 'webhook-id');
}

function startOf({ startedAt }: AppDelivery): number {
  return parseTimestamp(startedAt) ?? 0;
}

/** A service without a log, or without the monitor. */
function noneIfUnknown(error: unknown): AppDelivery[] {
  if (isUnknownAddress(error)) return [];
  throw error;
}
