// Another program holds the database: a copy tool, a backup, a curious person with a shell. Requests are told to come
// again, nothing acknowledged is lost, and all goes on when the lock is gone.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { startCallableService, startReceivingApp } from './started-processes.ts';

/** Takes the one write lock of a SQLite file; the returned function gives it back. */
function lockDatabase(file: string): () => void {
  const db = new DatabaseSync(file, { timeout: 5_000 });
  db.exec('BEGIN IMMEDIATE');
  const release = () => {
    if (db.isOpen) db.close();
  };
  onTestFinished(release);
  return release;
}

test('callbacks that cannot be stored because of a lock get 503', async () => {
  const dataFolder = temporaryFolder();
  const { client, send } = await startReceivingApp(dataFolder);

  const release = lockDatabase(join(dataFolder, 'app.sqlite'));
  const refused = await send('{"n":1}');
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('10');
  expect((await client.app.status()).receiver.notice).toContain('the database is locked by another program');

  release();
  expect((await send('{"n":1}')).status).toBe(200);
  expect((await client.callbacks.list({})).items).toHaveLength(1);
  expect((await client.app.status()).receiver.notice ?? '').not.toContain('could not be stored');
});

test('the service answers weather under a lock, and says why a monitor has to wait', async () => {
  const dataFolder = temporaryFolder();
  const { call } = await startCallableService(['--provider', 'simulation', '--data', dataFolder]);
  const monitor = {
    monitor_type: 'precipitation',
    callback_uri: 'http://127.0.0.1:9/x',
    geo: { lat: 1, lng: 2 },
  };

  const release = lockDatabase(join(dataFolder, 'service', 'service.sqlite'));
  expect(await call('POST', '/v2/monitors/', monitor)).toMatchObject({
    status: 503,
    json: {
      error: 'temporarily_unavailable',
      error_description:
        'The service cannot store data at the moment: the database is locked by another program. Try again later.',
    },
  });
  // Only the first waits: each wait blocks the whole process.
  const start = performance.now();
  for (let count = 0; count < 8; count += 1) expect((await call('POST', '/v2/monitors/', monitor)).status).toBe(503);
  expect(performance.now() - start).toBeLessThan(4_000);
  expect((await call('GET', '/v2/weather/?location_lat=1&location_lng=7')).status).toBe(200);

  release();
  expect((await call('POST', '/v2/monitors/', monitor)).status).toBe(201);
});
