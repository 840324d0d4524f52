// /health/live, /health/ready, a database that is away, only reads, or ends connections, and a stop that no client notices: real processes on
// PostgreSQL.
import { once } from 'node:events';
import { Agent, request } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { freePorts } from '#test/setup/free-ports.ts';
import { fetchAccessToken, spawnService, startServiceProcess } from '#test/stories/service-process.ts';
import { startDatabaseProxy } from '#test/service/database/database-proxy.ts';
import { newPostgres } from '#test/service/engines.ts';
import { apiCaller, turin } from '#test/service/monitor-service.ts';
import { openFor } from '#test/service/process-harness.ts';
import { sql } from 'kysely';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { Client } from 'pg';

const flagsFor = (url: string) => ['--data', temporaryFolder(), '--database', url, '--provider', 'simulation'];
const weather = `/v2/weather/?location_lat=${turin.lat}&location_lng=${turin.lng}`;

/** Undefined while nothing listens. */
async function health(baseUrl: string, kind: 'live' | 'ready') {
  const response = await fetch(`${baseUrl}/health/${kind}`).catch(() => undefined);
  if (!response) return undefined;
  expect(response.headers.get('cache-control')).toBe('no-store');
  const retryAfter = response.headers.get('retry-after');
  expect(retryAfter).toBe(response.status === 503 ? '1' : null);
  return { status: response.status, body: (await response.json()) as unknown };
}

it('a process is live at once, ready only when it can serve, and serves weather from memory while its database is away', async () => {
  const proxy = await startDatabaseProxy(await newPostgres());
  const [port = 0] = await freePorts(1);
  const baseUrl = `http://127.0.0.1:${port}`;
  const starting = startServiceProcess([...flagsFor(proxy.url), '--port', String(port)]);
  onTestFinished(async () => void (await (await starting).stop()));
  await expect.poll(() => proxy.refused()).toBeGreaterThan(0);
  expect(await health(baseUrl, 'live')).toEqual({ status: 200, body: { status: 'live', role: 'all' } });
  const closed = { database: 'unknown', migrations: 'unknown', role: 'all' };
  expect(await health(baseUrl, 'ready')).toEqual({ status: 503, body: { status: 'starting', ...closed } });

  proxy.restore();
  const service = await starting;
  const open = { database: 'ok', migrations: 'current', role: 'all' };
  expect(await health(baseUrl, 'ready')).toEqual({ status: 200, body: { status: 'ready', ...open } });
  expect((await fetch(`${baseUrl}/health/ready`, { method: 'HEAD' })).status).toBe(200);
  expect((await fetch(`${baseUrl}/health/ready`, { method: 'POST' })).status).toBe(404);

  const token = await fetchAccessToken(service.introduction);
  const call = apiCaller(baseUrl, token);
  expect((await call('GET', weather)).status).toBe(200);

  proxy.cut();
  const served = await Promise.all(Array.from({ length: 20 }, () => call('GET', weather)));
  expect(served.map(({ status, json }) => (status === 200 ? 200 : json))).toEqual(Array(20).fill(200));
  const refused = await call('GET', '/v2/monitors/');
  expect(refused).toMatchObject({ status: 503, json: { error: 'temporarily_unavailable' } });
  expect(refused.headers.get('retry-after')).toBe('10');
  expect((await apiCaller(baseUrl, 'unknown')('GET', weather)).status).toBe(503);
  const degraded = { ...open, database: 'away' };
  await expect.poll(() => health(baseUrl, 'ready')).toEqual({ status: 200, body: { status: 'degraded', ...degraded } });
  proxy.restore();
  await expect.poll(async () => (await health(baseUrl, 'ready'))?.body).toMatchObject(open);
  await expect.poll(async () => (await call('GET', '/v2/monitors/')).status).toBe(200);

  // Additions of a newer version are allowed.
  const { db } = await openFor({ url: proxy.url });
  await sql`insert into kysely_migration (name, timestamp) values ('9999-later-expand', ${new Date().toISOString()})`.execute(
    db,
  );
  await expect
    .poll(async () => (await health(baseUrl, 'ready'))?.body)
    .toEqual({ status: 'ready', ...open, migrations: 'newer' });
  expect(await service.stop()).toBe(0);
});

