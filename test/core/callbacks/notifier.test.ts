// Notifications of new callbacks.
import { expect, test } from 'vitest';
import { notificationsSchema } from '#contract/app-rpc/settings.ts';
import { createCallbackNotifier, noticeText } from '#core/callbacks/callback-notifier.ts';
import { isQuiet, mayNotify } from '#core/notifications/quiet-hours.ts';
import type { HostNotice, UserNotice } from '#core/ports/host.ts';
import { freePort } from '#test/setup/free-ports.ts';
import { createMemoryHost, startCore, type MemoryHost } from '../core-harness.ts';
import { startFakeService } from '../fake-service.ts';
import { startReceiver } from '../receiver/receiver-harness.ts';
import { createManualClock } from '../manual-clock.ts';
import { monitorBody } from './callback-harness.ts';

const weather = {
  objects: [{ weather: { status: 'rainy' }, location: { locality: 'Torino' } }],
  meta: {},
};

async function startNotified() {
  const clock = createManualClock();
  const service = await startFakeService({
    'GET /v2/weather/': () => ({ body: weather }),
    'GET /sandbox/webhook-secrets': () => ({ status: 404 }),
  });
  const notices: HostNotice[] = [];
  const receiverPort = await freePort();
  const host: MemoryHost = {
    ...createMemoryHost({ receiverPort }),
    notify: (notice) => void notices.push(notice),
  };
  const { client, statusWhere } = await startCore({ clock, host, sandbox: service.introduction });
  const { receiver } = await statusWhere(
    ({ receiver: { state }, token }) => state === 'listening' && token.state === 'valid',
  );
  const send = async (id: string, coordinates = [7.69, 45.07]) => {
    await fetch(`${receiver.baseUrl}/a`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...monitorBody(id), geo: { type: 'Point', coordinates } }),
    });
    counts.sent += 1;
  };
  const counts = { sent: 0, known: 0 };
  void (async () => {
    for await (const notice of await client.app.notices()) {
      if (notice.topic === 'callbacks') counts.known = notice.newestId;
    }
  })().catch(() => {}); // The line closes at the end of the test.
  /** Waits until the app, and so the notifier, has all that was sent. */
  const settle = async () => {
    await expect.poll(() => counts.known).toBe(counts.sent);
  };
  return { clock, client, notices, send, settle };
}

test('a notification for an event has place and weather, and a click opens it', async () => {
  const { clock, client, notices, send, settle } = await startNotified();
  await send('precipitation_1');
  await settle();
  clock.advance(1000);
  await expect
    .poll(() => notices)
    .toMatchObject([{ title: 'Precipitation near Torino', body: 'Monitor: precipitation_1. Now: rainy.' }]);
  notices[0]?.onClick?.();
  const seen: unknown[] = [];
  for await (const notice of await client.app.notices()) {
    seen.push(notice);
    if (notice.topic === 'show-callback') break;
  }
  expect(seen.at(-1)).toEqual({ topic: 'show-callback', id: 1, version: 1 });
});

async function startNotifier() {
  const { pages, baseUrl } = await startReceiver();
  const clock = createManualClock();
  const [read, notices]: [number[], UserNotice[]] = [[], []];
  const notifier = createCallbackNotifier({
    choice: () => ({ isOn: true, quiet: null }),
    pages,
    validator: {
      validate(callback) {
        read.push(callback.id);
        return { verdict: 'ok', verdictName: 'verified', isMonitorOwn: true, kind: 'event', hour: 'ok' };
      },
    },
    isQuiet: () => false,
    weatherAt: () => Promise.resolve(undefined),
    notify: (notice) => void notices.push(notice),
    clock,
  });
  const send = async (body: string) => expect((await fetch(baseUrl, { method: 'POST', body })).status).toBe(200);
  return { clock, read, notices, notifier, send };
}

