// The whole app on a damaged data folder, at its start and while it runs: nothing is acknowledged that is not stored, and
// every way to Rainbell says what happened.
import { once } from 'node:events';
import { readdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import { createCopy } from '#shared/node/database-copies.ts';
import { databasesIn, describeReports } from '#shared/node/damage-reports.ts';
import { startRainbell } from '#test/command-line/rainbell-process.ts';
import { startCore } from '#test/core/core-harness.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { operator } from '#test/service/operator/operator-process.ts';
import { callback, filledStore } from '#test/shared/node/app-store.ts';
import { overwrite } from '#test/shared/node/damage.ts';
import { listeningReceiver, startReceivingApp } from './started-processes.ts';

async function startApp(dataFolder: string) {
  const started = await startReceivingApp(dataFolder);
  const { app } = started;
  const send = (text: string) => started.send(JSON.stringify({ id: 'precipitation_1', text }));
  const kill = async () => {
    app.child.kill('SIGKILL');
    await once(app.child, 'exit');
  };
  return { ...started, send, kill };
}

const bodySizes = (folder: string) => readdirSync(folder).map((name) => statSync(join(folder, name)).size);

test('an emptied app.sqlite is reported everywhere until it is acknowledged, and its bodies stay', async () => {
  const store = filledStore(100);
  store.close();
  const dataFolder = store.folder;
  const sizes = bodySizes(join(dataFolder, 'app.sqlite-bodies'));
  expect(sizes.length).toBeGreaterThan(0);
  truncateSync(store.file, 0);

  const { client, app } = await startApp(dataFolder);
  const [report] = (await client.app.status()).damage;
  expect(report).toMatchObject({
    database: 'app.sqlite',
    state: 'replaced',
    detail: 'the file was empty',
    copiedAt: null,
  });
  const bodies = join(report?.folder ?? '', 'app.sqlite-bodies');
  expect(bodySizes(bodies)).toEqual(sizes);
  await app.stop();

  const title = 'The app’s database was damaged: the file was empty.';
  const [exported, listed] = await Promise.all([
    startRainbell(['export', '--data', dataFolder]).ended,
    operator(dataFolder, 'account list'),
  ]);
  expect(exported).toMatchObject({ code: 0, out: '' });
  expect(exported.words).toContain(title);
  expect(listed.code).toBe(0);
  expect(listed.complaint).toContain(title);
  const again = await startApp(dataFolder);
  await again.client.app.acknowledgeDamage({ id: report?.id ?? '' });
  await again.app.stop();
  expect(describeReports(databasesIn(dataFolder))).toEqual([]);
  expect(bodySizes(bodies)).toEqual(sizes);
});

test('a store cut while the app runs answers 503 from then on, and the next start reads what the log still has', async () => {
  const dataFolder = temporaryFolder();
  const { client, send, kill } = await startApp(dataFolder);
  let acknowledged = 0;
  for (let number = 0; number < 200; number += 1)
    acknowledged += (await send(`${number} ${'y'.repeat(2000)}`)).status === 200 ? 1 : 0;
  expect(acknowledged).toBe(200);
  truncateSync(join(dataFolder, 'app.sqlite'), 2048);
  const refused = await send('after the damage');
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  await expect.poll(async () => (await client.app.status()).damage.map(({ state }) => state)).toEqual(['pending']);
  expect((await send('and later')).status).toBe(503);
  // A verdict requested now says what it is based on.
  const newest = await client.callbacks.get({ id: 200 }).catch((error: Error) => error);
  expect(newest instanceof Error ? newest.message : JSON.stringify(newest.checks)).toMatch(/damaged/);
  await kill();

  const again = await startApp(dataFolder);
  // The log of the killed app still had them all, and maybe those whose senders were told to try again.
  const { damage, callbackCount } = await again.client.app.status();
  expect(damage).toEqual([]);
  expect(callbackCount).toBeGreaterThanOrEqual(200);
  expect((await again.send('stored again')).status).toBe(200);
});

test('a store overwritten while the app runs ends neither the app nor its screens', async () => {
  const dataFolder = temporaryFolder();
  const { client, send } = await startApp(dataFolder);
  for (let number = 0; number < 20; number += 1) expect((await send(String(number))).status).toBe(200);
  truncateSync(join(dataFolder, 'app.sqlite-wal'), 5000);
  for (const name of ['app.sqlite', 'app.sqlite-wal']) overwrite(join(dataFolder, name), 0, 5000);
  await send('after the damage');
  await expect.poll(async () => (await client.app.status()).damage.map(({ state }) => state)).toEqual(['pending']);
  await expect.poll(async () => (await send('and later')).status).toBe(503);
});

test('a copy is opened before the first callback', async () => {
  const { folder, file, writer, close } = filledStore(500);
  const { createdAt } = await createCopy(file, systemClock);
  writer.append([callback(501)]);
  close();
  overwrite(file, Math.floor(statSync(file).size * 0.7), Math.floor(statSync(file).size * 0.3) - 8192);

  const { client } = await startCore({ dataFolder: folder });
  const receiver = await listeningReceiver(client);
  const { damage, callbackCount } = await client.app.status();
  expect(callbackCount).toBe(500);
  expect(damage).toMatchObject([{ state: 'replaced', copiedAt: createdAt }]);
  const next = { method: 'POST', body: JSON.stringify({ id: 'precipitation_1' }) };
  expect((await fetch(`${receiver}/hook`, next)).status).toBe(200);
});

test('a damaged service.sqlite no longer keeps the sandbox from starting', async () => {
  const dataFolder = temporaryFolder();
  const file = join(dataFolder, 'service', 'service.sqlite');
  const database = await openServiceDatabase({ file, clock: systemClock, log: pino({ level: 'silent' }) });
  await database.close();
  overwrite(file, 0, statSync(file).size);
  const { client } = await startApp(dataFolder);
  for await (const notice of await client.app.notices()) {
    if (notice.topic === 'status' && (await client.app.status()).connection.state === 'ready') break;
  }
  await expect
    .poll(async () => (await client.app.status()).damage.map(({ database }) => database))
    .toEqual(['service.sqlite']);
});
