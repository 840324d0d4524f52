// Monitors with other events than the interface's (docs/events.md), over real HTTP and both databases; and monitors without, which stay as
// they were, byte for byte.
import { describe, expect, it } from 'vitest';
import { type MonitorOptions, rainEventSchema } from '#contract/service-api/rain-event.ts';
import { watchEpisodes } from '#service/monitors/sweep/episodes.ts';
import type { Timeline } from '#service/weather/timeline.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { cellOf } from '#test/service/cell-of.ts';
import { engines } from '#test/service/engines.ts';
import { type MonitorService, oslo, startMonitorService, turin } from '#test/service/monitor-service.ts';

const minute = 60_000;
const all: MonitorOptions = {
  payload: 'event',
  events: ['precipitation.expected', 'precipitation.started', 'precipitation.ended'],
  conditions: { min_precipitation_rate: 0.5, lead_minutes: 30, dry_minutes: 15 },
};

/** Rates from a time on, in steps of 15 minutes. */
function timelineFrom(from: number, rates: readonly number[]): Timeline {
  const steps = rates.map((mmPerHour, index) => ({
    from: from + index * 15 * minute,
    until: from + (index + 1) * 15 * minute,
    mmPerHour,
    kind: 'snow' as const,
    basis: 'forecast' as const,
    source: 'open-meteo',
    updatedAt: from,
    place: null,
    slackMs: 15 * minute,
  }));
  return { steps, ruling: undefined, isKnown: true, updatedAt: from };
}

async function lookAt(service: MonitorService, rates: readonly number[]): Promise<void> {
  const timeline = timelineFrom(service.clock.now(), rates);
  service.see(turin, { timeline: () => timeline });
  await service.sweep();
}

async function kindsOf({ db }: MonitorService, id: string) {
  const rows = await db
    .selectFrom('events')
    .select(['kind', 'undelivered'])
    .where('monitor_id', '=', id)
    .orderBy('id')
    .execute();
  return rows.map(({ kind, undelivered }) => (undelivered === null ? kind : `${kind} ${undelivered}`));
}

async function heldEvents({ db }: MonitorService): Promise<number> {
  const rows = await db.selectFrom('waiting_events').select('event_id').where('held_by', 'is not', null).execute();
  return rows.length;
}

