// Rain fronts in the record of events (docs/delivery.md S11): GET /v2/fronts/, and `front` of GET /v2/events/.
import type { Insertable } from 'kysely';
import { describe, expect, it, test } from 'vitest';
import { eventPageSchema } from '#contract/service-api/events.ts';
import { frontListSchema, groupEvents, type PlacedEvent } from '#contract/service-api/fronts.ts';
import { formatTimestamp } from '#shared/time/timestamp.ts';
import type { Tables } from '#service/database/tables.ts';
import { firstIdAt } from '#service/monitors/delivery/tables.ts';
import { engines } from '#test/service/engines.ts';
import { newMonitorRow } from '#test/service/monitor-rows.ts';
import { startMonitorService, type MonitorService } from '#test/service/monitor-service.ts';
import { hourMs } from '../delivery/delivery-harness.ts';

const minute = 60_000;
const event = (id: string, minutes: number, lat: number, lng: number, episode?: string): PlacedEvent => ({
  id,
  at: minutes * minute,
  geo: { lat, lng },
  episode,
});
const groups = (events: readonly PlacedEvent[]) =>
  groupEvents(events).map((members) => members.map(({ id }) => id).join(''));

describe('events', () => {
  test.each([
    ['close in time and place', [event('a', 0, 45, 7), event('b', 30, 45.2, 7.1)], ['ab']],
    ['far apart', [event('a', 0, 45, 7), event('b', 1, 48, 7)], ['b', 'a']],
    ['of an hour of rain and 60 dry minutes', [event('a', 0, 45, 7), event('b', 120, 45, 7)], ['ab']],
    ['more than 60 dry minutes apart', [event('a', 0, 45, 7), event('b', 121, 45, 7)], ['b', 'a']],
    ['joined by one between them', [event('a', 0, 45, 7), event('b', 100, 45.3, 7), event('c', 200, 45.6, 7)], ['abc']],
    ['of one episode', [event('a', 0, 45, 7, 'e'), event('b', 300, 45, 7, 'e'), event('c', 310, 45, 7)], ['abc']],
    ['on both sides of the date line', [event('a', 0, -17, 179.95), event('b', 5, -17, -179.95)], ['ab']],
    ['near a pole', [event('a', 0, 89.9, 0), event('b', 5, 89.9, 30)], ['ab']],
  ] as const)('%s are grouped so', (_how, events, expected) => {
    expect(groups(events.toReversed())).toEqual(expected);
  });

  test('of 20,000 monitors in one place are grouped in less than a second of CPU time', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => event(`m${index}`, index / 400, 45, 7));
    const before = process.cpuUsage();
    expect(groupEvents(many)).toHaveLength(1);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1_000);
  });
});

type Rain = { monitors: number; at: number; lat: number; failed?: number; retried?: number; isDeleted?: boolean };

