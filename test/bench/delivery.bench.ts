// Goal 8 of docs/performance.md: delivery with its bookkeeping (checked, signed, logged, counted, kept in a database that survives a
// loss of power) against the least that delivers and stores as durably; CPU time of this process.
import { lookup } from 'node:dns';
import { createCallbackGuard } from '#shared/node/callback-guard.ts';
import { systemClock } from '#shared/time/clock.ts';
import type { Database } from '#service/database/open-database.ts';
import { Delivery } from '#service/monitors/delivery/deliver.ts';
import { createOutbox } from '#service/monitors/delivery/outbox.ts';
import { createCallbackSender } from '#service/monitors/delivery/send-callback.ts';
import { createCallbackCredentials, createWebhookSecrets } from '#service/monitors/delivery/signing.ts';
import { atLeast, type BenchOptions, type BenchRow, assess, median, repeat } from './bench-row.ts';
import { startCallbackServers } from './child-server.ts';
import { createSmallestSender, type SmallestEvent } from './smallest-sender.ts';
import {
  allSent,
  cellNames,
  createMonitorDatabases,
  exampleBody,
  measure,
  type MonitorDatabases,
  silentLog,
} from './monitor-database.ts';

const cells = 100;

export async function bench({ extent, say }: BenchOptions): Promise<BenchRow[]> {
  const databases = createMonitorDatabases();
  const count = extent === 'trial' ? 200 : 10_000;
  await using servers = await startCallbackServers();
  const { urls } = servers;
  // Warm-ups until all is compiled: a service runs for long, and its part has more code than the smallest sender.
  const seen = await repeat(extent, { warmUps: 4, quick: 3, whole: 7 }, async (round) => {
    const ours = await deliver(databases, count, urls);
    const events = Array.from({ length: count }, (_, index) => ({
      id: `evt_${String(index).padStart(12, '0')}`,
      url: `${urls[index % urls.length]}${index}`,
      body: exampleBody,
    }));
    const smallest = await sendSmallest(databases.file(`smallest-${round}.sqlite`), events);
    say(`ours ${ours.toFixed(0)} µs, smallest ${smallest.toFixed(0)} µs`);
    return { ours, smallest };
  });
  const middle = (name: 'ours' | 'smallest') => median(seen.map((round) => round[name])).toFixed(0);
  const subject = {
    goal: '8',
    what: 'delivery of 10,000 callbacks with bookkeeping, CPU',
    baseline: 'raw undici dispatch, signed, each result stored',
    limit: atLeast(0.6),
    note: `${middle('ours')} and ${middle('smallest')} µs each`,
  };
  const ratios = seen.map(({ ours, smallest }) => smallest / ours);
  return [assess(subject, ratios)];
}

const costOf = async (count: number, work: () => Promise<unknown>) => ((await measure(work)) * 1000) / count;

/** CPU microseconds for each callback, from the sweep's claim until the last result is written down. */
async function deliver(databases: MonitorDatabases, count: number, urls: readonly string[]): Promise<number> {
  const database = await databases.fill(count, cells, urls);
  const claimOnly = await databases.fill(count, cells, urls);
  const now = systemClock.now();
  // Goal 7 covers firing, so its cost is subtracted.
  const claim = await costOf(count, () => createOutbox(claimOnly, 'claims').claim(cellNames(cells), now));
  await claimOnly.close();
  const queue = startQueue(database);
  const whole = await costOf(count, async () => {
    await queue.claim(cellNames(cells), now);
    await allSent(database);
  });
  await queue.close(1_000);
  await database.close();
  return whole - claim;
}

/** The service's delivery queue, put together as createMonitors does it. */
function startQueue(database: Database): Delivery {
  const timeoutMs = 15_000;
  const guard = createCallbackGuard({ policy: { kind: 'local', allowlist: [], ownPort: 0 }, lookup });
  return new Delivery({
    clock: systemClock,
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

async function sendSmallest(file: string, events: readonly SmallestEvent[]): Promise<number> {
  const sender = createSmallestSender(file, events);
  const cost = await costOf(events.length, sender.send);
  await sender.close();
  return cost;
}
