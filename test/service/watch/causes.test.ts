// Why a monitor's callback was not received: asked while it happens, and on the next day, when it is dry.
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import type { MonitorExplanation } from '#contract/service-api/monitor-explanation.ts';
import { listen } from '#test/setup/listen.ts';
import { status } from '../delivery/delivery-harness.ts';
import { engines } from '../engines.ts';
import { eventually } from '../eventually.ts';
import { startMonitorService, type MonitorService } from '../monitor-service.ts';

const minuteMs = 60_000;

const answering = async (code: number): Promise<string> => (await status(code)).url;

/** A server that accepts connections and never responds. */
async function silent(): Promise<string> {
  return `http://127.0.0.1:${await listen(createServer((socket) => socket.on('error', () => {})))}/`;
}

/** What the sentence must name at once, and on the next day. */
const causes: readonly [name: string, url: () => Promise<string>, now: RegExp, nextDay: RegExp][] = [
  ['delivered', () => answering(204), /In cool-down until .*was delivered to .*: 204/, /was delivered to .*: 204/],
  ['a wrong secret', () => answering(401), /401 Unauthorized/, /failed: 401 Unauthorized from .*, 2 attempts/],
  ['no longer there', () => answering(404), /404 Not Found/, /failed: 404 Not Found from .*, 2 attempts/],
  ['a redirect', () => answering(301), /failed: 301 Moved/, /failed: 301 Moved Permanently from/],
  ['too many requests', () => answering(429), /Retrying .*429 Too Many/, /429 Too Many Requests from/],
  ['a broken receiver', () => answering(500), /Retrying .*500 Internal/, /500 Internal Server Error from/],
  ['gone', () => answering(410), /Delivery off since .* after a 410/, /Delivery off since .* after a 410/],
  ['silent', silent, /Retrying .*timed out/, /timed out \(127/],
  ['refused', async () => 'http://127.0.0.1:9/', /Retrying .*connection refused/, /connection refused \(127/],
  ['an unknown name', async () => 'http://nowhere.invalid/', /host name not found/, /host name not found \(nowhere/],
  [
    'https to a port without TLS',
    async () => (await answering(204)).replace('http:', 'https:'),
    /Retrying .*the port does not use TLS/,
    /the port does not use TLS \(127/,
  ],
];

const explain = async (service: MonitorService, id: string) =>
  (await service.call('GET', `/v2/monitors/${id}/explanation/`)).json as MonitorExplanation;

it.each(engines)('is named at once and on the next day, and never as dry only, on %s', async (engine) => {
  const service = await startMonitorService({ engine, config: { deliveryTimeoutSeconds: 10 } });
  const monitors: { name: string; id: string; nextDay: RegExp; now: RegExp }[] = [];
  for (const [index, [name, url, now, nextDay]] of causes.entries()) {
    const place = { lat: 10 + index, lng: 10 };
    monitors.push({ name, now, nextDay, id: await service.addMonitor(await url(), place) });
    service.rainAt(place);
  }
  await service.sweep();
  for (const { id, now } of monitors)
    await eventually(async () => expect((await explain(service, id)).sentence).toMatch(now));
  causes.forEach((_cause, index) => service.dryAt({ lat: 10 + index, lng: 10 }));
  // The second try of those that get one.
  service.clock.advance(2 * minuteMs);
  for (const name of ['a wrong secret', 'no longer there']) {
    const { id = '' } = monitors.find((monitor) => monitor.name === name) ?? {};
    await eventually(async () => expect((await explain(service, id)).last_event?.state).toBe('failed'));
  }
  service.clock.advance(20 * 60 * minuteMs);
  await service.sweep();
  for (const { id, nextDay, name } of monitors) {
    const { sentence, cause } = await explain(service, id);
    expect([name, sentence]).toEqual([name, expect.stringMatching(nextDay)]);
    expect([name, cause]).toEqual([name, name === 'gone' ? 'callback_gone' : 'dry']);
    // No codes, and no time in the past as the next try.
    expect(sentence).not.toMatch(/host-silent|unknown-host|http \d|trying again/);
  }
});
