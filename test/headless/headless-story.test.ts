// The whole of it in one process: headless host, core and the real service with its simulated weather.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import type { AppClient } from '#contract/app-rpc/contract.ts';
import { startHeadless, threadEntries, type Headless } from '#headless/start-headless.ts';
import { quietLog } from '#test/core/core-harness.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { openAppSession } from '#test/setup/app-client.ts';

const torino = { lat: 45.0703, lng: 7.6869 };

async function start(dataFolder: string): Promise<Headless & { client: AppClient }> {
  writeFileSync(join(dataFolder, 'index.html'), '<!doctype html>');
  vi.stubEnv('RAINBELL_PROVIDER', 'simulation');
  const headless = await startHeadless({
    port: 0,
    dataFolder,
    screensFolder: dataFolder,
    version: '0.0.0',
    clock: systemClock,
    log: quietLog,
    logFile: join(dataFolder, 'logs', 'rainbell.log'),
    servicePort: 0,
    workers: threadEntries(),
  });
  const { client, disconnect } = await openAppSession(headless.newAddress());
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    disconnect();
    await headless.close();
  };
  onTestFinished(close);
  // A busy machine may need longer than a call waits for them.
  const ready = { connection: { state: 'ready' }, receiver: { state: 'listening' } };
  await expect.poll(() => client.app.status()).toMatchObject(ready);
  return { ...headless, client, close };
}

/** The newest callback's id, once there is one above `afterId`. */
async function nextCallback(client: AppClient, afterId: number): Promise<number> {
  for await (const notice of await client.app.notices()) {
    if (notice.topic === 'callbacks' && notice.newestId > afterId) return notice.newestId;
  }
  throw new Error('the notices ended');
}

test('forecast, monitor, rain, callback, once an hour, and there after a restart', async () => {
  const dataFolder = temporaryFolder();
  const first = await start(dataFolder);
  const { client } = first;

  const forecast = await client.forecast.get(torino);
  expect(forecast.points).toHaveLength(73);
  expect(forecast.problems).toEqual([]);
  expect(forecast.points.flatMap((point) => point.problems)).toEqual([]);

  const monitor = await client.monitors.create({ geo: torino, callback: { kind: 'this-app' } });
  expect(monitor.toThisApp).toBe(true);
  await client.sandbox.addScenario({ center: torino, minutes: 180 });
  const id = await nextCallback(client, 0);
  const callback = await client.callbacks.get({ id });
  expect(JSON.parse(Buffer.from(callback.bodyBase64, 'base64').toString())).toMatchObject({ id: monitor.id });
  expect(callback.headers.map(([name]) => name.toLowerCase())).toContain('content-type');

  await client.sandbox.moveClock({ kind: 'advance', seconds: 1800 });
  await client.sandbox.moveClock({ kind: 'advance', seconds: 1801 });
  expect(await nextCallback(client, id)).toBe(id + 1);
  await client.monitors.list();
  expect((await client.callbacks.list({})).total).toBe(2);
  const { checks } = await client.callbacks.get({ id: id + 1 });
  expect(checks.filter(({ verdict }) => verdict !== 'ok')).toEqual([]);
  expect((await client.monitors.list()).monitors).toMatchObject([{ id: monitor.id, lastCallback: { id: id + 1 } }]);

  expect((await client.sandbox.state()).scenarios).toHaveLength(1);
  expect((await client.sandbox.clearScenarios()).scenarios).toEqual([]);
  expect((await client.sandbox.chooseProvider({ choice: 'met-norway' })).provider.choice).toBe('met-norway');
  expect((await client.sandbox.moveClock({ kind: 'reset' })).clock.aheadSeconds).toBe(0);

  await first.close();
  const second = await start(dataFolder);
  const { items } = await second.client.callbacks.list({});
  expect(items.map((item) => item.monitorId)).toEqual([monitor.id, monitor.id]);
  expect((await second.client.monitors.list()).monitors.map((other) => other.id)).toEqual([monitor.id]);
});
