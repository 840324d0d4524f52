// What a user and their monitors ask of the app all day: callbacks arrive, screens are opened, lists are read, monitors
// are created and deleted.
import type { CDPSession, Page } from 'playwright';
import { request } from 'undici';
import type { AppClient } from '#contract/app-rpc/contract.ts';
import { trafficLimits } from '#core/traffic/traffic-log.ts';
import { connectToApp } from '#test/setup/app-client.ts';
import type { Job } from './jobs.ts';
import { place } from './service-load.ts';

/** Uses the session that the page opened. */
export async function sharePageSession(page: Page): Promise<AppClient> {
  const session = await page.evaluate(() => localStorage.getItem('rainbell-session') ?? '');
  return (await connectToApp(new URL(page.url()).origin, { session })).client;
}

/** Small enough that the limits are met within the first minutes. */
export async function keepLittle(client: AppClient): Promise<void> {
  const { keptLimits } = await client.settings.get();
  await client.settings.update({ keptLimits: { ...keptLimits, keptCallbacks: 2_000, keptMegabytes: 10 } });
}

const callsAtOnce = 4;

/** The log of traffic and the history of forecasts are bounded by number, too; a run begins with both full. */
export async function fillLogs(client: AppClient): Promise<void> {
  const rounds = Array.from({ length: trafficLimits.entries }, (_, round) => round).values();
  await Promise.all(
    Array.from({ length: callsAtOnce }, async () => {
      for (const round of rounds) await client.forecast.get(place(round % 300));
    }),
  );
}

export async function receiverAddress(client: AppClient): Promise<string> {
  const { receiver } = await client.app.status();
  if (receiver.baseUrl === null) throw new Error(`The receiver does not listen: ${receiver.notice ?? receiver.state}`);
  return receiver.baseUrl;
}

export function appJobs(client: AppClient, page: Page, receiver: string): Job[] {
  let round = 0;
  const callback = async () => {
    round += 1;
    const size = round % 50 === 0 ? 64 * 1024 : 300;
    const body = JSON.stringify({
      id: `precipitation_${round % 40}`,
      monitor_type: 'precipitation',
      pad: 'x'.repeat(size),
    });
    const answer = await request(`${receiver}/soak`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    await answer.body.dump();
    if (answer.statusCode !== 200) throw new Error(`The receiver answered ${answer.statusCode}`);
  };
  const readCallbacks = async () => {
    const { items } = await client.callbacks.list({ limit: 100 });
    const [newest] = items;
    if (newest) await client.callbacks.get({ id: newest.id });
  };
  const renewMonitor = async () => {
    const { id } = await client.monitors.create({ geo: place(round), callback: { kind: 'this-app' } });
    await client.monitors.delete({ id });
  };
  const screens = ['Forecast', 'Monitors', 'Callbacks', 'Traffic', 'Access', 'Sandbox', 'Settings'];
  const openNextScreen = async () => {
    round += 1;
    const screen = screens[round % screens.length] ?? 'Forecast';
    await page.getByRole('navigation').getByText(screen, { exact: true }).click({ timeout: 5_000 });
  };
  return [
    ...Array.from({ length: 4 }, (_, index) => ({ name: `callback ${index + 1}`, everyMs: 40, run: callback })),
    { name: 'forecast in the app', everyMs: 500, run: () => client.forecast.get(place(round % 300)) },
    { name: 'callback list', everyMs: 200, run: readCallbacks },
    { name: 'monitor list in the app', everyMs: 1_000, run: () => client.monitors.list() },
    { name: 'monitor created and deleted in the app', everyMs: 5_000, run: renewMonitor },
    { name: 'screen opened', everyMs: 2_000, run: openNextScreen },
  ];
}

/** The page's heap after a collection, bytes. */
export async function pageHeapBytes(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { metrics } = await devtools.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0;
}
