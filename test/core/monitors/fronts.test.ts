// S3 and S4 of a support desk, replayed: 100 monitors, four hours of rain, nine callbacks fail, later a tenth, and Monday looks for
// Saturday night. Service, callbacks, and the app's store are real; the clock and the app's connection are the test's.
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { eventPageSchema } from '#contract/service-api/events.ts';
import { createCallbackNotifier } from '#core/notifications/callback-notifier.ts';
import { AppFailure } from '#core/errors/app-failure.ts';
import { createFronts } from '#core/fronts/fronts.ts';
import { createDeliveries } from '#core/monitors/deliveries.ts';
import { createDeliveryWatch } from '#core/monitors/delivery-watch.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { eventually } from '#test/service/eventually.ts';
import { startMonitorService } from '#test/service/monitor-service.ts';
import { openCallbackStore, receivedCallback } from '../callbacks/callback-store.ts';
import { activeConnectionDouble, connectionDouble, responseDouble } from '../connection-double.ts';
import { createManualClock } from '../manual-clock.ts';

const minute = 60_000;
const hour = 60 * minute;
const saturdayNight = Date.parse('2026-11-28T21:55:00Z');
const places = Array.from({ length: 100 }, (_, index) => ({
  lat: 44.4 + Math.floor(index / 20) / 10,
  lng: 7 + (index % 20) / 10,
}));

async function startDesk({ hasFronts = true } = {}) {
  const clock = createManualClock(saturdayNight);
  const service = await startMonitorService({ clock, limit: 500 });
  const broken = new Set<string>();
  const endpoint = await startCallbackEndpoint(
    ({ path }, response) => void response.writeHead(broken.has(path) ? 500 : 204).end(),
  );
  const { db, pages, writer } = openCallbackStore([]);
  const connection = connectionDouble('one', {
    async respond({ method, path }) {
      const { status, json } = await service.call(method, path);
      if (status !== 200 || (!hasFronts && path.startsWith('/v2/fronts/')))
        throw new AppFailure('NOT_FOUND', `${path} returned ${status}`, { httpStatus: 404 });
      return responseDouble({ value: json });
    },
  });
  const activeConnection = activeConnectionDouble(() => connection);
  const monitors = new Map<string, { path: string; geo: (typeof places)[number] }>();
  const openFronts = () =>
    createFronts({
      db,
      clock,
      activeConnection,
      connectionId: () => connection.profile.id,
      user: 'anna',
      locationOf: (id) => monitors.get(id)?.geo,
      tagsOf: (id) => (monitors.get(id)?.path === '/0' ? ['alps'] : []),
      nearest: async (all) =>
        all.map((geo) => ({ ...geo, name: 'Torino', region: 'Piedmont', countryCode: 'IT', population: 1 })),
    });
  const fronts = openFronts();
  const notices: { at: number; title: string; body: string }[] = [];
  const notify = ({ title, body }: { title: string; body: string }) =>
    void notices.push({ at: Math.round((clock.now() - saturdayNight) / minute), title, body });
  const deliveries = createDeliveries({ activeConnection, clock, onChanged: () => {} });
  const watch = createDeliveryWatch({
    readStates: deliveries.states,
    canLook: () => false,
    connectionId: () => 'one',
    mayNotify: () => true,
    isQuiet: fronts.isQuiet,
    callbackOf: (id) => `${endpoint.url}${monitors.get(id)?.path}`,
    notify,
    clock,
  });
  const notifier = createCallbackNotifier({
    choice: () => ({ isOn: true, quiet: null }),
    validator: {
      validate: () => ({ verdict: 'ok', verdictName: 'verified', isMonitorOwn: true, kind: 'event', hour: 'ok' }),
    },
    isQuiet: fronts.isQuiet,
    weatherAt: async () => ({ status: 'rainy', place: 'Torino' }),
    notify,
    clock,
  });
  let passedOn = 0;
  /** Everything that is due is sent, arrives in the app, and is read. */
  async function settle() {
    await service.sweep();
    await eventually(async () => {
      const due = await service.db
        .selectFrom('waiting_events')
        .select('event_id')
        .where('due_at', '<=', clock.now())
        .execute();
      expect(due).toEqual([]);
    });
    const fresh = endpoint.received.slice(passedOn).filter(({ path }) => !broken.has(path));
    passedOn = endpoint.received.length;
    const afterId = writer.counters.newestId;
    if (fresh.length > 0) writer.append(fresh.map(({ body }) => receivedCallback({ receivedAt: clock.now(), body })));
    for (const row of pages.rows({ afterId }, 'oldestFirst')) notifier.arrived(row);
    clock.advance(15_000);
    for (let turn = 0; turn < 200; turn += 1) await setImmediate();
    watch.look(await deliveries.states());
  }
  return {
    clock,
    service,
    broken,
    fronts,
    openFronts,
    notices,
    settle,
    async addMonitors(count: number) {
      for (const [index, geo] of places.slice(0, count).entries()) {
        const url = `${new URL(endpoint.url).origin}/${index}`;
        monitors.set(await service.addMonitor(url, geo), { path: `/${index}`, geo });
      }
      await settle();
    },
    idOf: (path: string) => [...monitors].find(([, monitor]) => monitor.path === path)?.[0] ?? '',
    rainOver: (count: number) => places.slice(0, count).forEach((geo) => service.rainAt(geo)),
    dry: () => places.forEach((geo) => service.dryAt(geo)),
    async pass(minutes: number, step = 5) {
      for (let passed = 0; passed < minutes; passed += step) {
        clock.advance(step * minute - 15_000);
        await settle();
      }
    },
  };
}

