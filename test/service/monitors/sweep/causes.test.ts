// Why a monitor's callback was not received: each cause is explained while it happens, and on the next day, when it is dry.
import { createServer as createHttpsServer } from 'node:https';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import type { MonitorExplanation } from '#contract/service-api/monitor-explanation.ts';
import { makeAuthority, makeLeaf } from '#core/receiver/access/receiver-certificate.ts';
import { eventPageSchema, formatEventEnd, summarizeEvent } from '#contract/service-api/events.ts';
import { listen } from '#test/setup/listen.ts';
import { status } from '#test/service/monitors/delivery/delivery-harness.ts';
import { eventually } from '#test/service/eventually.ts';
import { startMonitorService, turin, type MonitorService } from '#test/service/monitor-service.ts';

const minuteMs = 60_000;

const answering = async (code: number): Promise<string> => (await status(code)).url;

/** A server that accepts connections and never responds. */
async function silent(): Promise<string> {
  return `http://127.0.0.1:${await listen(createServer((socket) => socket.on('error', () => {})))}/`;
}

/** What the sentence must name at once, and on the next day, of callback URLs. */
const endpoints: readonly [name: string, url: () => Promise<string>, now: RegExp, nextDay: RegExp][] = [
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

type Cause = { name: string; ask: () => Promise<string>; now: RegExp; nextDay: RegExp };

const dayMs = 20 * 60 * minuteMs;

async function explain(service: MonitorService, id: string): Promise<string> {
  const { json } = await service.call('GET', `/v2/monitors/${id}/explanation/`);
  return (json as MonitorExplanation).sentence;
}

/** An https server whose certificate was valid in 2020, by an authority that the service trusts. */
async function expired(service: MonitorService): Promise<string> {
  const authority = await makeAuthority(Date.now());
  const leaf = await makeLeaf(authority, [], Date.UTC(2020, 0, 1));
  service.monitors.trustAuthority(authority.cert);
  return `https://127.0.0.1:${await listen(createHttpsServer(leaf))}/`;
}

/** What callback URLs cause, and monitors without events; its clock and weather move on. */
async function stageMonitors(service: MonitorService) {
  const causes: Cause[] = [];
  const add = async (name: string, url: string, now: RegExp, nextDay: RegExp) => {
    const place = { lat: 10 + causes.length, lng: 10 };
    const id = await service.addMonitor(url, place);
    service.rainAt(place);
    causes.push({ name, ask: () => explain(service, id), now, nextDay });
    return id;
  };
  for (const [name, url, now, nextDay] of endpoints) await add(name, await url(), now, nextDay);
  const certificate = /the certificate has expired/;
  await add('an expired certificate', await expired(service), certificate, certificate);
  const closed = createServer();
  const port = await listen(closed);
  await new Promise((resolve) => void closed.close(resolve));
  const behind: string[] = [];
  for (let index = 0; index < 8; index += 1)
    behind.push(await service.addMonitor(`http://127.0.0.1:${port}/${index}`, { lat: 10, lng: 10 }));
  const removed = await add(
    'a deleted monitor',
    await answering(204),
    /was deleted\. .* was delivered/,
    /was deleted\. .* was delivered/,
  );
  await service.sweep();
  let skipped = '';
  await eventually(async () => {
    const sentences = await Promise.all(behind.map((id) => explain(service, id)));
    const index = sentences.findIndex((sentence) => sentence.includes('is waiting, because its host'));
    expect(sentences[index]).toBeDefined();
    skipped = behind[index] ?? '';
  });
  const notTried = /(not tried, because the host didn’t respond to other attempts|connection refused) \(127/;
  causes.push({
    name: 'a host that rests',
    ask: () => explain(service, skipped),
    now: /is waiting, because its host didn’t/,
    nextDay: notTried,
  });
  await eventually(async () => expect(await explain(service, removed)).toContain('was delivered'));
  await service.call('DELETE', `/v2/monitors/${removed}/`);
  // As `rainbell why` asks: the record outlives the monitor.
  const ofRecord = async () => {
    expect((await service.call('GET', `/v2/monitors/${removed}/explanation/`)).status).toBe(404);
    const [event] = eventPageSchema.parse((await service.call('GET', `/v2/events/?monitor=${removed}`)).json).objects;
    return `It was deleted. ${event && formatEventEnd(summarizeEvent(event), String)}`;
  };
  Object.assign(causes.find(({ name }) => name === 'a deleted monitor') ?? {}, { ask: ofRecord });
  // Oslo with latitude and longitude swapped.
  const swapped = await service.addMonitor('http://127.0.0.1:9/', { lat: 10.75, lng: 59.91 });
  await service.sweep();
  const isAtSea = /^Checked .* dry; the location is at sea/;
  causes.push({ name: 'swapped coordinates', ask: () => explain(service, swapped), now: isAtSea, nextDay: isAtSea });
  return causes;
}

/** The other kind of service: a public one, whose settings forbid a host later. */
async function stageBlocked() {
  const config = { callbackAllowlist: ['127.0.0.1'] };
  const service = await startMonitorService({ policy: 'public', config });
  const id = await service.addMonitor(await answering(204), turin);
  await service.db.updateTable('monitors').set({ callback_uri: 'http://10.1.2.3/' }).execute();
  service.rainAt(turin);
  await service.sweep();
  const forbidden = /the service may not send to this address \(10\.1\.2\.3\)/;
  const cause = { name: 'a host blocked later', ask: () => explain(service, id), now: forbidden, nextDay: forbidden };
  return { service, cause };
}

it('each cause is named at once and on the next day, and never as dry only', async () => {
  const service = await startMonitorService({ config: { deliveryTimeoutSeconds: 10 } });
  const own = await stageMonitors(service);
  const { service: other, cause } = await stageBlocked();
  const causes = [...own, cause];
  const expectNamed = async (when: 'now' | 'nextDay') => {
    for (const { name, ask, ...expected } of causes)
      await eventually(async () => {
        const sentence = await ask();
        expect([name, sentence]).toEqual([name, expect.stringMatching(expected[when])]);
        expect(sentence).not.toMatch(/host-silent|unknown-host|http \d|tls-|forbidden/);
      });
  };
  expect(causes).toHaveLength(16);
  await expectNamed('now');
  own.forEach((_cause, index) => service.dryAt({ lat: 10 + index, lng: 10 }));
  other.dryAt(turin);
  // The second try of those that get one.
  service.clock.advance(2 * minuteMs);
  for (const { name, ask } of own.filter(({ name: one }) => one === 'a wrong secret' || one === 'no longer there'))
    await eventually(async () => expect([name, await ask()]).toEqual([name, expect.stringContaining(' failed: ')]));
  service.clock.jump(dayMs);
  other.clock.jump(dayMs);
  await service.sweep();
  await other.sweep();
  await expectNamed('nextDay');
});
