// Notifications that core sends without a window, and how tabs share them. test/core/monitors/delivery-watch.test.ts has what is worth one.
import { expect, it } from 'vitest';
import type { HostNotice } from '#core/ports/host.ts';
import { freePort } from '#test/setup/free-ports.ts';
import { monitorBody } from '../callbacks/callback-harness.ts';
import { createMemoryHost, startCore } from '../core-harness.ts';
import { startFakeService } from '../fake-service.ts';
import { createManualClock } from '../manual-clock.ts';
import { deliveryOf } from '../monitors/monitor-delivery.ts';

async function startWatched({ hasOwnNotifications = true } = {}) {
  const clock = createManualClock();
  const states = new Map<string, Parameters<typeof deliveryOf>[1]>();
  const service = await startFakeService({
    'GET /v2/delivery/': () => ({ body: { objects: [...states].map(([id, change]) => deliveryOf(id, change)) } }),
  });
  const notices: HostNotice[] = [];
  const host = {
    ...createMemoryHost({ receiverPort: await freePort() }),
    ...(hasOwnNotifications && { notify: (notice: HostNotice) => void notices.push(notice) }),
  };
  const core = await startCore({ clock, host, sandbox: service.introduction });
  await core.statusWhere(({ token }) => token.state === 'valid');
  const looks = () => service.requestsTo('GET /v2/delivery/').length;
  /** Lets a minute pass, and waits for the look at its end. */
  const nextLook = async () => {
    const before = looks();
    clock.advance(60_000);
    await expect.poll(looks).toBe(before + 1);
    // The answer has been read once a screen gets the same.
    await core.client.monitors.deliveryStates();
  };
  return { ...core, clock, states, notices, looks, nextLook };
}

it('a monitor whose callback fails is reported once by core itself, and a click shows it in a window', async () => {
  const { states, notices, nextLook, client } = await startWatched();
  states.set('precipitation_1', { is_on: false, off_reason: 'failed for 3 days.' });
  states.set('precipitation_2', {});
  await nextLook();
  expect(notices).toEqual([]);
  states.set('precipitation_2', { failed_in_a_row: 2 });
  await nextLook();
  await nextLook();
  expect(notices).toMatchObject([{ title: 'Callbacks for precipitation_2 are failing' }]);
  notices[0]?.onClick?.();
  for await (const notice of await client.app.notices()) {
    if (notice.topic !== 'show-monitor') continue;
    expect(notice).toMatchObject({ id: 'precipitation_2' });
    break;
  }
});

it('callbacks of monitors are reported, and no other request that looks like one', async () => {
  const { notices, client, clock, statusWhere } = await startWatched();
  const { receiver } = await statusWhere(({ receiver: { state } }) => state === 'listening');
  const send = (id: string, body: object) => {
    const headers = { 'user-agent': 'Rainbell/1.0', 'webhook-id': id };
    return fetch(`${receiver.baseUrl}/a`, { method: 'POST', headers, body: JSON.stringify(body) });
  };
  await send('test_1', {});
  await send('test_2', monitorBody('precipitation_1'));
  expect((await client.callbacks.list({})).items).toMatchObject([{ kind: 'test' }, { kind: 'test' }]);
  await expect
    .poll(() => {
      clock.advance(500);
      return notices;
    })
    .toMatchObject([{ title: 'Test event near 45.10, 7.70' }]);
});

it('core requests nothing while notifications are off or quiet, and for what failed meanwhile when it may tell again', async () => {
  const { states, notices, nextLook, client, clock, looks } = await startWatched();
  states.set('a', {});
  await nextLook();
  const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
  const quiet = { from: time.format(clock.now()), until: time.format(clock.now() + 10 * 60_000) };
  const before = looks();
  for (const notifications of [
    { isOn: false, quiet: null },
    { isOn: true, quiet },
  ]) {
    await client.settings.update({ notifications });
    states.set('a', { is_on: false });
    clock.advance(5 * 60_000);
    await client.app.status();
    expect([looks(), notices]).toEqual([before, []]);
  }
  clock.advance(6 * 60_000);
  await expect.poll(() => notices).toMatchObject([{ title: 'Delivery for a is off' }]);
});

// test/stories/browser-notifications.test.ts has several tabs.
it('notifications of a host that cannot show any go to a screen once, while they are fresh', async () => {
  const { client, clock } = await startWatched({ hasOwnNotifications: false });
  await client.notifications.sendTest();
  const test = { id: 1, title: 'Test notification', body: 'Rainbell can show notifications.', target: null };
  expect(await client.notifications.take()).toEqual({ notifications: [test] });
  expect(await client.notifications.take()).toEqual({ notifications: [] });
  await client.notifications.sendTest();
  clock.advance(60_000);
  expect(await client.notifications.take()).toEqual({ notifications: [] });
});
