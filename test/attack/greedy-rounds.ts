// What a greedy account must not delay beyond the API's requests: others' waits for the feed, and others' callbacks.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceIntroduction } from '#contract/service-api/sandbox.ts';
import { apiCaller } from '#test/service/monitor-service.ts';
import { startFlood } from './flood.ts';
import type { GreedyAccounts } from './greedy-accounts.ts';

/** What the honest account of the sandbox needs for its own requests. */
export type HonestAccount = Pick<ServiceIntroduction, 'baseUrl'> & { token: string };

const callbackWithinMs = 3_000;
const settlingMs = 3_000;

/** Returns what went wrong. */
export async function takeFeed(port: number, greedy: GreedyAccounts, honest: HonestAccount): Promise<string[]> {
  const flood = startFlood({ port, connections: greedy.feedWaits.length, requests: greedy.feedWaits });
  await pause(settlingMs);
  const problems: string[] = [];
  const call = apiCaller(honest.baseUrl, honest.token);
  for (let count = 0; count < 3; count += 1) {
    const { status } = await call('GET', '/v2/deliveries/?wait=1');
    if (status !== 200) problems.push(`an honest wait for the feed got ${status}`);
  }
  await flood.stop();
  return problems;
}

/** Three honest callbacks beside those to slow hosts. */
export async function delayCallbacks({ slowPlace }: GreedyAccounts, honest: HonestAccount) {
  const call = apiCaller(honest.baseUrl, honest.token);
  const heard = new Map<string, () => void>();
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(204).end();
    heard.get(request.url ?? '')?.();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  type Place = { lat: number; lng: number };
  const set = (center: Place, status: string, radiusKm: number) =>
    call('POST', '/sandbox/scenarios', { center, status, minutes: 60, radiusKm });
  const rainAt = (center: Place) => set(center, 'rainy', 1);
  const places = [0, 1, 2].map((index) => ({ lat: 20, lng: 40 + 2 * index }));
  // The simulation's own rain would start a cool-down at once.
  await set({ lat: 20, lng: 42 }, 'sunny', 500);
  const ids: string[] = [];
  for (const [index, geo] of places.entries()) {
    const body = { monitor_type: 'precipitation', callback_uri: `${url}/${index}`, geo };
    const { json } = await call('POST', '/v2/monitors/', body);
    ids.push((json as { id: string }).id);
  }
  const times: number[] = [];
  await rainAt(slowPlace);
  for (const [index, place] of places.entries()) {
    await pause(settlingMs);
    const startedAt = performance.now();
    const callback = new Promise<void>((resolve) => heard.set(`/${index}`, resolve));
    await rainAt(place);
    await Promise.race([callback, pause(60_000)]);
    times.push(performance.now() - startedAt);
  }
  await call('DELETE', '/sandbox/scenarios');
  for (const id of ids) await call('DELETE', `/v2/monitors/${id}/`);
  server.closeAllConnections();
  server.close();
  const slowestMs = Math.max(...times);
  const problems = slowestMs > callbackWithinMs ? [`an honest callback came after ${slowestMs.toFixed(0)} ms`] : [];
  return { problems, more: `slowest honest callback ${slowestMs.toFixed(0)} ms` };
}
