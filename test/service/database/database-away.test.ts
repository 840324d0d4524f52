// PostgreSQL is not there yet, ends connections, or is away for a while: a whole service process goes on.
import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { fetchAccessToken, startServiceProcess } from '#test/stories/service-process.ts';
import { startDatabaseProxy } from './database-proxy.ts';
import { newPostgres } from '../engines.ts';
import { apiCaller, turin } from '../monitor-service.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

const weatherPath = `/v2/weather/?location_lat=${turin.lat}&location_lng=${turin.lng}`;

async function startOn(url: string) {
  const flags = ['--data', temporaryFolder(), '--database', url, '--provider', 'simulation'];
  const service = await startServiceProcess(flags);
  onTestFinished(async () => void (await service.stop()));
  return service;
}

async function startBesideAdmin() {
  const url = await newPostgres();
  const service = await startOn(url);
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

it('a service waits for its database, and goes on when it was away', async () => {
  const proxy = await startDatabaseProxy(await newPostgres());
  const starting = startOn(proxy.url);
  await expect.poll(() => proxy.refused()).toBeGreaterThan(1);
  proxy.restore();
  const service = await starting;
  const { baseUrl } = service.introduction;
  const token = await fetchAccessToken(service.introduction);
  const call = apiCaller(baseUrl, token);
  const weather = await call('GET', weatherPath);
  expect(weather.status).toBe(200);

  proxy.cut();
  // The token is remembered, and the weather too; what needs the database says when to try again.
  const served = await Promise.all(Array.from({ length: 20 }, () => call('GET', weatherPath)));
  expect(served.map(({ status, json }) => (status === 200 ? 200 : json))).toEqual(Array(20).fill(200));
  const monitors = await fetch(`${baseUrl}/v2/monitors/`, { headers: { authorization: `Bearer ${token}` } });
  expect(monitors.status).toBe(503);
  expect(monitors.headers.get('retry-after')).toBe('10');
  expect(await monitors.json()).toMatchObject({ error: 'temporarily_unavailable' });
  const unknown = await apiCaller(baseUrl, 'unknown')('GET', weatherPath);
  expect(unknown.status).toBe(503);

  proxy.restore();
  await expect.poll(async () => (await call('GET', '/v2/monitors/')).status).toBe(200);
  expect(await service.stop()).toBe(0);
});

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
