// Another program holds the database: a copy tool, a backup, a curious person with a shell. Requests are told to come
// again, nothing acknowledged is lost, and all goes on when the lock is gone.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { openAppSession } from '#test/setup/app-client.ts';
import { startAppProcess } from '#test/stories/app-process.ts';
import { fetchAccessToken, startServiceProcess } from '#test/stories/service-process.ts';
import { listeningReceiver } from './listening-receiver.ts';

/** Takes the one write lock of a SQLite file; `release` gives it back. */
function lockDatabase(file: string): { release: () => void } {
  const db = new DatabaseSync(file, { timeout: 5_000 });
  db.exec('BEGIN IMMEDIATE');
  const release = () => {
    if (db.isOpen) db.close();
  };
  onTestFinished(release);
  return { release };
}

test('callbacks that cannot be stored because of a lock get 503', async () => {
  const dataFolder = temporaryFolder();
  const app = await startAppProcess(dataFolder);
  onTestFinished(async () => void (await app.stop()));
  const { client, disconnect } = await openAppSession(app.url);
  onTestFinished(disconnect);
  const receiver = await listeningReceiver(client);
  const send = () => fetch(`${receiver}/hook`, { method: 'POST', body: '{"n":1}' });

  const lock = lockDatabase(join(dataFolder, 'app.sqlite'));
  const refused = await send();
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('10');
  expect((await client.app.status()).receiver.notice).toContain('the database is locked by another program');

  lock.release();
  expect((await send()).status).toBe(200);
  expect((await client.callbacks.list({})).items).toHaveLength(1);
  expect((await client.app.status()).receiver.notice ?? '').not.toContain('could not be stored');
});

test('the service answers weather under a lock, and says why a monitor has to wait', async () => {
  const dataFolder = temporaryFolder();
  const service = await startServiceProcess(['--provider', 'simulation', '--data', dataFolder]);
  onTestFinished(async () => void (await service.stop()));
  const { baseUrl } = service.introduction;
  const authorization = `Bearer ${await fetchAccessToken(service.introduction)}`;
  const createMonitor = () =>
    fetch(`${baseUrl}/v2/monitors/`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({
        monitor_type: 'precipitation',
        callback_uri: 'http://127.0.0.1:9/x',
        geo: { lat: 1, lng: 2 },
      }),
    });

  const lock = lockDatabase(join(dataFolder, 'service', 'service.sqlite'));
  const refused = await createMonitor();
  expect(refused.status).toBe(503);
  expect(await refused.json()).toEqual({
    error: 'temporarily_unavailable',
    error_description:
      'The service cannot store data at the moment: the database is locked by another program. Try again later.',
  });
  const weather = await fetch(`${baseUrl}/v2/weather/?location_lat=1&location_lng=7`, { headers: { authorization } });
  expect(weather.status).toBe(200);

  lock.release();
  expect((await createMonitor()).status).toBe(201);
});
