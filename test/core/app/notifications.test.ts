// Notifications that core sends without a window: monitors whose delivery is off or whose callbacks keep failing, and how tabs share them.
import { describe, expect, it } from 'vitest';
import type { HostNotice } from '#core/ports/host.ts';
import { freePort } from '#test/setup/free-ports.ts';
import { connectScreen, createMemoryHost, startCore, type MemoryHost } from '../core-harness.ts';
import { startFakeService } from '../fake-service.ts';
import { createManualClock } from '../manual-clock.ts';

type Change = { is_on?: boolean; off_reason?: string; failed_in_a_row?: number };

function state(id: string, change: Change = {}) {
  return {
    monitor_id: id,
    last_event_at: null,
    next_event_allowed_at: null,
    failed_in_a_row: 0,
    is_on: true,
    off_since: null,
    off_reason: null,
    last_attempt: { started_at: '2026-11-21T05:00:00', attempt: 5, http_status: 502, error: 'status' },
    ...change,
  };
}

async function startWatched({
  settings = {},
  hasOwnNotifications = true,
}: {
  settings?: Record<string, unknown>;
  hasOwnNotifications?: boolean;
} = {}) {
  const clock = createManualClock();
  const states = new Map<string, Change>();
  const service = await startFakeService({
    'GET /v2/delivery/': () => ({ body: { objects: [...states].map(([id, change]) => state(id, change)), meta: {} } }),
  });
  const notices: HostNotice[] = [];
  const host: MemoryHost = {
    ...createMemoryHost({ receiverPort: await freePort(), ...settings }),
    ...(hasOwnNotifications && { notify: (notice) => void notices.push(notice) }),
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

describe('a monitor whose callback fails', () => {
  it('is reported once by core itself, and what was wrong at the first look is not', async () => {
    const { states, notices, nextLook, client } = await startWatched();
    states.set('precipitation_1', { is_on: false, off_reason: 'failed for 3 days.' });
    states.set('precipitation_2', {});
    await nextLook();
    expect(notices).toEqual([]);
    states.set('precipitation_2', { failed_in_a_row: 1 });
    await nextLook();
    expect(notices).toEqual([]);
    states.set('precipitation_2', { failed_in_a_row: 2 });
    await nextLook();
    await nextLook();
    expect(notices).toMatchObject([
      {
        title: 'Callbacks for precipitation_2 are failing',
        body: '2 events have failed in a row. Last response: 502.',
      },
    ]);
    states.set('precipitation_2', { is_on: false, off_reason: 'failed for 3 days.' });
    await nextLook();
    await nextLook();
    expect(notices[1]).toMatchObject({
      title: 'Delivery for precipitation_2 is off',
      body: 'failed for 3 days. Turn it back on in Monitors.',
    });
    expect(notices).toHaveLength(2);
    // A click shows the monitor in a window.
    notices[1]?.onClick?.();
    for await (const notice of await client.app.notices()) {
      if (notice.topic !== 'show-monitor') continue;
      expect(notice).toMatchObject({ id: 'precipitation_2' });
      break;
    }
  });

  it('is one of a group in one notice, and a screen that asks saves the next look', async () => {
    const { states, notices, nextLook, client, clock, looks } = await startWatched();
    for (const id of ['a', 'b', 'c', 'd', 'e']) states.set(id, {});
    await nextLook();
    for (const id of ['a', 'b', 'c', 'd', 'e']) states.set(id, { failed_in_a_row: 3 });
    clock.advance(45_000);
    await client.monitors.deliveryStates();
    expect(notices).toMatchObject([
      { title: 'Callbacks for 5 monitors are failing', body: 'a, b, c and 2 more. Last response: 502.' },
    ]);
    const before = looks();
    clock.advance(15_000);
    await client.app.status();
    expect(looks()).toBe(before);
    // Fails on and off: not again within an hour.
    states.set('a', {});
    await nextLook();
    states.set('a', { failed_in_a_row: 2 });
    await nextLook();
    expect(notices).toHaveLength(1);
  });

  it('waits until quiet hours are over, and asks for nothing while notifications are off', async () => {
    const { states, notices, nextLook, client, clock, looks } = await startWatched({
      settings: { notifications: { isOn: true, quiet: null } },
    });
    states.set('a', {});
    await nextLook();
    const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
    const quiet = { from: time.format(clock.now()), until: time.format(clock.now() + 10 * 60_000) };
    await client.settings.update({ notifications: { isOn: true, quiet } });
    states.set('a', { is_on: false });
    await client.monitors.deliveryStates();
    expect(notices).toEqual([]);
    clock.advance(11 * 60_000);
    await client.app.status();
    await nextLook();
    expect(notices).toMatchObject([{ title: 'Delivery for a is off' }]);
    await client.settings.update({ notifications: { isOn: false, quiet: null } });
    const before = looks();
    clock.advance(5 * 60_000);
    await client.app.status();
    expect(looks()).toBe(before);
  });
});

describe('notifications of a host that cannot show any', () => {
  it('go to exactly one of several tabs, while they are fresh', async () => {
    const { core, client, clock } = await startWatched({ hasOwnNotifications: false });
    const other = await connectScreen(core);
    try {
      await client.notifications.sendTest();
      const taken = await Promise.all([client.notifications.take(), other.client.notifications.take()]);
      expect(taken.flatMap(({ notifications }) => notifications)).toEqual([
        { id: 1, title: 'Test notification', body: 'Rainbell can show notifications.', target: null },
      ]);
      await client.notifications.sendTest();
      clock.advance(60_000);
      expect(await other.client.notifications.take()).toEqual({ notifications: [] });
    } finally {
      await other.close();
    }
  });
});
