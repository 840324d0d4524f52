// Which hosts the app contacts in a day's use with the settings that it comes with: its providers of weather and nothing else, and
// with simulated weather none at all. Every socket of the real process and of `rainbell mcp` is recorded, and only this machine can be
// reached.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { historicalUrl } from '#service/weather/providers/open-meteo/historical-forecast.ts';
import { settings } from '#service/config/settings.ts';
import type { AppClient } from '#contract/app-rpc/contract.ts';
import { openAppProcess } from './app-process.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

const recorder = pathToFileURL(fileURLToPath(new URL('record-hosts.mjs', import.meta.url))).href;
const turin = { lat: 45.0703, lng: 7.6869 };
/** Empty settings count as unset, so these are the app's own. */
const untouched = {
  RAINBELL_OPEN_METEO_URL: '',
  RAINBELL_MET_NORWAY_URL: '',
  RAINBELL_METAR_URL: '',
};
const configured = [settings.openMeteoUrl.default, historicalUrl, settings.metarUrl.default].map(
  (url) => new URL(url).hostname,
);

test('the app contacts only configured hosts in a day’s use, and none offline', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'hosts.txt');
  const dataFolder = join(folder, 'data');
  const recording = { RAINBELL_TEST_HOSTS: file, NODE_OPTIONS: `--import=${recorder}` };
  const { client } = await openAppProcess(dataFolder, { ...untouched, ...recording });
  const outside = async () => {
    const hosts = (await readFile(file, 'utf8')).trim().split('\n');
    return [...new Set(hosts)].filter((host) => !/^(localhost|127\.0\.0\.1|::1)$/.test(host)).toSorted();
  };
  const agent = await startAgent(dataFolder, recording);

  await useForADay(client, agent);
  // Records at all, and names what it must not miss.
  expect(await outside()).toEqual(configured.toSorted());

  await client.sandbox.chooseProvider({ choice: 'simulation' });
  const before = (await readFile(file, 'utf8')).length;
  await useForADay(client, agent);
  const sinceThen = (await readFile(file, 'utf8')).slice(before).trim().split('\n');
  expect(sinceThen.filter((host) => !/^(localhost|127\.0\.0\.1|::1)$/.test(host))).toEqual([]);
});

/** An agent at the app, over the protocol's official client. */
async function startAgent(dataFolder: string, environment: Readonly<Record<string, string>>): Promise<Client> {
  const launcher = fileURLToPath(new URL('../../scripts/rainbell.mjs', import.meta.url));
  const env = { ...(process.env as Record<string, string>), ...environment };
  const client = new Client({ name: 'test-agent', version: '1.0.0' });
  const args = [launcher, 'mcp', '--data', dataFolder];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
  onTestFinished(() => client.close());
  return client;
}

async function callTool<Result>(agent: Client, name: string, input: Record<string, unknown>): Promise<Result> {
  const { content, isError } = await agent.callTool({ name, arguments: input });
  const [part] = content as { text: string }[];
  if (isError) throw new Error(part?.text);
  return JSON.parse(part?.text ?? '') as Result;
}

/** What a user does, and what the service does automatically while its clock passes a day. */
async function useForADay(client: AppClient, agent: Client): Promise<void> {
  await client.settings.update({ readsFeed: true });
  expect(await client.places.search({ text: 'torino', limit: 3 })).not.toEqual([]);
  await client.forecast.get(turin);
  await client.backtest.run(turin);
  const monitor = await client.monitors.create({ geo: turin, callback: { kind: 'this-app' } });
  await client.sandbox.addScenario({ center: turin, minutes: 20 });
  const seen = (await client.app.status()).newestCallbackId;
  for (let hour = 0; hour < 24; hour += 12) {
    // Each look at the weather comes after the one before.
    await client.sandbox.moveClock({ kind: 'advance', seconds: 12 * 3600 });
    await client.forecast.get(turin);
  }
  await client.sandbox.addScenario({ center: turin, minutes: 20 });
  await expect.poll(async () => (await client.app.status()).newestCallbackId).toBeGreaterThan(seen);
  await expect.poll(async () => (await client.app.status()).feed.state).toBe('reading');
  const { callbacks } = await callTool<{ callbacks: { id: number }[] }>(agent, 'search_callbacks', {
    query: 'is:feed',
  });
  expect(callbacks).not.toEqual([]);
  await callTool(agent, 'get_forecast', { ...turin, hours: 2 });
  await callTool(agent, 'explain_monitor', { monitorId: monitor.id });
  const raining = callTool(agent, 'make_rain', { monitorId: monitor.id });
  await expect.poll(async () => (await client.agents.consents()).consents).toHaveLength(1);
  for (const { id } of (await client.agents.consents()).consents) await client.agents.decide({ id, isAllowed: true });
  await raining;
  await client.connections.test({ id: (await client.connections.list()).selectedId });
  await client.diagnostics.preview();
  const signIn = client.session.signIn({ way: 'authorization_code', window: 'browser' });
  await expect.poll(async () => (await client.session.state()).open?.address ?? null).not.toBeNull();
  await client.session.cancelSignIn();
  expect((await signIn).outcome).not.toBe('approved');
  const { baseUrl } = (await client.app.status()).receiver;
  const url = `${baseUrl}/hooks/checked`;
  await client.endpointCheck.runCase({ url, case: 'retry', secret: null, monitorId: null });
  await client.monitors.deleteLater({ ids: [monitor.id] });
}
