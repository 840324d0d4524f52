// Which attempt in the service's delivery log brought a callback, and when it arrived. Pure.
import type { AppDelivery } from '@rainbell/contract/app-rpc';
import { parseTimestamp } from '@rainbell/shared';
import { headerOf } from '../http/http-headers.ts';
import type { StoredCallback } from '../receiver/records/stored-callback.ts';
import { isReplay } from '../receiver/checks/event-evidence.ts';

export type DeliveryRecord = {
  attempt: AppDelivery;
  /** Milliseconds from the start of the attempt to the receipt; null if the clocks of service and app don't fit. */
  arrivedAfterMs: number | null;
  /** A copy of what this attempt sent: a replay, or the same request once more. */
  isCopy: boolean;
};

export type MatchedCallback = Pick<StoredCallback, 'headers' | 'receivedAt' | 'isImported' | 'outcome'>;

/** Two clocks that were compared over the network differ by less, and so does a signature's time from its sending. */
const toleranceMs = 2500;

/**
 * Returns the attempt that a callback came with, or whose request it repeats; undefined if the log has none. `aheadMs`: how far
 * the service's clock is ahead of this machine's. `isTaken`: whether an earlier callback came with this attempt.
 */
export function matchAttempt(
  callback: MatchedCallback,
  attempts: readonly AppDelivery[],
  { aheadMs, isTaken }: { aheadMs: number; isTaken: (attemptId: string) => boolean },
): DeliveryRecord | undefined {
  const { headers, isImported, outcome } = callback;
  const eventId = headerOf(headers, 'webhook-id');
  const ofEvent = attempts.filter((attempt) => attempt.eventId === eventId);
  const receivedAt = callback.receivedAt + aheadMs;
  // Start of an attempt and signature follow the same clock, even if that was moved.
  const signedAt = Number(headerOf(headers, 'webhook-timestamp') ?? Number.NaN) * 1000;
  const isSigned = Number.isFinite(signedAt);
  const sinceStart = (attempt: AppDelivery) => (isSigned ? signedAt : receivedAt) - startOf(attempt);
  const latest = isSigned ? () => toleranceMs : (attempt: AppDelivery) => attempt.latencyMs + toleranceMs;
  const attempt = ofEvent
    .filter((one) => sinceStart(one) >= -toleranceMs && sinceStart(one) <= latest(one))
    .toSorted((one, other) => Math.abs(sinceStart(one)) - Math.abs(sinceStart(other)))[0];
  const isRepeated = isImported || isReplay(callback);
  if (!attempt) {
    const repeated = isRepeated ? ofEvent.toSorted((one, other) => startOf(one) - startOf(other))[0] : undefined;
    return repeated && { attempt: repeated, arrivedAfterMs: null, isCopy: true };
  }
  const arrivedMs = receivedAt - startOf(attempt);
  const isCopy = isRepeated || isTaken(attempt.id) || arrivedMs > attempt.latencyMs + toleranceMs;
  return { attempt, arrivedAfterMs: isCopy ? null : arrivalWithin(arrivedMs, attempt, outcome.afterMs ?? 0), isCopy };
}

/**
 * The app's clock is compared with the service's over the network, so the receipt can seem to be before the start or after the
 * response. It was between them, and the response was sent `respondedAfterMs` after the receipt.
 */
function arrivalWithin(arrivedMs: number, { latencyMs }: AppDelivery, respondedAfterMs: number): number | null {
  if (arrivedMs < -toleranceMs) return null;
  return Math.round(Math.min(Math.max(arrivedMs, 0), Math.max(latencyMs - respondedAfterMs, 0)));
}

function startOf({ startedAt }: AppDelivery): number {
  return parseTimestamp(startedAt) ?? 0;
}
