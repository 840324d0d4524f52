// Notifications of new callbacks: when one is shown, for which, and what it says.
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { CallbackSummary } from '#contract/app-rpc/callbacks.ts';
import type { NotificationChoice } from '#contract/app-rpc/settings.ts';
import { createCallbackNotifier, noticeText } from '#core/notifications/callback-notifier.ts';
import { isQuiet } from '#core/notifications/quiet-hours.ts';
import type { HostNotice, UserNotice } from '#core/ports/host.ts';
import { freePort } from '#test/setup/free-ports.ts';
import { createMemoryHost, type MemoryHost, startCore } from '../core-harness.ts';
import { type Route, startFakeService } from '../fake-service.ts';
import { createManualClock } from '../manual-clock.ts';
import { monitorBody } from '../callbacks/callback-harness.ts';
import { openCallbackStore, receivedCallback } from '../callbacks/callback-store.ts';
import { storedCallback } from '../callbacks/stored-callback.ts';

const rainy = { objects: [{ weather: { status: 'rainy' }, location: { locality: 'Torino' } }], meta: {} };

const named = { title: 'Precipitation near Torino', body: 'Monitor: precipitation_1. Now: rainy.' };
const unnamed = { title: 'Precipitation near 45.10, 7.70', body: 'Monitor: precipitation_1.' };

test.each<[string, Route, object]>([
  ['place and weather', () => ({ body: rainy }), named],
  ['neither if the service fails', () => ({ status: 500 }), unnamed],
  ['neither if the service does not respond in 3 s', () => new Promise(() => {}), unnamed],
])('a notification for an event has %s, and a click opens it', async (_, weather, shown) => {
  const clock = createManualClock();
  const service = await startFakeService({
    'GET /v2/weather/': weather,
    'GET /sandbox/webhook-secrets': () => ({ status: 404 }),
  });
  const notices: HostNotice[] = [];
  const memory = createMemoryHost({ receiverPort: await freePort() });
  const host: MemoryHost = { ...memory, notify: (notice) => void notices.push(notice) };
  const { client, statusWhere } = await startCore({ clock, host, sandbox: service.introduction });
  const { receiver } = await statusWhere(
    ({ receiver: { state }, token }) => state === 'listening' && token.state === 'valid',
  );
  await fetch(`${receiver.baseUrl}/a`, { method: 'POST', body: JSON.stringify(monitorBody('precipitation_1')) });
  const app = await client.app.notices();
  for await (const notice of app) if (notice.topic === 'callbacks' && notice.newestId === 1) break;
  // The screen's first notices can name the callback before it reaches the notifier.
  const secondLater = () => {
    // Its limit for the weather must not end before the service responds.
    if (service.requestsTo('GET /v2/weather/').length === 0 || shown === unnamed) clock.advance(1000);
    return notices;
  };
  await expect.poll(secondLater).toMatchObject([shown]);
  notices[0]?.onClick?.();
  const seen: unknown[] = [];
  for await (const notice of await client.app.notices()) {
    seen.push(notice);
    if (notice.topic === 'show-callback') break;
  }
  expect(seen.at(-1)).toEqual({ topic: 'show-callback', id: 1, version: 1 });
});

test('quiet hours go over midnight', () => {
  const night = { from: '22:00', until: '07:00' };
  const times = ['21:59', '22:00', '00:00', '06:59', '07:00'];
  expect(times.filter((now) => isQuiet(night, now))).toEqual(['22:00', '00:00', '06:59']);
  const noon = { from: '12:00', until: '13:00' };
  expect(['11:59', '12:30', '13:00'].map((now) => isQuiet(noon, now))).toEqual([false, true, false]);
});

const torino = [7.69, 45.07];
const berlin = [13.4, 52.5];
const tokyo = [139.7, 35.7];

type Changes = Parameters<typeof receivedCallback>[0] & { kind?: CallbackSummary['kind'] };

