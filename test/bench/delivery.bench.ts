// Goals 8 and 9 of docs/performance.md. 8: delivery with its bookkeeping (checked, signed, logged, counted, kept in a
// database that survives a loss of power) against HTTP clients that only send; CPU time of this process. 9: dead hosts.
import { Agent as NodeAgent, request } from 'node:http';
import { Agent } from 'undici';
import { systemClock } from '#shared/time/clock.ts';
import { createEventClaims } from '#service/delivery/outbox/event-claim.ts';
import { allSent, startQueue } from './bench-queue.ts';
import { atLeast, type BenchOptions, type BenchRow, assess, median } from './bench-row.ts';
import { startCallbackServer } from './callback-servers.ts';
import { benchDeadHosts } from './dead-hosts.ts';
import { createSmallestSender, type SmallestEvent } from './smallest-sender.ts';
import { cellNames, createMonitorDatabases, measure, type MonitorDatabases } from './monitor-database.ts';

type Sender = (events: readonly SmallestEvent[]) => Promise<void>;
type Name = 'dispatch' | 'node' | 'fetch' | 'smallest';

const count = 10_000;
const cells = 100;
/** Until all is compiled: a service runs for long, and its part has more code than the clients. */
const warmUps = 4;

export async function bench(options: BenchOptions): Promise<BenchRow[]> {
  const databases = createMonitorDatabases();
  const rows = await benchCost(databases, options.isQuick ? 3 : 7, options.say);
  return [...rows, ...(await benchDeadHosts(databases, options))];
}

async function benchCost(databases: MonitorDatabases, rounds: number, say: BenchOptions['say']): Promise<BenchRow[]> {
  const servers = await Promise.all([1, 2, 3, 4].map(() => startCallbackServer()));
  const addressOf = (index: number) => `http://127.0.0.1:${servers[index % servers.length]?.port}/${index}`;
  const seen: Record<Name | 'ours', number[]> = { ours: [], dispatch: [], node: [], fetch: [], smallest: [] };
  for (let round = -warmUps; round < rounds; round += 1) {
    const ours = await deliver(databases, addressOf);
    const events = Array.from({ length: count }, (_, index) => ({ callback_uri: addressOf(index), body: exampleBody }));
    const smallest = await sendSmallest(databases.file(`smallest-${round}.sqlite`), events);
    const costs = { ours, smallest, dispatch: 0, node: 0, fetch: 0 };
    for (const [name, send] of Object.entries(clients)) costs[name as 'fetch'] = await costOf(() => send(events));
    say(
      Object.entries(costs)
        .map(([name, each]) => `${name} ${each.toFixed(0)} µs`)
        .join(', '),
    );
    if (round < 0) continue;
    for (const name of ['ours', 'smallest', 'dispatch', 'node', 'fetch'] as const) seen[name].push(costs[name]);
  }
  for (const server of servers) server.stop();
  const row = (baseline: string, name: Name, least: number) =>
    assess(
      {
        goal: '8',
        what: 'delivery of 10,000 callbacks with bookkeeping, CPU',
        baseline,
        limit: atLeast(least),
        isBeside: name === 'smallest',
        note: `${median(seen.ours).toFixed(0)} and ${median(seen[name]).toFixed(0)} µs each`,
      },
      seen[name].map((each, round) => each / (seen.ours[round] ?? Number.NaN)),
    );
  return [
    row('raw undici dispatch, which only sends', 'dispatch', 0.6),
    row('raw undici dispatch, signed, each result stored', 'smallest', 0.6),
    row('node:http with keep-alive, which only sends', 'node', 2),
    row('native fetch, which only sends', 'fetch', 5),
  ];
}

const costOf = async (work: () => Promise<unknown>) => ((await measure(work)).cpuMilliseconds * 1000) / count;

/** CPU microseconds for each callback, from the sweep's claim until the last result is written down. */
async function deliver(databases: MonitorDatabases, addressOf: (index: number) => string): Promise<number> {
  const database = await databases.fill(count, cells, addressOf);
  const claimOnly = await databases.fill(count, cells, addressOf);
  const now = systemClock.now();
  // Goal 7 covers firing, so its cost is subtracted.
  const claim = await costOf(() => createEventClaims(claimOnly).claim(cellNames(cells), now));
  await claimOnly.close();
  const queue = startQueue(database);
  const whole = await costOf(async () => {
    await queue.claim(cellNames(cells), now);
    await allSent(database);
  });
  await queue.close(1_000);
  await database.close();
  return whole - claim;
}

async function sendSmallest(file: string, events: readonly SmallestEvent[]): Promise<number> {
  const sender = createSmallestSender(file, events);
  const cost = await costOf(sender.send);
  await sender.close();
  return cost;
}

const headers = { 'content-type': 'application/json' };
const exampleBody = JSON.stringify({
  uri: '/v2/monitors/precipitation_1234/',
  geo: { type: 'Point', coordinates: [7.69, 45.07] },
  id: 'precipitation_1234',
  callback_uri: 'http://127.0.0.1:12345/1234',
  monitor_type: 'precipitation',
});

const clients: Record<'dispatch' | 'node' | 'fetch', Sender> = {
  async dispatch(events) {
    const agent = new Agent({ connections: 4, pipelining: 1 });
    await sixteenAtOnce(events, ({ callback_uri: callbackUri, body }) => {
      const { origin, pathname } = new URL(callbackUri);
      return new Promise((resolve, reject) => {
        agent.dispatch(
          { origin, path: pathname, method: 'POST', headers, body },
          {
            onRequestStart() {},
            onResponseStart() {},
            onResponseData() {},
            onResponseEnd: () => resolve(undefined),
            onResponseError: (_, error) => reject(error),
          },
        );
      });
    });
    await agent.close();
  },

  async node(events) {
    const agent = new NodeAgent({ keepAlive: true, maxSockets: 4 });
    await sixteenAtOnce(events, ({ callback_uri: callbackUri, body }) => {
      return new Promise((resolve, reject) => {
        const sent = request(callbackUri, { method: 'POST', headers, agent }, (answer) => {
          answer.resume();
          answer.once('end', resolve);
        });
        sent.once('error', reject);
        sent.end(body);
      });
    });
    agent.destroy();
  },

  fetch: (events) =>
    sixteenAtOnce(events, async ({ callback_uri: callbackUri, body }) => {
      const answer = await fetch(callbackUri, { method: 'POST', headers, body });
      await answer.arrayBuffer();
    }),
};

async function sixteenAtOnce(
  events: readonly SmallestEvent[],
  post: (event: SmallestEvent) => Promise<unknown>,
): Promise<void> {
  const remaining = events.values();
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (const event of remaining) await post(event);
    }),
  );
}
