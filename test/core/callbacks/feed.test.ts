// The app reads the feed of a service (docs/feed.md): a real service, real HTTP, and processes that are killed.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { connectAppDatabase } from '#core/database/connect.ts';
import { introductionOf } from '#service/app/embedded-service.ts';
import { createOutbox } from '#service/monitors/delivery/outbox.ts';
import { bundleProcess } from '#test/setup/bundled-process.ts';
import { waitForCount } from '#test/service/eventually.ts';
import { type MonitorService, startMonitorService } from '#test/service/monitor-service.ts';
import { addMonitorRows } from '#test/service/monitor-rows.ts';
import { createMemoryHost, threadEntries } from '../core-harness.ts';
import { createManualClock } from '../manual-clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { startTarget, startWithReceiver } from './callback-harness.ts';
import { listen } from '#test/setup/listen.ts';
import { startOwnService } from '#test/service/start-own-service.ts';

const place = { lat: 45.07, lng: 7.69 };
const somePort = () => randomInt(10_000, 30_000);

describe('the feed in the app', () => {
  it('stores events without a callback as verified, marks them, and counts none as delivered', async () => {
    const service = await startOwnService();
    const { core, client, statusWhere } = await startWithReceiver();
    core.connectSandbox(introductionOf(service));
    await statusWhere(({ token }) => token.state === 'valid');
    expect((await client.app.status()).feed.state).toBe('off');
    await client.settings.update({ readsFeed: true });
    await statusWhere(({ feed }) => feed.state === 'reading');
    await client.sandbox.addScenario({ center: place, status: 'rainy', minutes: 60 });
    // This port has no listener.
    const { id } = await client.monitors.create({
      geo: place,
      callback: { kind: 'address', uri: 'http://127.0.0.1:9/hooks/rain' },
    });
    const items = async () => (await client.callbacks.list({})).items;
    await expect.poll(items).toMatchObject([
      {
        monitorId: id,
        target: '/hooks/rain',
        isByFeed: true,
        isMonitorOwn: true,
        kind: 'event',
        verdict: 'ok',
        verdictName: 'verified',
        answeredStatus: 0,
        outcome: { kind: 'unrecorded' },
      },
    ]);
    const { checks } = await client.callbacks.get({ id: 1 });
    expect(checks.find(({ check }) => check === 'address')?.message).toBe(
      'The callback was read from the feed, so nothing was sent to the monitor’s callback_uri.',
    );
    // By then the app has fetched the secret.
    const signature = async () =>
      (await client.callbacks.get({ id: 1 })).checks.find(({ check }) => check === 'signature')?.message;
    await expect.poll(signature).toBe('The signature is valid.');
    expect(await client.callbacks.delivery({ id: 1 })).toMatchObject({ isAvailable: false });
    expect((await client.monitors.list()).monitors).toMatchObject([{ id, lastCallback: null }]);
    expect((await client.callbacks.search({ query: 'is:feed' })).items).toHaveLength(1);
    expect((await client.callbacks.search({ query: '-is:feed' })).items).toHaveLength(0);
    const states = await client.monitors.deliveryStates();
    expect(states).toMatchObject({
      isAvailable: true,
      states: [{ monitor_id: id, last_attempt: { http_status: null } }],
    });

    // Off, and on again: what was missed comes, and nothing twice.
    await client.settings.update({ readsFeed: false });
    await statusWhere(({ feed }) => feed.state === 'off');
    const { event_id: missed } = await client.monitors.sendTest({ id });
    await client.settings.update({ readsFeed: true });
    await expect.poll(async () => (await items()).length).toBe(2);
    const { headers } = await client.callbacks.get({ id: 2 });
    expect(headers).toContainEqual(['webhook-id', missed]);
  });

  it('treats a callback and its copy by the feed as one event, and forwards it once', async () => {
    const service = await startOwnService();
    const target = await startTarget();
    const host = createMemoryHost({ receiverPort: somePort(), readsFeed: true });
    const { core, client, statusWhere } = await startWithReceiver({ host });
    core.connectSandbox(introductionOf(service));
    await statusWhere(({ feed }) => feed.state === 'reading');
    await client.callbacks.replaceForwardTargets({
      targets: [{ id: 'a', url: target.url, path: '/*', keepsPath: true, isOn: true }],
    });
    await client.sandbox.addScenario({ center: place, status: 'rainy', minutes: 60 });
    await client.monitors.create({ geo: place, callback: { kind: 'this-app' } });
    const items = async () => (await client.callbacks.list({})).items;
    await expect.poll(async () => (await items()).length).toBe(2);
    await expect.poll(async () => (await items()).map(({ verdict }) => verdict)).toEqual(['ok', 'ok']);
    const [second, first] = await items();
    expect([first?.kind, second?.kind]).toEqual(['event', 'retry']);
    expect(first?.isByFeed).not.toBe(second?.isByFeed);
    expect([first?.verdictName, second?.verdictName]).toEqual(['verified', 'verified']);
    const { checks } = await client.callbacks.get({ id: 2 });
    expect(checks.find(({ check }) => check === 'hour')?.message).toMatch(/^The same event as callback 1, which /);
    const forwarded = async () => (await client.callbacks.forwardTargets()).targets[0];
    await expect.poll(forwarded).toMatchObject({ sent: 1, accepted: 1, waiting: 0 });
    expect(target.seen).toHaveLength(1);
  });

  let bundle: Awaited<ReturnType<typeof bundleProcess>>;
  beforeAll(async () => {
    bundle = await bundleProcess(fileURLToPath(new URL('./feed-victim.ts', import.meta.url)));
  });
  afterAll(() => bundle.remove());

  /** Starts a reader in a process of its own, and counts what it stored; `produce` adds `perHalf` to the feed, which are several pages. */
  async function readWhileKilled(
    service: MonitorService,
    perHalf: number,
    produce: (half: number, hour: number) => Promise<unknown>,
  ) {
    const folder = temporaryFolder();
    const file = join(folder, 'app.sqlite');
    openAppDatabase({ file, clock: systemClock }).close();
    const db = connectAppDatabase(file);
    onTestFinished(() => db.close());
    const count = (table: string) => Number(db.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count']);
    const { clientId, clientSecret } = service.sandbox;
    const start = () => {
      const node = fileURLToPath(new URL('../../../node_modules/.bin/node', import.meta.url));
      const given = [bundle.file, folder, service.baseUrl, clientId, clientSecret, threadEntries.json.href];
      const child = spawn(node, given, { stdio: ['ignore', 'ignore', 'inherit'] });
      onTestFinished(() => void child.kill('SIGKILL'));
      return { child, ended: once(child, 'exit') };
    };
    const quick = { interval: 2 };
    const first = start();
    await expect.poll(() => count("documents WHERE name GLOB 'feed cursor *'"), quick).toBe(1);
    first.child.kill('SIGKILL');
    await first.ended;
    for (let hour = 0; hour < 5; hour += 1) {
      // Some without a reader, the others with one.
      await produce(0, hour);
      const { child, ended } = start();
      await produce(1, hour);
      const most = Math.floor(1.9 * perHalf);
      const stop = Math.min(count('callbacks') + randomInt(1, most), 2 * perHalf * hour + most);
      await expect.poll(() => count('callbacks'), quick).toBeGreaterThanOrEqual(stop);
      child.kill('SIGKILL');
      await ended;
    }
    start();
    await waitForCount(10 * perHalf, () => count('callbacks'));
    return db;
  }

  it('misses none of 3,000 events and stores none twice, off and killed at random', async () => {
    const service = await startMonitorService({ config: { role: 'api' } });
    const cells = await addMonitorRows(service, 20, 30);
    const claims = createOutbox(service.database, 'claims');
    const db = await readWhileKilled(service, 300, (half, hour) =>
      claims.claim(cells.slice(half * 10, half * 10 + 10), service.clock.now() + hour * 3_600_000),
    );
    const events = await service.db.selectFrom('events').select('id').execute();
    const stored = db.prepare('SELECT event_id FROM feed_events').all();
    expect(events).toHaveLength(3_000);
    expect(stored.map((row) => String(row['event_id'])).toSorted()).toEqual(events.map(({ id }) => id).toSorted());
    const named = db.prepare('SELECT count(DISTINCT headers ->> 1) AS count FROM callbacks').get();
    expect(named).toEqual({ count: 3_000 });
  });

  it('misses none of 10,000 webhooks that the service received, and stores none twice', async () => {
    const service = await startMonitorService({ config: { role: 'api' } });
    const { url } = (await service.call('PUT', '/v2/inbox/')).json as { url: string };
    const senders = new Pool(service.baseUrl, { connections: 16 });
    onTestFinished(() => senders.close());
    const send = async (number: number) => {
      const path = `${new URL(url).pathname}${number}`;
      const { statusCode, body } = await senders.request({ path, method: 'POST', body: String(number) });
      await body.dump();
      expect(statusCode).toBe(200);
    };
    const db = await readWhileKilled(service, 1_000, (half, hour) =>
      Promise.all(Array.from({ length: 1_000 }, (_, index) => send(hour * 2_000 + half * 1_000 + index))),
    );
    const wrong = db.prepare("SELECT count(*) AS count FROM callbacks WHERE target <> '/' || CAST(body AS TEXT)").get();
    expect(wrong).toEqual({ count: 0 });
    expect(db.prepare('SELECT count(DISTINCT target) AS count FROM callbacks').get()).toEqual({ count: 10_000 });
  });

  it('reads webhooks of any sender from the service’s inbox, and believes none of them without a signature', async () => {
    // An event of the monitor would be a third callback.
    const service = await startOwnService({ simulatedRain: 'off' });
    const host = createMemoryHost({ receiverPort: somePort(), readsFeed: true });
    const { core, client, statusWhere } = await startWithReceiver({ host });
    core.connectSandbox(introductionOf(service));
    await statusWhere(({ feed }) => feed.state === 'reading');
    expect(await client.feed.inbox()).toEqual({ isOffered: true, url: null });
    const { url } = await client.feed.openInbox();
    // Otherwise, the simulation may have rain there now, and so an event.
    await client.sandbox.addScenario({ center: place, status: 'sunny', minutes: 60 });
    const { id } = await client.monitors.create({
      geo: place,
      callback: { kind: 'address', uri: 'http://127.0.0.1:9/hooks/rain' },
    });
    const monitor = (await client.monitors.list()).monitors.find((one) => one.id === id);
    const forged = JSON.stringify({
      id,
      monitor_type: 'precipitation',
      callback_uri: monitor?.callbackUri,
      geo: place,
    });
    await fetch(`${url}rain`, { method: 'POST', headers: { 'rainbell-event': 'evt_1' }, body: forged });
    await fetch(`${url}git?x=1`, { method: 'POST', headers: { 'x-github-event': 'ping' }, body: '{}' });
    const items = async () => (await client.callbacks.list({})).items;
    await expect.poll(async () => (await items()).length).toBe(2);
    const [git, rain] = await items();
    expect(git).toMatchObject({ target: '/git?x=1', isByFeed: true });
    expect(rain).toMatchObject({ target: '/rain', isByFeed: true });
    expect(rain?.verdictName).toBe('invalid');
    const traffic = await client.traffic.list({});
    expect(JSON.stringify(traffic)).not.toContain(new URL(url ?? '').pathname.split('/')[2]);
    expect(await client.feed.closeInbox()).toEqual({ isOffered: true, url: null });
  });
});

describe('an idle feed', () => {
  /** A service whose feed answers when the test says so; `answer` gets each request. */
  async function startFeed(answer: (response: ServerResponse, request: IncomingMessage) => void) {
    const asked: { url: string; at: number }[] = [];
    const clock = createManualClock();
    const service = createServer((request, response) => {
      const url = request.url ?? '';
      const send = (body: object) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      if (url.startsWith('/token')) {
        send({ access_token: 'token', token_type: 'bearer', expires_in: 31_536_000, refresh_token: 'refresh' });
      } else if (url.startsWith('/v2/deliveries/')) {
        asked.push({ url, at: clock.elapsed() });
        answer(response, request);
      } else response.writeHead(404).end();
    });
    const port = await listen(service);
    const baseUrl = `http://127.0.0.1:${port}`;
    const host = createMemoryHost({ receiverPort: somePort(), readsFeed: true });
    const app = await startWithReceiver({ clock, host });
    const { id } = await app.client.connections.create({
      name: 'Team',
      color: 'blue',
      baseUrl,
      authUrl: baseUrl,
      clientId: 'client',
      clientSecret: 'secret',
      isPublic: false,
      redirectUri: 'http://127.0.0.1/',
      scope: '',
      caPem: null,
      proxyUrl: null,
    });
    await app.client.connections.select({ id });
    return { ...app, asked, clock, id };
  }

  const empty = (response: ServerResponse) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ objects: [], meta: { cursor: 'c', has_more: false, has_gap: false } }));

  it('costs one request a minute, whether the service waits or not', async () => {
    const stepMs = 1_000;
    const waiting: ServerResponse[] = [];
    const { asked, clock, statusWhere, host } = await startFeed((response, request) => {
      if (request.url?.includes('after=now')) empty(response);
      else waiting.push(response);
    });
    await expect.poll(() => asked.length).toBe(2);
    expect(asked.map(({ url }) => url)).toEqual([
      '/v2/deliveries/?wait=0&after=now',
      '/v2/deliveries/?wait=55&after=c',
    ]);
    await statusWhere(({ feed }) => feed.state === 'reading');
    for (let minute = 1; minute <= 5; minute += 1) {
      // The last ones at once, like a service that is about to stop.
      clock.advance(minute < 4 ? 55_000 : 0);
      const response = waiting.shift();
      if (response) empty(response);
      // Until the app has read it, it plans nothing.
      await expect
        .poll(
          () => {
            clock.advance(asked.length < minute + 2 ? stepMs : 0);
            return asked.length;
          },
          { interval: 5 },
        )
        .toBe(minute + 2);
    }
    // The clock may advance by a step while a request is on its way to the service.
    const starts = asked.slice(1).map(({ at }) => at);
    for (const [index, at] of starts.slice(1).entries())
      expect(at - (starts[index] ?? 0)).toBeGreaterThanOrEqual(60_000 - stepMs);

    // The machine slept: the request may be dead, so another one takes its place at once.
    const { length } = asked;
    host.resume();
    await expect.poll(() => asked.length).toBe(length + 1);
  });

  it('waits as long as Retry-After says, and longer each time without it', async () => {
    const failures = [
      (response: ServerResponse) => response.writeHead(503, { 'retry-after': '120' }).end(),
      (response: ServerResponse) => response.writeHead(500).end(),
      (response: ServerResponse) => response.writeHead(500).end(),
    ];
    const { asked, clock, statusWhere, client } = await startFeed((response) => (failures.shift() ?? empty)(response));
    for (const waitMs of [120_000, 10_000, 20_000]) {
      const { feed } = await statusWhere((status) => status.feed.state === 'failed');
      expect(feed.problem?.code).toBe('SERVER');
      const { length } = asked;
      await expect
        .poll(
          () => {
            clock.advance(asked.length === length ? 1_000 : 0);
            return asked.length;
          },
          { interval: 5 },
        )
        .toBeGreaterThan(length);
      expect((asked[length]?.at ?? 0) - (asked[length - 1]?.at ?? 0)).toBeGreaterThanOrEqual(waitMs);
    }
    await statusWhere(({ feed }) => feed.state === 'reading');
    await client.settings.update({ readsFeed: false });
    await statusWhere(({ feed }) => feed.state === 'off');
  });

  it('says that a service has none, and waits while the receiver is paused', async () => {
    const { asked, client, statusWhere, core } = await startFeed((response) => void response.writeHead(404).end());
    await statusWhere(({ feed }) => feed.state === 'absent');
    expect(asked).toHaveLength(1);
    await core.pauseReceiver('refuse');
    await statusWhere(({ feed }) => feed.state === 'paused');
    await core.pauseReceiver('off');
    await expect.poll(() => asked.length).toBe(2);
    await client.connections.select({ id: 'sandbox' });
    await statusWhere(({ feed }) => feed.state === 'starting');
  });
});
