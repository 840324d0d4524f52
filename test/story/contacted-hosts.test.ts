// Which hosts the app contacts in a day's use with the settings that it comes with: its providers of weather and nothing else, and
// with simulated weather none at all. Every socket of the real process is recorded, and only this machine can be reached.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { settings } from '#service/config/settings.ts';
import type { AppClient } from '#contract/app-rpc/contract.ts';
import { openAppSession } from '#test/setup/app-client.ts';
import { startAppProcess } from './app-process.ts';

const recorder = pathToFileURL(fileURLToPath(new URL('record-hosts.mjs', import.meta.url))).href;
const turin = { lat: 45.0703, lng: 7.6869 };
/** Empty settings count as unset, so these are the app's own. */
const untouched = { RAINBELL_OPEN_METEO_URL: '', RAINBELL_MET_NORWAY_URL: '', RAINBELL_METAR_URL: '' };
const configured = [settings.openMeteoUrl, settings.metarUrl].map((row) => new URL(row.default).hostname);

test('the app contacts only configured hosts in a day’s use, and none offline', { timeout: 90_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rainbell-hosts-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  const file = join(folder, 'hosts.txt');
  const app = await startAppProcess(join(folder, 'data'), {
    ...untouched,
    RAINBELL_TEST_HOSTS: file,
    NODE_OPTIONS: `--import=${recorder}`,
  });
  onTestFinished(async () => void (await app.stop()));
  const outside = async () => {
    const hosts = (await readFile(file, 'utf8')).trim().split('\n');
    return [...new Set(hosts)].filter((host) => !/^(localhost|127\.0\.0\.1|::1)$/.test(host)).toSorted();
  };
  const { client, disconnect } = await openAppSession(app.url);
  onTestFinished(disconnect);

  await useForADay(client);
  // Records at all, and names what it must not miss.
  expect(await outside()).toEqual(configured.toSorted());

  await client.sandbox.chooseProvider({ choice: 'simulation' });
  const before = (await readFile(file, 'utf8')).length;
  await useForADay(client);
  const sinceThen = (await readFile(file, 'utf8')).slice(before).trim().split('\n');
  expect(sinceThen.filter((host) => !/^(localhost|127\.0\.0\.1|::1)$/.test(host))).toEqual([]);
});

/** What a user does, and what the service does by itself while its clock passes a day. */
async function useForADay(client: AppClient): Promise<void> {
  expect(await client.places.search({ text: 'torino', limit: 3 })).not.toEqual([]);
  await client.forecast.get(turin);
  const monitor = await client.monitors.create({ geo: turin, callback: { kind: 'this-app' } });
  await client.sandbox.addScenario({ center: turin, minutes: 20 });
  const seen = (await client.app.status()).newestCallbackId;
  for (let hour = 0; hour < 24; hour += 12) {
    // Each look at the weather comes after the one before.
    // oxlint-disable-next-line no-await-in-loop
    await client.sandbox.moveClock({ kind: 'advance', seconds: 12 * 3600 });
    // oxlint-disable-next-line no-await-in-loop
    await client.forecast.get(turin);
  }
  await client.sandbox.addScenario({ center: turin, minutes: 20 });
  await expect.poll(async () => (await client.app.status()).newestCallbackId).toBeGreaterThan(seen);
  await client.connections.test({ id: (await client.connections.list()).selectedId });
  await client.diagnostics.preview();
  await client.monitors.deleteLater({ ids: [monitor.id] });
}