describe.each(engines)('on %s', (engine) => {
  const launch = (options: Parameters<typeof startMonitorService>[0] = {}) =>
    startMonitorService({ engine, ...options });

  it('an episode sends what was expected, has started, and has ended, each once', async () => {
    const [service, endpoint] = [await launch(), await startCallbackEndpoint()];
    const id = await service.addMonitor(endpoint.url, turin, all);
    await lookAt(service, [0, 0.6, 0]);
    await endpoint.waitFor(1);
    service.clock.advance(15 * minute);
    await lookAt(service, [0.8, 0.1, 0]);
    await endpoint.waitFor(2);
    service.clock.advance(15 * minute);
    await lookAt(service, [0.1, 0]);
    service.clock.advance(15 * minute);
    await lookAt(service, [0, 0]);
    const received = await endpoint.waitFor(3);
    const events = received.map(({ body }) => rainEventSchema.parse(JSON.parse(body)));
    const [expected, started, ended] = events;
    expect(events.map(({ type, data }) => [type, data.sequence, data.episode_id])).toEqual([
      ['precipitation.expected', 1, expected?.data.episode_id],
      ['precipitation.started', 2, expected?.data.episode_id],
      ['precipitation.ended', 3, expected?.data.episode_id],
    ]);
    expect(expected?.data).toMatchObject({ precipitation_type: 'snow', precipitation_rate: 0.6, certainty: 'likely' });
    expect(started?.data).toMatchObject({ precipitation_rate: 0.8, basis: 'forecast', end_reason: null });
    expect(ended?.data).toMatchObject({ precipitation_rate: 0, end_reason: 'dry', started_at: started?.timestamp });
    expect(started?.data.monitor).toMatchObject({ id, callback_uri: endpoint.url });
    // All keys are in all events.
    const keys = Object.keys(started?.data ?? {});
    for (const { data } of events) expect(Object.keys(data)).toEqual(keys);
    for (const { headers } of received) expect(headers['webhook-signature']).toMatch(/^v1,/);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(3);
  });

  it('a start replaces an expectation that waits for a retry', async () => {
    const service = await launch();
    const endpoint = await startCallbackEndpoint((_callback, response) => void response.writeHead(503).end());
    const id = await service.addMonitor(endpoint.url, turin, all);
    await lookAt(service, [0, 1]);
    await endpoint.waitFor(1);
    await expect.poll(() => heldEvents(service)).toBe(0);
    service.clock.advance(5_000);
    await lookAt(service, [1]);
    expect(await kindsOf(service, id)).toEqual(['expected replaced', 'started']);
  });

  it('an end waits for a start that waits for a retry', async () => {
    const service = await launch({ config: { deliveryRetries: 4 } });
    let isDown = true;
    const endpoint = await startCallbackEndpoint(
      (_callback, response) => void response.writeHead(isDown ? 503 : 204).end(),
    );
    const id = await service.addMonitor(endpoint.url, turin, {
      ...all,
      events: ['precipitation.started', 'precipitation.ended'],
      conditions: { dry_minutes: 15 },
    });
    await lookAt(service, [1]);
    await endpoint.waitFor(1);
    await expect.poll(() => heldEvents(service)).toBe(0);
    // The next attempts are due after 10 s and 1 min; the third, after 5 min more.
    for (let index = 0; index < 2; index += 1) {
      service.clock.advance(70_000);
      await endpoint.waitFor(index + 2);
      await expect.poll(() => heldEvents(service)).toBe(0);
    }
    service.clock.advance(minute);
    await lookAt(service, [0]);
    await service.db
      .updateTable('waiting_events')
      .set({ due_at: service.clock.now() + 20 * minute })
      .execute();
    service.clock.advance(15 * minute);
    await lookAt(service, [0]);
    expect(await kindsOf(service, id)).toEqual(['started', 'ended']);
    const expectInTurn = async () => {
      const waiting = await service.db.selectFrom('waiting_events').select('due_at').orderBy('event_id').execute();
      expect(Number(waiting[1]?.due_at)).toBe(Number(waiting[0]?.due_at) + 20_000);
    };
    await expectInTurn();
    const { json } = await service.call('GET', `/v2/monitors/${id}/explanation/`);
    expect(json).toMatchObject({
      sentence: expect.stringMatching(
        /: attempt 3 failed \(503 Service Unavailable\); trying again at \S+ UTC$/,
      ) as string,
    });
    // A poll finds the start 2 s late, which fails again: the end waits on.
    service.clock.advance(5 * minute + 2_000);
    await endpoint.waitFor(4);
    await expect.poll(() => heldEvents(service)).toBe(0);
    expect(endpoint.received).toHaveLength(4);
    await expectInTurn();
    isDown = false;
  });

  it('several processes that look at once write one event', async () => {
    const service = await launch({ config: { role: 'api' } });
    const id = await service.addMonitor('http://127.0.0.1:9/', turin, all);
    const now = service.clock.now();
    const timelines = new Map([[cellOf(turin), () => timelineFrom(now, [1])]]);
    const counts = await Promise.all([1, 2, 3, 4].map(() => watchEpisodes(service.database, timelines, now)));
    expect(counts.filter((count) => count > 0)).toEqual([1]);
    expect(await kindsOf(service, id)).toEqual(['started']);
  });
});

it('a monitor without other members keeps its bytes in the list, in GET, and in the callback', async () => {
  const [service, endpoint] = [await startMonitorService(), await startCallbackEndpoint()];
  const id = await service.addMonitor(endpoint.url);
  const bytes = `{"uri":"/v2/monitors/${id}/","geo":{"type":"Point","coordinates":[7.69,45.07]},"id":"${id}","callback_uri":"${endpoint.url}","monitor_type":"precipitation"}`;
  const other = await service.addMonitor(`${endpoint.url}/2`, turin, all);
  service.rainAt(turin);
  await lookAt(service, [1]);
  const callbacks = await endpoint.waitFor(2);
  expect(callbacks.find(({ path }) => path === '/rain')?.body).toBe(bytes);

  expect((await service.call('GET', `/v2/monitors/${id}/`)).text).toBe(bytes);
  const list = await service.call('GET', '/v2/monitors/');
  expect(list.text.startsWith(`{"objects":[${bytes},{"uri":"/v2/monitors/${other}/"`)).toBe(true);
});

