// Connects a monitor to this app in one click: sets the monitor's callback URL to this app's receiver, and proves with a test event
// that it works. A service without test events (they are not part of the interface) can't prove it, and the result says so.
import type { Clock } from '@rainbell/shared';
import type { AppMonitor } from '@rainbell/contract/app-rpc';
import { isUnknownAddress } from '../connection/api-client.ts';
import { AppFailure } from '../errors/app-failure.ts';
import type { CallbackPages } from '../receiver/records/callback-pages.ts';
import type { Deliveries } from './deliveries.ts';
import type { Monitors } from './monitors.ts';

type CallThisAppDependencies = {
  monitors: Pick<Monitors, 'update'>;
  deliveries: Pick<Deliveries, 'sendTest'>;
  pages: Pick<CallbackPages, 'counts' | 'earlierOf' | 'get'>;
  clock: Clock;
};

export type CallThisApp = (
  id: string,
) => Promise<{ monitor: AppMonitor; proof: 'arrived' | 'missing' | 'untestable'; tookMs: number | null }>;

const lookEveryMs = 50;
const maxWaitMs = 10_000;

export function createCallThisApp({ monitors, deliveries, pages, clock }: CallThisAppDependencies): CallThisApp {
  return async (id) => {
    const monitor = await monitors.update(id, { callback: { kind: 'this-app' } });
    const newestBefore = pages.counts().newestId;
    const hasArrived = () =>
      pages
        .earlierOf({ id: Number.MAX_SAFE_INTEGER, monitorId: id })
        .some((callbackId) => callbackId > newestBefore && pages.get(callbackId)?.isByFeed === false);
    const sentAt = clock.elapsed();
    try {
      await deliveries.sendTest(id);
    } catch (error) {
      if (isUnknownAddress(error) || (error instanceof AppFailure && error.details.httpStatus === 403))
        return { monitor, proof: 'untestable', tookMs: null };
      throw error;
    }
    while (clock.elapsed() - sentAt < maxWaitMs) {
      if (hasArrived()) return { monitor, proof: 'arrived', tookMs: clock.elapsed() - sentAt };
      await new Promise<void>((resolve) => clock.after(lookEveryMs, resolve));
    }
    return { monitor, proof: 'missing', tookMs: null };
  };
}
