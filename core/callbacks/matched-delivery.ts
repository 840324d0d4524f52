// Which attempt of the service brought a callback, and how long it took on its way: only where the service tells of its
// deliveries, as our own does (contract/service-api/delivery.ts).
import type { AppDelivery } from '#contract/app-rpc/monitors.ts';
import { parseTimestamp } from '#contract/service-api/timestamp.ts';
import type { Deliveries } from '../monitors/deliveries.ts';
import { AppFailure } from '#core/errors/app-failure.ts';
import { headerOf } from '../receiver/checked-callback.ts';
import type { StoredCallback } from '../receiver/callback-pages.ts';

export type MatchedDelivery = { told: false; reason: string } | { told: true; attempt: AppDelivery; latencyMs: number };

type MatchedDeliveryDependencies = { deliveries: Pick<Deliveries, 'of' | 'states'> };

export async function matchDelivery(
  callback: Pick<StoredCallback, 'monitorId' | 'headers' | 'receivedAt'>,
  { deliveries }: MatchedDeliveryDependencies,
): Promise<MatchedDelivery> {
  const eventId = headerOf(callback.headers, 'webhook-id');
  if (callback.monitorId === null || eventId === undefined) {
    return { told: false, reason: 'It names no monitor, or no event (webhook-id).' };
  }
  const states = await deliveries.states();
  if (!states.told) return { told: false, reason: 'This service does not tell of its deliveries.' };
  const attempts = await attemptsOf(callback.monitorId, deliveries);
  const receivedAt = (parseTimestamp(callback.receivedAt) ?? 0) + states.aheadMs;
  const attempt = closestAttempt(attempts, eventId, receivedAt);
  if (!attempt) return { told: false, reason: 'The service’s delivery log has no such event (any more).' };
  return { told: true, attempt, latencyMs: Math.max(0, receivedAt - startOf(attempt)) };
}

async function attemptsOf(monitorId: string, deliveries: Pick<Deliveries, 'of'>): Promise<AppDelivery[]> {
  try {
    return await deliveries.of(monitorId);
  } catch (error) {
    if (error instanceof AppFailure && error.details.httpStatus === 404) return [];
    throw error;
  }
}

/** The attempts of one event share its id; the one that began last before the arrival brought it. */
export function closestAttempt(
  attempts: readonly AppDelivery[],
  eventId: string,
  receivedAt: number,
): AppDelivery | undefined {
  return attempts
    .filter((attempt) => attempt.eventId === eventId)
    .toSorted((one, other) => Math.abs(receivedAt - startOf(one)) - Math.abs(receivedAt - startOf(other)))[0];
}

function startOf({ startedAt }: AppDelivery): number {
  return parseTimestamp(startedAt) ?? 0;
}