it('the members come back as given, PUT without them removes them, and PATCH keeps them', async () => {
  const service = await startMonitorService();
  const id = await service.addMonitor('http://127.0.0.1:9/', turin, all);
  const read = async () => (await service.call('GET', `/v2/monitors/${id}/`)).json;
  expect(await read()).toMatchObject(all);
  await service.call('PATCH', `/v2/monitors/${id}/`, { callback_uri: 'http://127.0.0.1:9/other' });
  expect(await read()).toMatchObject({ ...all, callback_uri: 'http://127.0.0.1:9/other' });
  await service.call('PATCH', `/v2/monitors/${id}/`, { conditions: null });
  expect(await read()).not.toHaveProperty('conditions');
  expect(await read()).toMatchObject({ payload: 'event', events: all.events });
  const body = { monitor_type: 'precipitation', callback_uri: 'http://127.0.0.1:9/', geo: turin };
  const replaced = await service.call('PUT', `/v2/monitors/${id}/`, body);
  expect(Object.keys(replaced.json as object)).toEqual(['uri', 'geo', 'id', 'callback_uri', 'monitor_type']);
});

it('an expectation that was never sent is canceled silently', async () => {
  const service = await startMonitorService();
  const endpoint = await startCallbackEndpoint((_callback, response) => void response.writeHead(503).end());
  const id = await service.addMonitor(endpoint.url, turin, all);
  await lookAt(service, [0, 1]);
  await endpoint.waitFor(1);
  await expect.poll(() => heldEvents(service)).toBe(0);
  for (let looks = 0; looks < 2; looks += 1) {
    service.clock.advance(1_000);
    await lookAt(service, [0, 0, 0]);
  }
  expect(await kindsOf(service, id)).toEqual(['expected replaced']);
});

it('a moved monitor ends its episode; a deleted one, or one without other members, sends nothing', async () => {
  const [service, endpoint] = [await startMonitorService(), await startCallbackEndpoint()];
  const ids = await Promise.all([1, 2, 3].map((index) => service.addMonitor(`${endpoint.url}/${index}`, turin, all)));
  const [moved = '', removed = '', plain = ''] = ids;
  await lookAt(service, [1]);
  await endpoint.waitFor(3);
  await service.call('PATCH', `/v2/monitors/${moved}/`, { geo: oslo });
  await service.call('DELETE', `/v2/monitors/${removed}/`);
  await service.call('PATCH', `/v2/monitors/${plain}/`, { payload: null, events: null, conditions: null });
  service.clock.advance(30 * minute);
  await lookAt(service, [0]);
  const received = await endpoint.waitFor(4);
  expect(received).toHaveLength(4);
  expect(JSON.parse(received[3]?.body ?? '')).toMatchObject({
    type: 'precipitation.ended',
    data: { end_reason: 'monitor_changed', sequence: 2, monitor: { id: moved } },
  });
});

it('a test event looks like the real one and says that it is a test', async () => {
  const [service, endpoint] = [await startMonitorService(), await startCallbackEndpoint()];
  const id = await service.addMonitor(endpoint.url, turin, all);
  await service.call('POST', `/v2/monitors/${id}/test-event/`);
  await endpoint.waitFor(1);
  await service.call('POST', `/v2/monitors/${id}/test-event/`, { type: 'precipitation.ended' });
  const events = (await endpoint.waitFor(2)).map(({ body }) => rainEventSchema.parse(JSON.parse(body)));
  expect(events.map(({ type, data }) => [type, data.is_test])).toEqual([
    ['precipitation.started', true],
    ['precipitation.ended', true],
  ]);
  expect((await service.call('POST', `/v2/monitors/${id}/test-event/`, { type: 'rain' })).status).toBe(400);
  const { episode } = await service.db.selectFrom('monitors').select('episode').executeTakeFirstOrThrow();
  expect(episode).toBeNull();
});
