// Two service processes on PostgreSQL behind a proxy, under load: rolling restarts with a change of the key, a machine whose clock
// is 10 s ahead, a newer migration, kill -9, and a restart of the database.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Client } from 'pg';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { operator } from '#test/service/operator/operator-process.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { fetchToken } from '#test/service/monitor-service.ts';
import { fillWithMonitors, openFor } from '#test/service/process-harness.ts';
import { freePorts } from '#test/setup/free-ports.ts';
import { fetchAccessToken, startServiceProcess, type ServiceProcess } from '#test/stories/service-process.ts';
import { type FakeWallClock, fakeWallClock, missingFakeClock } from './fake-wall-clock.ts';
import { missingServer, startDebianPostgres } from './drill.ts';
import { startProxy } from './proxy.ts';
import { selectEvents } from '#test/service/monitors/delivery/event-rows.ts';

beforeEach(({ skip }) => {
  const missing = missingFakeClock ?? missingServer;
  skip(missing !== undefined, missing);
});

const [oldKey, newKey] = ['the old key which is long', 'the new key which is long'] as const;
const patience = { timeout: 120_000, interval: 50 };
const center = { lat: 45, lng: 3 };

type Failure = { phase: string; what: string; status: number | string; retryAfter: string | null };

/** Clients that send one request after the other, until `stop`. What is neither a success nor announced is a failure. */
function startLoad(baseUrl: string, credentials: { clientId: string; clientSecret: string }, token: string) {
  const failures: Failure[] = [];
  const counts: Record<string, number> = {};
  let phase = 'start';
  let isOver = false;
  const headers = { authorization: `Bearer ${token}` };
  const weather = (index: number) => `/v2/weather/?location_lat=${40 + (index % 50) / 10}&location_lng=${center.lng}`;
  const basic = Buffer.from(`${credentials.clientId}:${credentials.clientSecret}`).toString('base64');
  const kinds: Record<string, (index: number) => Promise<Response>> = {
    'hot weather': () => fetch(`${baseUrl}${weather(0)}`, { headers }),
    weather: (index) => fetch(`${baseUrl}${weather(index)}`, { headers }),
    monitors: () => fetch(`${baseUrl}/v2/monitors/`, { headers }),
    token: () =>
      fetch(`${baseUrl}/token/`, {
        method: 'POST',
        headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
        body: 'grant_type=client_credentials',
      }),
    website: () => fetch(`${baseUrl}/`),
  };
  const clients = Object.entries(kinds).map(async ([what, send]) => {
    for (let index = 0; !isOver; index += 1) {
      const sentIn = phase;
      const fail = (status: number | string, retryAfter: string | null) =>
        failures.push({ phase: sentIn === phase ? phase : `${sentIn} to ${phase}`, what, status, retryAfter });
      try {
        const response = await send(index);
        await response.arrayBuffer();
        counts[phase] = (counts[phase] ?? 0) + 1;
        if (!response.ok) fail(response.status, response.headers.get('retry-after'));
      } catch (error) {
        fail(String((error as Error).cause ?? error), null);
      }
      // The clients must not use the whole machine.
      await new Promise((resolve) => void setTimeout(resolve, 70));
    }
  });
  return {
    failures,
    counts,
    enter: (next: string) => void (phase = next),
    async stop() {
      isOver = true;
      await Promise.all(clients);
    },
  };
}