function startNotifier({ before = 0, quiet = '' } = {}) {
  const clock = createManualClock(Date.parse('2026-11-21T12:00:00Z'));
  const { pages, writer } = openCallbackStore(Array.from({ length: before }, () => receivedCallback()));
  const notices: UserNotice[] = [];
  const kinds = new Map<number, CallbackSummary['kind']>();
  const state: { choice: NotificationChoice } = { choice: { isOn: true, quiet: null } };
  const notifier = createCallbackNotifier({
    choice: () => state.choice,
    validator: {
      validate: ({ id }) => ({
        verdict: 'ok',
        verdictName: 'verified',
        isMonitorOwn: true,
        kind: kinds.get(id) ?? 'event',
        hour: 'ok',
      }),
    },
    isQuiet: (monitorId) => monitorId === quiet,
    weatherAt: () => Promise.resolve(undefined),
    notify: (notice) => void notices.push(notice),
    clock,
  });
  const store = (coordinates: readonly number[] | null = torino, more: Changes = {}) => {
    const { id = 'precipitation_1', kind, ...changes } = more;
    const geo = coordinates === null ? undefined : { type: 'Point', coordinates };
    const body = Buffer.from(JSON.stringify({ ...monitorBody(id), geo }));
    writer.append([receivedCallback({ receivedAt: clock.now(), body, ...changes })]);
    const stored = pages.get(writer.counters.newestId);
    if (!stored) throw new Error('not stored');
    if (kind) kinds.set(stored.id, kind);
    return stored;
  };
  /** Stores one and gives notice of it. */
  const receive = (...given: Parameters<typeof store>) => notifier.arrived(store(...given));
  return {
    clock,
    notices,
    notifier,
    receive,
    store,
    state,
    shownIds: () => notices.map(({ target }) => (target?.kind === 'callback' ? target.id : undefined)),
    /** Lets time pass, and everything that does not wait for time. */
    async advance(ms: number) {
      clock.advance(ms);
      for (let turn = 0; turn < 12; turn += 1) await setImmediate();
    },
  };
}

test('names the place of an event that its monitor’s owner chose', async () => {
  const { notices, receive, advance } = startNotifier();
  const monitor = { ...monitorBody('precipitation_1'), geo: { type: 'Point', coordinates: torino } };
  receive(null, { body: JSON.stringify({ type: 'precipitation.started', data: { monitor } }) });
  await advance(1000);
  expect(notices[0]?.title).toBe('Precipitation near 45.07, 7.69');
});

test('shows one notice a second after the first callback, for all that arrived by then', async () => {
  const { notices, receive, advance, shownIds } = startNotifier({ before: 2 });
  receive();
  await advance(600);
  receive(berlin);
  await advance(399);
  expect(notices).toEqual([]);
  await advance(1);
  expect(shownIds()).toEqual([4]);
  expect(notices[0]?.title).toMatch(/^2 callbacks/);
  await advance(60_000);
  expect(notices).toHaveLength(1);
});

test('shows the next notice 10 s after the last, or 1 s after a callback if that is later', async () => {
  const { receive, advance, shownIds } = startNotifier();
  receive(torino);
  await advance(1_000);
  receive(berlin);
  await advance(9_999);
  expect(shownIds()).toEqual([1]);
  await advance(1);
  expect(shownIds()).toEqual([1, 2]);
  await advance(9_500);
  receive(tokyo);
  await advance(999);
  expect(shownIds()).toEqual([1, 2]);
  await advance(1);
  expect(shownIds()).toEqual([1, 2, 3]);
});

test('shows nothing after it was closed', async () => {
  const before = startNotifier();
  before.receive();
  before.notifier.close();
  await before.advance(1_000);
  before.receive();
  await before.advance(1_000);
  expect(before.notices).toEqual([]);
});

test('forgets what arrived while notifications were off', async () => {
  const { notices, receive, advance, state } = startNotifier();
  state.choice = { isOn: false, quiet: null };
  receive();
  await advance(1_000);
  state.choice = { isOn: true, quiet: null };
  receive(berlin, { kind: 'other' });
  await advance(1_000);
  expect(notices).toEqual([]);
});

test.each([
  ['an event', {}, ['Precipitation near 45.07, 7.69']],
  ['a test', { kind: 'test' as const }, ['Test event near 45.07, 7.69']],
  ['a retry', { kind: 'retry' as const }, []],
  [
    'an event whose location is none',
    { body: '{"id":"a","geo":{"coordinates":"here"}}' },
    ['Precipitation near a monitored location'],
  ],
  ['an imported event', { isImported: true }, []],
  ['what is too large for an event', { body: `{"id":"a"}${' '.repeat(65_536)}` }, []],
  ['an event of a silenced monitor', { id: 'precipitation_9' }, []],
])('shows %s: %#', async (_, changes, titles) => {
  const { notices, receive, advance } = startNotifier({ quiet: 'precipitation_9' });
  receive(torino, changes);
  await advance(1_000);
  expect(notices.map(({ title }) => title)).toEqual(titles);
});

