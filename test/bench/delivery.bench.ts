// Goal 8 of docs/performance.md: delivery with its bookkeeping (checked, signed, logged, counted, kept in a database that survives a
// loss of power) against the least that delivers and stores as durably; CPU time of this process.
import { systemClock } from '#shared/time/clock.ts';
import { createOutbox } from '#service/monitors/delivery/outbox.ts';
import { allSent, startQueue } from './bench-queue.ts';
import { atLeast, type BenchOptions, type BenchRow, assess, median } from './bench-row.ts';
import { startCallbackServer } from './callback-servers.ts';
import { createSmallestSender, type SmallestEvent } from './smallest-sender.ts';
import { cellNames, createMonitorDatabases, measure, type MonitorDatabases } from './monitor-database.ts';

const cells = 100;
/** Until all is compiled: a service runs for long, and its part has more code than the smallest sender. */
const warmUps = 4;

export async function bench({ extent, say }: BenchOptions): Promise<BenchRow[]> {
  const databases = createMonitorDatabases();
  const [first, rounds] = { trial: [0, 1], quick: [-warmUps, 3], whole: [-warmUps, 7] }[extent] as [number, number];
  const count = extent === 'trial' ? 200 : 10_000;
  const servers = await Promise.all([1, 2, 3, 4].map(() => startCallbackServer()));
  const addressOf = (index: number) => `http://127.0.0.1:${servers[index % servers.length]?.port}/${index}`;
  const seen = { ours: [] as number[], smallest: [] as number[] };
  for (let round = first; round < rounds; round += 1) {
    const ours = await deliver(databases, count, addressOf);
    const events = Array.from({ length: count }, (_, index) => ({ callback_uri: addressOf(index), body: exampleBody }));
    const smallest = await sendSmallest(databases.file(`smallest-${round}.sqlite`), events);
    say(`ours ${ours.toFixed(0)} µs, smallest ${smallest.toFixed(0)} µs`);
    if (round < 0) continue;
    seen.ours.push(ours);
    seen.smallest.push(smallest);
  }
  for (const server of servers) server.stop();
  const subject = {
    goal: '8',
    what: 'delivery of 10,000 callbacks with bookkeeping, CPU',
    baseline: 'raw undici dispatch, signed, each result stored',
    limit: atLeast(0.6),
    note: `${median(seen.ours).toFixed(0)} and ${median(seen.smallest).toFixed(0)} µs each`,
  };
  const ratios = seen.smallest.map((each, round) => each / (seen.ours[round] ?? Number.NaN));
  return [assess(subject, ratios)];
}

const costOf = async (count: number, work: () => Promise<unknown>) =>
  ((await measure(work)).cpuMilliseconds * 1000) / count;

/** CPU microseconds for each callback, from the sweep's claim until the last result is written down. */
async function deliver(
  databases: MonitorDatabases,
  count: number,
  addressOf: (index: number) => string,
): Promise<number> {
  const database = await databases.fill(count, cells, addressOf);
  const claimOnly = await databases.fill(count, cells, addressOf);
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

async function sendSmallest(file: string, events: readonly SmallestEvent[]): Promise<number> {
  const sender = createSmallestSender(file, events);
  const cost = await costOf(events.length, sender.send);
  await sender.close();
  return cost;
}

const exampleBody = JSON.stringify({
  uri: '/v2/monitors/precipitation_1234/',
  geo: { type: 'Point', coordinates: [7.69, 45.07] },
  id: 'precipitation_1234',
  callback_uri: 'http://127.0.0.1:12345/1234',
  monitor_type: 'precipitation',
});
