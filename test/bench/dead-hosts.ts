// Goal 9 of docs/performance.md: how long healthy callbacks wait when a tenth of the hosts hang, against the same with no
// hanging hosts; beside it a plain queue of 64 workers, to show what such hosts do without care.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, request } from 'undici';
import { systemClock } from '#shared/time/clock.ts';
import type { Database } from '#service/database/open-database.ts';
import { startQueue } from './bench-queue.ts';
import { atMost, type BenchOptions, type BenchRow, assess, median } from './bench-row.ts';
import { cellNames, type MonitorDatabases } from './monitor-database.ts';

const hosts = 200;
const callbacks = 4_000;
const cells = 20;
/** Shorter than the service's 15 s, so that the plain queue ends in time for a bench; it only favours that one. */
const timeoutMs = 3_000;

/** Linux answers on all of 127.0.0.0/8, so each host is an address of its own. */
const hostOf = (index: number) => `127.0.${1 + Math.floor((index % hosts) / 100)}.${1 + ((index % hosts) % 100)}`;
const isTenth = (index: number) => (index % hosts) % 10 === 0;

type Endpoint = {
  port: number;
  /** Resolves with the milliseconds from now until each healthy callback arrived. */
  arrivals(): Promise<number[]>;
  close(): void;
};

async function startEndpoint(): Promise<Endpoint> {
  const healthy = callbacks - callbacks / 10;
  let received = new Map<string, number>();
  let finish = () => {};
  const server = createServer((incoming, answer) => {
    incoming.resume();
    const path = incoming.url ?? '';
    if (path.startsWith('/hang')) return;
    if (path.startsWith('/healthy') && !received.has(path)) received.set(path, performance.now());
    answer.writeHead(204).end();
    if (received.size === healthy) finish();
  });
  await new Promise<void>((resolve) => void server.listen(0, '0.0.0.0', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async arrivals() {
      received = new Map();
      const started = performance.now();
      await new Promise<void>((resolve) => void (finish = resolve));
      return [...received.values()].map((at) => at - started);
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const addressOf = (endpoint: Endpoint, areDead: boolean) => (index: number) => {
  const kind = isTenth(index) ? (areDead ? 'hang' : 'spare') : 'healthy';
  return `http://${hostOf(index)}:${endpoint.port}/${kind}/${index}`;
};

function percentile99(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * 0.99)] ?? Number.NaN;
}

async function ofOurs(databases: MonitorDatabases, endpoint: Endpoint, areDead: boolean): Promise<number> {
  const database: Database = await databases.fill(callbacks, cells, addressOf(endpoint, areDead));
  const queue = startQueue(database, timeoutMs);
  const arrivals = endpoint.arrivals();
  await queue.claim(cellNames(cells), systemClock.now());
  const p99 = percentile99(await arrivals);
  await queue.close(10);
  await database.close();
  return p99;
}

async function ofPlainQueue(endpoint: Endpoint, areDead: boolean): Promise<number> {
  const agent = new Agent({ connections: 4, pipelining: 1 });
  const remaining = Array.from({ length: callbacks }, (_, index) => addressOf(endpoint, areDead)(index)).values();
  const arrivals = endpoint.arrivals();
  const work = Array.from({ length: 64 }, async () => {
    for (const url of remaining) {
      const limits = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
      const sent = request(url, { method: 'POST', body: '{}', dispatcher: agent, ...limits });
      await sent.then(({ body }) => body.dump()).catch(() => undefined);
    }
  });
  const p99 = percentile99(await arrivals);
  await agent.destroy();
  await Promise.all(work);
  return p99;
}

export async function benchDeadHosts(databases: MonitorDatabases, { isQuick, say }: BenchOptions): Promise<BenchRow[]> {
  if (process.platform !== 'linux') return [];
  const endpoint = await startEndpoint();
  const [ours, alive]: [number[], number[]] = [[], []];
  await ofOurs(databases, endpoint, false);
  for (let round = 0; round < (isQuick ? 2 : 5); round += 1) {
    alive.push(await ofOurs(databases, endpoint, false));
    ours.push(await ofOurs(databases, endpoint, true));
    say(`healthy p99 ${ours.at(-1)?.toFixed(0)} ms with dead hosts, ${alive.at(-1)?.toFixed(0)} ms with none`);
  }
  const plain = isQuick ? '' : await plainInWords(endpoint);
  endpoint.close();
  const row = {
    goal: '9',
    what: 'p99 of 3,600 callbacks to healthy hosts while 20 of 200 hosts hang',
    baseline: 'no hanging hosts',
    limit: atMost(1.25),
    note: `${median(ours).toFixed(0)} and ${median(alive).toFixed(0)} ms${plain}`,
  };
  const ratios = ours.map((each, round) => each / (alive[round] ?? Number.NaN));
  return [assess(row, ratios)];
}

/** It takes a third of a minute. */
async function plainInWords(endpoint: Endpoint): Promise<string> {
  const [alive, dead] = [await ofPlainQueue(endpoint, false), await ofPlainQueue(endpoint, true)];
  return `; a plain queue of 64 workers: ${dead.toFixed(0)} and ${alive.toFixed(0)} ms, ${(dead / alive).toFixed(0)}×`;
}
