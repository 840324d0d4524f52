// PostgreSQL only reads, or ends connections: a whole service process goes on. While it is away: health.test.ts.
import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { fetchAccessToken, startServiceProcess } from '#test/stories/service-process.ts';
import { newPostgres } from '../engines.ts';
import { apiCaller, turin } from '../monitor-service.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

async function startBesideAdmin() {
  const url = await newPostgres();
  const flags = ['--data', temporaryFolder(), '--database', url, '--provider', 'simulation'];
  const service = await startServiceProcess(flags);
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