describe('the front over 100 monitors', () => {
  test('is one line and two notifications in four hours, with nine failures and the tenth, and found on Monday', async () => {
    const desk = await startDesk();
    await desk.addMonitors(100);
    for (let index = 0; index < 9; index += 1) desk.broken.add(`/${index * 10}`);
    desk.rainOver(100);
    const lines: number[] = [];
    for (let hours = 0; hours < 4; hours += 1) {
      // A callback that fails is tried again for half an hour.
      await desk.pass(60, hours === 0 ? 5 : 10);
      lines.push((await desk.fronts.list({})).fronts.length);
    }
    const told = [...desk.notices];
    const [first] = (await desk.fronts.list({})).fronts;
    desk.broken.add('/7');
    await desk.pass(60, 10);
    const tenth = desk.notices.slice(told.length);
    desk.dry();
    const { fronts } = await desk.fronts.list({});
    desk.fronts.acknowledge(fronts[0]?.id ?? '', 'Ticket 4711');

    expect(lines).toEqual([1, 1, 1, 1]);
    expect(first).toMatchObject({ monitors: 100, failed: 9, region: 'Piedmont' });
    expect(fronts).toMatchObject([{ id: first?.id, monitors: 100, failed: 10 }]);
    expect(told.map(({ title }) => title)).toEqual([
      'Rain front near Torino',
      expect.stringMatching(/^Callbacks to 127\.0\.0\.1:\d+ are failing: 9 monitors so far$/),
    ]);
    expect(told[0]?.body).not.toMatch(/\b(?:17|21|47|100|500)\b/);
    expect(told[1]?.at).toBeLessThan(60);
    expect(tenth).toHaveLength(1);
    expect(tenth[0]?.title).toContain(desk.idOf('/7'));

    // Monday morning, after a restart of the app.
    desk.clock.jump(Date.parse('2026-11-30T08:00:00Z') - desk.clock.now());
    const again = desk.openFronts();
    expect((await again.list({})).fronts).toEqual([]);
    const saturday = await again.list({ from: '2026-11-28T00:00:00Z', to: '2026-11-29T00:00:00Z' });
    const [found] = saturday.fronts;
    const { json } = await desk.service.call('GET', `/v2/events/?front=${found?.id}&state=failed,expired&limit=500`);
    const failed = eventPageSchema.parse(json).objects;
    expect(saturday.fronts).toMatchObject([
      { monitors: 100, failed: 10, acknowledged: { by: 'anna', note: 'Ticket 4711' } },
    ]);
    expect(new Set(failed.map(({ monitor_id }) => monitor_id)).size).toBe(10);
    expect(failed[0]?.attempts.at(-1)).toMatchObject({ http_status: 500 });
  });
});

describe('fronts of the record', () => {
  test('are quiet once acknowledged, also while they grow, but not the next one', async () => {
    const desk = await startDesk();
    await desk.addMonitors(8);
    desk.rainOver(4);
    await desk.pass(5);
    const [front] = (await desk.fronts.list({})).fronts;
    desk.fronts.acknowledge(front?.id ?? '', '');
    desk.rainOver(8);
    await desk.pass(5);
    await desk.fronts.refresh();
    expect(desk.fronts.isQuiet(desk.idOf('/7'))).toBe(true);
    desk.dry();
    await desk.pass(150, 30);
    desk.rainOver(4);
    await desk.pass(5);
    await desk.fronts.refresh();
    expect([desk.idOf('/0'), desk.idOf('/7')].map(desk.fronts.isQuiet)).toEqual([false, true]);
    expect((await desk.fronts.list({})).fronts.map(({ acknowledged }) => acknowledged?.by)).toEqual([
      undefined,
      'anna',
    ]);
  });

  test.each([
    ['tag', { kind: 'tag', tag: 'alps' }],
    ['area', { kind: 'area', center: { lat: 44.4, lng: 7 }, radiusKm: 1 }],
  ] as const)('are silenced by %s until a time, for this connection, by name', async (_how, monitors) => {
    const desk = await startDesk();
    await desk.addMonitors(4);
    const until = new Date(desk.clock.now() + hour).toISOString();
    desk.fronts.silence({ until, note: 'Works', monitors });
    const both = () => ['/0', '/3'].map((path) => desk.fronts.isQuiet(desk.idOf(path)));
    expect(both()).toEqual([true, false]);
    const { silences } = await desk.fronts.list({});
    expect(silences).toMatchObject([
      { by: 'anna', at: expect.stringMatching(/^2026-11-28T/), note: 'Works', monitors },
    ]);
    desk.clock.advance(hour);
    expect(both()).toEqual([false, false]);
    expect((await desk.fronts.list({})).silences).toEqual([]);
  });

  test('are none, and requested once, if the service has no record', async () => {
    const desk = await startDesk({ hasFronts: false });
    expect(await desk.fronts.list({})).toEqual({ isAvailable: false, fronts: [], missingBefore: null, silences: [] });
  });
});