it('a stopping process is not ready first, then ends its connections one by one, and cuts no request', async () => {
  const service = await startServiceProcess(flagsFor(await newPostgres()), { RAINBELL_DRAIN_SECONDS: '5' });
  onTestFinished(async () => void (await service.stop()));
  const { baseUrl } = service.introduction;
  const token = await fetchAccessToken(service.introduction);
  const agent = new Agent({ connections: 4 });
  onTestFinished(() => agent.destroy());
  const get = async (path: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await request(`${baseUrl}${path}`, { dispatcher: agent, headers });
    await response.body.dump();
    return { status: response.statusCode, connection: response.headers['connection'] };
  };
  expect(await get(weather)).toEqual({ status: 200, connection: 'keep-alive' });

  const stopping = service.stop();
  await expect.poll(async () => (await health(baseUrl, 'ready'))?.status).toBe(503);
  const answers: Awaited<ReturnType<typeof get>>[] = [];
  // Like a proxy that still sends what it had before it noticed.
  for (let round = 0; round < 3; round += 1) {
    answers.push(...(await Promise.all([get(weather), get('/v2/monitors/'), get('/v2/icons/sunny')])));
  }
  expect(await stopping).toBe(0);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ connection }) => connection))).toEqual(new Set(['close']));
});

it('a process that gets SIGTERM while it waits for its database ends', async () => {
  const proxy = await startDatabaseProxy(await newPostgres());
  const child = spawnService(flagsFor(proxy.url));
  const ended = once(child, 'exit');
  onTestFinished(() => void child.kill('SIGKILL'));
  await expect.poll(() => proxy.refused()).toBeGreaterThan(0);
  child.kill('SIGTERM');
  const [code, signal] = (await ended) as [number | null, string | null];
  expect({ code, signal }).toEqual({ code: null, signal: 'SIGTERM' });
});

async function startBesideAdmin() {
  const url = await newPostgres();
  const service = await startServiceProcess(flagsFor(url));
  onTestFinished(async () => void (await service.stop()));
  const admin = new Client({ connectionString: url });
  await admin.connect();
  onTestFinished(() => admin.end());
  const call = apiCaller(service.introduction.baseUrl, await fetchAccessToken(service.introduction));
  return { service, url, admin, call };
}

const endConnections = (admin: Client) =>
  admin.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid != pg_backend_pid()',
  );

it('a service is not ready on a server that only reads, and goes on when it writes again', async () => {
  const { service, url, call, admin } = await startBesideAdmin();
  const { baseUrl } = service.introduction;
  const database = admin.escapeIdentifier(new URL(url).pathname.slice(1));
  const create = () =>
    call('POST', '/v2/monitors/', { monitor_type: 'precipitation', callback_uri: 'http://127.0.0.1:9/', geo: turin });
  const health = async () => (await fetch(`${baseUrl}/health/ready`)).json();
  await expect.poll(health).toMatchObject({ status: 'ready', database: 'ok' });
  // As after a failover: connections end, and the name leads to a server that was demoted.
  await admin.query(`alter database ${database} set default_transaction_read_only = on`);
  await endConnections(admin);
  await expect.poll(health).toMatchObject({ status: 'degraded', database: 'away' });
  expect(await create()).toMatchObject({
    status: 503,
    json: {
      error_description: 'The service cannot store data at the moment: the database is read-only. Try again later.',
    },
  });
  await admin.query(`alter database ${database} reset default_transaction_read_only`);
  await expect.poll(health).toMatchObject({ status: 'ready', database: 'ok' });
  expect((await create()).status).toBe(201);
  expect(await service.stop()).toBe(0);
});

it('a process survives when the database ends its connections under load', async () => {
  const { service, call, admin } = await startBesideAdmin();
  const statuses = new Set<number>();
  let isOver = false;
  const clients = Array.from({ length: 8 }, async () => {
    while (!isOver) statuses.add((await call('GET', '/v2/monitors/')).status);
  });
  // Until a request met it; on a quick machine most find another connection.
  for (let round = 0; round < 30 || (!statuses.has(503) && round < 3_000); round += 1) await endConnections(admin);
  isOver = true;
  await Promise.all(clients);
  // Only these; before, the process ended with "Unhandled 'error' event".
  expect(statuses).toEqual(new Set([200, 503]));
  // The pool may still have a connection whose end it has not noticed.
  await expect.poll(async () => (await call('GET', '/v2/monitors/')).status).toBe(200);
  expect(await service.stop()).toBe(0);
});