test('a front is one notice, even if many more of it arrive later and the newest are far from those of the notice', async () => {
  const { clock, read, notices, notifier, send } = await startNotifier();
  const event = (index: number) =>
    JSON.stringify({
      ...monitorBody(`precipitation_${index}`),
      geo: { type: 'Point', coordinates: [7 + index / 50, 45] },
    });
  for (let index = 0; index < 4; index += 1) await send(event(index));
  notifier.arrived(4);
  clock.advance(1000);
  await expect.poll(() => notices).toHaveLength(1);
  for (let index = 4; index < 154; index += 1) await send(event(index));
  notifier.arrived(154);
  clock.advance(10_000);
  await expect.poll(() => read.length).toBe(154);
  // One elsewhere, whose notice would be the third.
  await send(JSON.stringify({ ...monitorBody('precipitation_200'), geo: { type: 'Point', coordinates: [-74, 40.7] } }));
  notifier.arrived(155);
  const later = () => {
    clock.advance(10_000);
    return notices.map(({ title }) => title);
  };
  await expect.poll(later).toEqual(['Rain front near 45.00, 7.06', 'Precipitation near 40.70, -74.00']);
});

test('only callbacks that name a monitor are read for a notice', async () => {
  const { clock, read, notices, notifier, send } = await startNotifier();
  const bodies = ['x'.repeat(100_000), JSON.stringify(monitorBody('precipitation_1')), 'y'.repeat(100_000)];
  for (const body of bodies) await send(body);
  notifier.arrived(3);
  clock.advance(1000);
  await expect.poll(() => notices).toHaveLength(1);
  expect(read).toEqual([2]);
});

test('quiet hours go over midnight', () => {
  const night = { from: '22:00', until: '07:00' };
  expect(['21:59', '22:00', '00:00', '06:59', '07:00'].map((now) => isQuiet(night, now))).toEqual([
    false,
    true,
    true,
    true,
    false,
  ]);
  const noon = { from: '12:00', until: '13:00' };
  expect(['11:59', '12:30', '13:00'].map((now) => isQuiet(noon, now))).toEqual([false, true, false]);
});

test('quiet hours follow the chosen time zone', () => {
  const noonUtc = Date.parse('2026-11-22T12:00:00Z');
  const quiet = { from: '21:00', until: '22:00' };
  const may = ['Asia/Tokyo', 'Europe/Rome'].map((zone) =>
    mayNotify({ isOn: true, quiet: { ...quiet, zone } }, noonUtc),
  );
  expect(may).toEqual([false, true]);
  expect(notificationsSchema.safeParse({ isOn: true, quiet: { ...quiet, zone: 'Mars/Base' } }).success).toBe(false);
});

test('without weather the notification has the coordinates', () => {
  const row = { monitorId: 'precipitation_1' } as Parameters<typeof noticeText>[0][number];
  expect(noticeText([row], { lat: 45.07, lng: 7.69 }, undefined)).toEqual({
    title: 'Precipitation near 45.07, 7.69',
    body: 'Monitor: precipitation_1.',
  });
});

test('a clock that is set back does not keep the next notice back', async () => {
  const { clock, notices, send, settle } = await startNotified();
  await send('precipitation_1');
  await settle();
  const noticesLater = () => {
    clock.advance(1000);
    return notices;
  };
  await expect.poll(noticesLater).toHaveLength(1);
  clock.jump(-4 * 3_600_000);
  await send('precipitation_2', [-74, 40.7]);
  await settle();
  await expect.poll(noticesLater).toHaveLength(2);
});

test('a notification shows hidden characters of sender and service as escapes, and is short', () => {
  const row = { monitorId: `evil\u202Etxt${'x'.repeat(500)}` } as Parameters<typeof noticeText>[0][number];
  const { title, body } = noticeText([row], undefined, { status: 'rainy\u200B', place: 'To\u2066rino' });
  expect(title).toBe(String.raw`Precipitation near To\u2066rino`);
  expect(body).toMatch(/^Monitor: evil\\u202Etxtx{50,60}…\. Now: rainy\\u200B\.$/);
});