test('notifies of the newest 500 callbacks at most, in whatever order they were judged', async () => {
  const { notices, notifier, store, advance, shownIds } = startNotifier();
  const stored = Array.from({ length: 1100 }, () => store());
  stored.toReversed().forEach(notifier.arrived);
  await advance(1_000);
  expect(notices[0]?.title).toMatch(/^500 or more/);
  expect(shownIds()).toEqual([1100]);
});

test.each([
  ['three monitors of one area', [torino, torino, torino], {}, /^Rain front /],
  ['two monitors', [torino, torino], {}, /^2 callbacks, the newest from /],
  ['three of two areas', [torino, torino, berlin], {}, /^3 callbacks, /],
  ['three and a test', [torino, torino, torino, torino], { kind: 'test' as const }, /^4 callbacks, /],
])('calls a front only what is one: %s', async (_, places, last, title) => {
  const { notices, receive, advance } = startNotifier();
  places.forEach((place, index) => receive(place, { id: `m${index}`, ...(index === 0 ? last : {}) }));
  await advance(1_000);
  expect(notices[0]?.title).toMatch(title);
});

test('notifies of a front again after a pause of more than two hours', async () => {
  const { receive, advance, shownIds } = startNotifier();
  receive();
  await advance(120 * 60_000);
  receive(torino, { id: 'precipitation_2' });
  await advance(10_000);
  expect(shownIds()).toEqual([1]);
  await advance(120 * 60_000 - 9_999);
  receive(torino, { id: 'precipitation_3' });
  await advance(10_000);
  expect(shownIds()).toEqual([1, 3]);
});

test('notifies of every test and of every event without a location', async () => {
  const { receive, advance, shownIds } = startNotifier();
  receive(torino, { kind: 'test' });
  await advance(1_000);
  receive(torino, { kind: 'test' });
  await advance(10_000);
  receive(null);
  await advance(10_000);
  receive(null);
  await advance(10_000);
  expect(shownIds()).toEqual([1, 2, 3, 4]);
});

test('a clock that is set back does not keep the next notice back', async () => {
  const { clock, notices, receive, advance } = startNotifier();
  receive();
  await advance(1_000);
  clock.jump(-4 * 3_600_000);
  receive(berlin, { id: 'precipitation_2' });
  await advance(10_000);
  expect(notices).toHaveLength(2);
});

const rows = (...ids: (string | null)[]) => ids.map((monitorId) => storedCallback({ monitorId }));
const geo = { lat: 45.067, lng: -7.1 };

test('lists each monitor once, at most three', () => {
  const bodyOf = (...ids: (string | null)[]) => noticeText(rows(...ids), geo, undefined).body;
  expect(bodyOf('a', 'a')).toBe('Monitor: a.');
  expect(bodyOf('a', 'b', 'a')).toBe('Monitors: a, b.');
  expect(bodyOf('a', 'b', 'c', 'd')).toBe('Monitors: a, b, c and 1 more.');
  expect(bodyOf(null)).toBe('Monitor: .');
});

test('counts callbacks, but not the monitors of a front, which grows', () => {
  const two = rows('a', 'a', 'b');
  expect(noticeText(two, geo, undefined).title).toMatch(/^3 callbacks\b.* near 45\.07, -7\.10$/);
  const front = noticeText(two, geo, undefined, 'front');
  expect(front.title).toBe('Rain front near 45.07, -7.10');
  expect(front.body).toMatch(/^Monitors: a, b so far\. .*notified/);
});

test('shows hidden characters of sender and service as escapes, and is short', () => {
  const many = rows(`evil\u202Etxt${'x'.repeat(500)}`);
  const { title, body } = noticeText(many, undefined, { status: 'rainy\u200B', place: 'To\u2066rino' });
  expect(title).toBe(String.raw`Precipitation near To\u2066rino`);
  expect(body).toMatch(/^Monitor: evil\\u202Etxtx{50,60}…\. Now: rainy\\u200B\.$/);
});