test(
  'a fleet loses no request to a rolling restart, no event to anything, and fires no monitor twice',
  { timeout: 600_000 },
  async () => {
    const [proxyPort = 0, ...ports] = await freePorts(3);
    const postgres = await startDebianPostgres();
    const proxy = await startProxy(proxyPort, ports);
    const endpoint = await startCallbackEndpoint((_callback, response) => {
      setTimeout(() => response.writeHead(204).end(), 5);
    });

    const processes: (ServiceProcess | undefined)[] = [];
    const clocks: (FakeWallClock | undefined)[] = [];
    let keys: string = oldKey;
    async function startOne(index: number): Promise<void> {
      const flags = ['--port', String(ports[index]), '--data', temporaryFolder(), '--database', postgres.url];
      const service = await startServiceProcess([...flags, '--provider', 'simulation'], {
        RAINBELL_PUBLIC_URL: proxy.url,
        RAINBELL_SECRET_KEY: keys,
        RAINBELL_SWEEP_SECONDS: '5',
        RAINBELL_DRAIN_SECONDS: '3',
        RAINBELL_LOG_LEVEL: 'warn',
        ...clocks[index]?.environment,
      });
      processes[index] = service;
      onTestFinished(() => stopNow(service.child));
      const own = `http://127.0.0.1:${ports[index]}`;
      // The weather over all monitors; a scenario ends with its process.
      const token = await fetchToken(own, service.introduction);
      const rain = await fetch(`${own}/sandbox/scenarios`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ center, radiusKm: 500, minutes: 600 }),
      });
      expect(rain.status).toBe(200);
      await expect
        .poll(async () => (await fetch(`${own}/health/ready`).catch(() => undefined))?.status, patience)
        .toBe(200);
    }
    async function restart(index: number): Promise<void> {
      expect(await processes[index]?.stop()).toBe(0);
      await startOne(index);
    }

    await startOne(0);
    await startOne(1);
    const { introduction } = processes[0] ?? {};
    if (!introduction) throw new Error('The first process was started.');
    const database = await openFor({ url: postgres.url });
    let monitors = 0;
    /** Rainy monitors in cells of their own, so that events of this phase are under way while it happens. */
    async function rainOnMore(count = 150): Promise<void> {
      const lat = center.lat - 2 + monitors / 400;
      const places = Array.from({ length: 15 }, (_, index) => ({ lat, lng: center.lng + (index - 7) / 5 }));
      await fillWithMonitors(database, Array<string>(count).fill(endpoint.url), places);
      monitors += count;
    }

    const token = await fetchAccessToken({ ...introduction, baseUrl: proxy.url });
    const load = startLoad(proxy.url, introduction, token);
    onTestFinished(load.stop);

    // The key changes in the three steps of docs/delivery.md S7; each is a rolling restart.
    load.enter('rolling restart');
    keys = `${oldKey},${newKey}`;
    clocks[1] = fakeWallClock(10 / 3600);
    for (const index of [0, 1]) {
      await rainOnMore(50);
      await restart(index);
    }
    expect(processes[1]?.complaints()).toContain("this machine's clock differs from the database's");

    load.enter('new key');
    keys = `${newKey},${oldKey}`;
    await rainOnMore();
    for (const index of [0, 1]) await restart(index);
    const location = ['--database', postgres.url];
    const rotation = await operator(temporaryFolder(), ['keys', 'rotate', ...location].join(' '), '', {
      RAINBELL_SECRET_KEY: keys,
    });
    expect(rotation).toMatchObject({ code: 0 });

    load.enter('newer migration');
    const admin = new Client({ connectionString: postgres.url });
    await admin.connect();
    await admin.query(`
      ALTER TABLE monitors ADD COLUMN later text;
      CREATE TABLE later (id text PRIMARY KEY);
      INSERT INTO kysely_migration VALUES ('9999-later-expand', '')`);
    await admin.end();
    keys = newKey;
    await rainOnMore();
    for (const index of [0, 1]) await restart(index);
    expect(processes[1]?.complaints()).toContain('9999-later-expand');

    load.enter('kill -9');
    await rainOnMore();
    await endpoint.waitFor(monitors - 100);
    await stopNow(processes[0]?.child);
    await startOne(0);

    load.enter('database restart');
    await rainOnMore();
    await postgres.restart();
    await expect
      .poll(
        async () =>
          (await fetch(`${proxy.url}/v2/monitors/`, { headers: { authorization: `Bearer ${token}` } })).status,
        patience,
      )
      .toBe(200);
    const before = load.counts['database restart'] ?? 0;
    await expect.poll(() => load.counts['database restart'] ?? 0, patience).toBeGreaterThan(before + 20);
    await load.stop();

    // No failure but a 503 that says when to come back, and none at all in a rolling restart.
    const isAnnounced = ({ status, retryAfter }: Failure) => status === 503 && Number(retryAfter) > 0;
    const mayFail = ({ phase }: Failure) => phase.includes('kill -9') || phase.includes('database restart');
    expect(load.failures.filter((failure) => !mayFail(failure) || !isAnnounced(failure))).toEqual([]);
    const phases = ['rolling restart', 'new key', 'newer migration', 'kill -9', 'database restart'];
    expect(phases.filter((phase) => (load.counts[phase] ?? 0) < 20)).toEqual([]);

    // No event lost, and none twice.
    const open = await openFor({ url: postgres.url });
    const events = () => selectEvents(open.db).execute();
    await expect
      .poll(async () => (await events()).filter(({ state }) => state === 'delivered').length, patience)
      .toBe(monitors);
    const all = await events();
    expect(all).toHaveLength(monitors);
    expect(new Set(all.map(({ monitor_id }) => monitor_id)).size).toBe(monitors);
    const sent = endpoint.received.map(({ headers }) => String(headers['webhook-id']));
    expect(new Set(sent)).toEqual(new Set(all.map(({ id }) => id)));
    // What the killed process had sent and not written down (docs/delivery.md S13), and what the restart caught.
    expect(sent.length - monitors).toBeLessThanOrEqual(400);
    // The fast machine dated none of its events ahead.
    expect(all.filter(({ occurred_at }) => occurred_at > Date.now())).toEqual([]);

    for (const service of processes) expect(await service?.stop()).toBe(0);
  },
);

async function stopNow(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