/** Adds an event for each of so many monitors around a place, of which the first have failed, and the next are tried again. */
async function rain(
  { db, sandbox: { applicationId } }: MonitorService,
  { monitors, at, lat, failed = 0, retried = 0, isDeleted }: Rain,
) {
  const counted = await db
    .selectFrom('events')
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  const first = Number(counted.count);
  const eventRows: Insertable<Tables['events']>[] = [];
  const monitorRows: Insertable<Tables['monitors']>[] = [];
  const waitingRows: Insertable<Tables['waiting_events']>[] = [];
  for (let index = 0; index < monitors; index += 1) {
    const id = `${firstIdAt('evt_', at)}${String(first + index).padStart(8, '0')}`;
    const monitor_id = `precipitation_${lat}${index}`;
    const lng = 7 + (index % 100) / 200;
    const callback_uri = `https://${index < failed ? 'broken' : 'hooks'}.example/${index}`;
    eventRows.push({
      id,
      monitor_id,
      application_id: applicationId,
      kind: 'precipitation',
      occurred_at: at,
      triggered_by: null,
      callback_uri,
      body: JSON.stringify({ geo: { type: 'Point', coordinates: [lng, lat] } }),
      feed_position: first + index + 1,
      undelivered: index < failed ? 'failed' : null,
    });
    monitorRows.push(
      newMonitorRow({
        id: monitor_id,
        application_id: applicationId,
        callback_uri,
        latitude: String(lat),
        longitude: String(lng),
        created_at: at,
      }),
    );
    if (index < failed || index >= failed + retried) continue;
    waitingRows.push({
      event_id: id,
      application_id: applicationId,
      host: 'https://hooks.example',
      is_guarded: 0,
      is_resend: 0,
      attempts: 1,
      due_at: at + hourMs,
      expires_at: at + hourMs,
      held_until: 0,
      held_by: null,
    });
  }
  for (let index = 0; index < monitors; index += 1_000) {
    await db
      .insertInto('events')
      .values(eventRows.slice(index, index + 1_000))
      .execute();
    if (isDeleted) continue;
    await db
      .insertInto('monitors')
      .values(monitorRows.slice(index, index + 1_000))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  if (waitingRows.length > 0) await db.insertInto('waiting_events').values(waitingRows).execute();
}

async function readFronts(service: MonitorService, from?: number, to?: number) {
  const query = new URLSearchParams({
    ...(from !== undefined && { from: formatTimestamp(from) }),
    ...(to !== undefined && { to: formatTimestamp(to) }),
  });
  const { json, text, status } = await service.call('GET', `/v2/fronts/?${query}`);
  if (status !== 200) throw new Error(text);
  return frontListSchema.parse(json);
}

async function eventsOf(service: MonitorService, query: string) {
  const { json } = await service.call('GET', `/v2/events/?${query}`);
  return eventPageSchema.parse(json);
}

describe.each(engines)('on %s', (engine) => {
  it('rain fronts are one for a rain of many hours, the same while it grows, and whole on each day that it touches', async () => {
    const service = await startMonitorService({ engine });
    const midnight = Math.floor(service.clock.now() / (24 * hourMs)) * 24 * hourMs;
    const start = midnight - 2 * hourMs;
    service.clock.jump(midnight + 3 * hourMs - service.clock.now());
    // An earlier one, elsewhere, of too few monitors, and of another application.
    await rain(service, { monitors: 20, at: start - 5 * hourMs, lat: 45, isDeleted: true });
    await rain(service, { monitors: 20, at: start, lat: 55 });
    await rain(service, { monitors: 2, at: start, lat: 65 });
    const ids = [];
    for (const hour of [0, 1, 2, 3, 4]) {
      await rain(service, {
        monitors: 400,
        at: start + hour * hourMs,
        lat: 45,
        failed: 9,
        retried: hour === 4 ? 1 : 0,
      });
      const { objects } = await readFronts(service);
      ids.push(objects.find(({ failed }) => failed >= 9)?.id);
    }
    expect(new Set(ids).size).toBe(1);
    const all = await readFronts(service);
    expect(all.objects.map(({ monitors }) => monitors)).toEqual([400, 20, 20]);
    const [front] = all.objects;
    expect(front).toMatchObject({
      from: formatTimestamp(start),
      until: formatTimestamp(start + 4 * hourMs),
      failed: 10,
      hosts: [
        { host: 'broken.example', failed: 9 },
        { host: 'hooks.example', failed: 1 },
      ],
    });
    expect(front?.monitor_ids).toHaveLength(400);
    expect((await readFronts(service, midnight - 24 * hourMs, midnight)).objects).toEqual(all.objects);
    expect((await readFronts(service, midnight)).objects).toEqual([front]);
    expect((await readFronts(service, midnight + 3 * hourMs)).objects).toEqual([]);

    const failed = await eventsOf(service, `front=${front?.id}&state=failed&limit=40`);
    expect(failed.objects).toHaveLength(40);
    const rest = await eventsOf(service, `front=${front?.id}&state=failed&limit=40&before=${failed.meta.next}`);
    expect(rest.objects).toHaveLength(5);
    expect(rest.meta.next).toBeNull();
    expect((await eventsOf(service, `front=${all.objects[1]?.id}&limit=500`)).objects).toHaveLength(20);
    expect((await eventsOf(service, 'front=evt_0')).objects).toEqual([]);
    await service.db.updateTable('events').set({ application_id: 'other' }).execute();
    expect((await readFronts(service)).objects).toEqual([]);
    expect((await eventsOf(service, `front=${front?.id}`)).objects).toEqual([]);
  });
});

it('rain fronts of 60,000 events of 10,000 monitors are found among the newest 50,000', async () => {
  const service = await startMonitorService();
  const start = service.clock.now() - 6 * hourMs;
  for (let hour = 0; hour < 6; hour += 1)
    for (let place = 0; place < 10; place += 1)
      await rain(service, { monitors: 1_000, at: start + hour * hourMs + place, lat: -70 + place * 14 });
  const { objects, meta } = await readFronts(service);
  expect(objects.map(({ monitors }) => monitors)).toEqual(Array(10).fill(1_000));
  expect(meta.from).toBe(formatTimestamp(start + hourMs));
});
