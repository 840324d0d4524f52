// The service's delivery queue on a database, put together as createMonitors does it.
import { lookup } from 'node:dns';
import { createCallbackGuard } from '#shared/network/callback-guard.ts';
import { type Clock, systemClock } from '#shared/time/clock.ts';
import type { Database } from '#service/database/open-database.ts';
import { Delivery } from '#service/monitors/delivery/deliver.ts';
import { createOutbox } from '#service/monitors/delivery/outbox.ts';
import { createCallbackSender } from '#service/monitors/delivery/send-callback.ts';
import { createCallbackCredentials, createWebhookSecrets } from '#service/monitors/delivery/signing.ts';
import { silentLog } from './monitor-database.ts';

export function startQueue(database: Database, timeoutMs = 15_000, clock: Clock = systemClock): Delivery {
  const guard = createCallbackGuard({ policy: { kind: 'local', allowlist: [], ownPort: 0 }, lookup });
  return new Delivery({
    clock,
    machineClock: systemClock,
    log: silentLog,
    outbox: createOutbox(database, 'bench'),
    sender: createCallbackSender({ guard, timeoutMs, connectionsPerHost: 4, elapsedMs: () => performance.now() }),
    secrets: createWebhookSecrets({ db: database.db, clock: systemClock }),
    credentialsOf: createCallbackCredentials({ db: database.db }),
    addressOf: (host) => host,
    rules: { retries: 4, timeoutMs, random: Math.random },
  });
}

/** Resolves when nothing waits to be sent, as the database has it. */
export async function allSent({ db }: Database): Promise<void> {
  for (;;) {
    const left = await db.selectFrom('waiting_events').select('event_id').limit(1).execute();
    if (left.length === 0) return;
    await pause(50);
  }
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void systemClock.after(milliseconds, resolve));
}
