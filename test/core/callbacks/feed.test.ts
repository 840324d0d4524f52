// The app reads the feed of a service (docs/feed.md): a real service over real HTTP.
import { randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { introductionOf } from '#service/app/embedded-service.ts';
import { createMemoryHost } from '../core-harness.ts';
import { type Answer, type Route, startFakeService } from '../fake-service.ts';
import { createManualClock } from '../manual-clock.ts';
import { fieldsFor } from '../session/access-harness.ts';
import { startTarget, startWithReceiver } from './callback-harness.ts';
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
    expect(await client.callbacks.delivery({ id: 1 })).toBeNull();
    expect((await client.monitors.list()).monitors).toMatchObject([{ id, lastCallback: null }]);
    expect((await client.callbacks.search({ query: 'is:feed' })).items).toHaveLength(1);
    expect((await client.callbacks.search({ query: '-is:feed' })).items).toHaveLength(0);
    // The attempt at the address that is not there may end after the event was read.
    await expect
      .poll(() => client.monitors.deliveryStates())
      .toMatchObject({
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
    await client.sends.replaceForwardTargets({
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
    const forwarded = async () => (await client.sends.forwardTargets()).targets[0];
    await expect.poll(forwarded).toMatchObject({ sent: 1, accepted: 1, waiting: 0 });
    expect(target.seen).toHaveLength(1);
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
  const empty = { body: { objects: [], meta: { cursor: 'c', has_more: false, has_gap: false } } };

  /** A service whose feed answers by `answer`. */
  async function startFeed(answer: Route) {
    const asked: { url: string; at: number }[] = [];
    const clock = createManualClock();
    const service = await startFakeService({
      'GET /v2/deliveries/'(request, count) {
        asked.push({ url: request.url, at: clock.elapsed() });
        return answer(request, count);
      },
    });
    const host = createMemoryHost({ receiverPort: somePort(), readsFeed: true });
    const app = await startWithReceiver({ clock, host });
    const fields = { ...fieldsFor(service.introduction), clientSecret: 'secret1' };
    const saved = await app.client.connections.create(fields);
    await app.client.connections.select(saved);
    /** Lets time pass until there are that many requests. */
    async function waitForRequests(count: number) {
      const look = () => {
        clock.advance(asked.length < count ? 1_000 : 0);
        return asked.length;
      };
      await expect.poll(look, { interval: 5 }).toBeGreaterThanOrEqual(count);
    }
    return { ...app, asked, clock, saved, waitForRequests };
  }

  it('costs one request a minute, whether the service waits or not', async () => {
    const waiting: (() => void)[] = [];
    const { asked, client, clock, saved, statusWhere, host, waitForRequests } = await startFeed(async ({ url }) => {
      if (!url.includes('after=now')) await new Promise<void>((resolve) => waiting.push(resolve));
      return empty;
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
      waiting.shift()?.();
      // Until the app has read it, it plans nothing.
      await waitForRequests(minute + 2);
    }
    // The clock may advance by a second while a request is on its way to the service.
    const starts = asked.slice(1).map(({ at }) => at);
    for (const [index, at] of starts.slice(1).entries())
      expect(at - (starts[index] ?? 0)).toBeGreaterThanOrEqual(59_000);

    // The machine slept: the request may be dead, so another one takes its place at once.
    const { length } = asked;
    host.resume();
    await expect.poll(() => asked.length).toBe(length + 1);

    // A cursor of another application is not used.
    await client.connections.update({ ...saved, clientId: 'other' });
    await expect.poll(() => asked[length + 1]?.url).toMatch(/after=now$/);
    for (const respond of waiting) respond();
  });

  it('waits as long as Retry-After says, and longer each time without it', async () => {
    const failures: Answer[] = [{ status: 503, headers: { 'retry-after': '120' } }, { status: 500 }, { status: 500 }];
    const { asked, statusWhere, client, waitForRequests } = await startFeed(() => failures.shift() ?? empty);
    for (const waitMs of [120_000, 10_000, 20_000]) {
      const { feed } = await statusWhere((status) => status.feed.state === 'failed');
      expect(feed.problem?.code).toBe('SERVER');
      const { length } = asked;
      await waitForRequests(length + 1);
      expect((asked[length]?.at ?? 0) - (asked[length - 1]?.at ?? 0)).toBeGreaterThanOrEqual(waitMs);
    }
    await statusWhere(({ feed }) => feed.state === 'reading');
    await client.settings.update({ readsFeed: false });
    await statusWhere(({ feed }) => feed.state === 'off');
  });

  it('says that a service has none, and waits while the receiver is paused', async () => {
    const { asked, client, statusWhere } = await startFeed(() => ({ status: 404 }));
    await statusWhere(({ feed }) => feed.state === 'absent');
    expect(asked).toHaveLength(1);
    await client.rules.replace({ rules: [], pause: 'refuse' });
    await statusWhere(({ feed }) => feed.state === 'paused');
    await client.rules.replace({ rules: [], pause: 'off' });
    await expect.poll(() => asked.length).toBe(2);
    await client.connections.select({ id: 'sandbox' });
    await statusWhere(({ feed }) => feed.state === 'starting');
  });
});
