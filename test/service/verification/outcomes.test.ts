// What the service stores of its events' outcomes, on both databases: evidence, outcomes, misses, and for how long.
import type { Selectable } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Tables } from '#service/database/tables.ts';
import { forgetOldOutcomes } from '#service/verification/verify-events.ts';
import type { Evidence, Trigger } from '#service/weather/reading/reading.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { attempts } from '#test/service/monitors/delivery/delivery-harness.ts';
import { engines } from '#test/service/engines.ts';
import { oslo, startMonitorService, turin, type MonitorService } from '#test/service/monitor-service.ts';

const minute = 60_000;
const hour = 60 * minute;

function station(service: MonitorService, isWet: boolean, changes: Partial<Evidence> = {}): Evidence {
  const at = service.clock.now();
  const text = isWet ? '-RA' : 'no precipitation';
  return { kind: 'station', source: 'metar:LIMF', place: turin, at, countsAt: at, isWet, text, ...changes };
}

const forecast = (service: MonitorService): Trigger => ({ source: 'open-meteo', at: service.clock.now() });

/** A step of the clock, and the sweep that follows with what it sees near Turin. */
async function look(service: MonitorService, minutes: number, observed: (service: MonitorService) => Evidence[]) {
  service.clock.advance(minutes * minute);
  service.see(turin, { trigger: forecast(service), observed: observed(service) });
  await service.sweep();
}

type OutcomeRow = Selectable<Tables['outcomes']>;
const outcomesOf = (service: MonitorService): Promise<OutcomeRow[]> =>
  service.db.selectFrom('outcomes').selectAll().orderBy('id').execute();
const countEvidence = async (service: MonitorService) =>
  (await service.db.selectFrom('evidence').select('id').execute()).length;

describe.each(engines)('outcomes on %s', (engine) => {
  it('follow from what later sweeps see, and show in the record', async () => {
    const service = await startMonitorService({ engine });
    const endpoint = await startCallbackEndpoint();
    const id = await service.addMonitor(endpoint.url);
    service.rainAt(turin);
    await look(service, 0, () => []);
    service.dryAt(turin);
    await look(service, 12, (now) => [station(now, true, { text: '-RA BR' })]);
    await look(service, 10, (now) => [station(now, false)]);
    await attempts(service, id, 1);
    const waiting = await service.call('GET', `/v2/events/?monitor=${id}`);
    expect(waiting.json).toMatchObject({ objects: [{ outcome: null }] });
    // A later move does not change where the event was.
    await service.db
      .updateTable('monitors')
      .set({ latitude: String(oslo.lat), longitude: String(oslo.lng) })
      .where('id', '=', id)
      .execute();
    service.clock.advance(60 * minute);
    await service.monitors.verify();
    const log = await service.call('GET', `/v2/events/?monitor=${id}`);
    const observed_at = new Date(service.clock.now() - 70 * minute).toISOString().slice(0, 19);
    const evidence = { kind: 'station', source: 'metar:LIMF', observed_at, distance_km: 0, text: '-RA BR' };
    const outcome = { verdict: 'confirmed', evidence, lead_time_seconds: 720 };
    expect(log.json).toMatchObject({ objects: [{ outcome }] });
    const explanation = await service.call('GET', `/v2/monitors/${id}/explanation/`);
    const onsets = { confirmed: 1, not_confirmed: 0, missed: 0 };
    expect(explanation.json).toMatchObject({ verification: { confirmed: 1, onsets, median_lead_time_seconds: 720 } });
    const event = await service.db.selectFrom('events').select('triggered_by').executeTakeFirstOrThrow();
    expect(JSON.parse(event.triggered_by ?? '')).toMatchObject({ source: 'open-meteo' });
  });

  it('are one per event when three processes verify at once, and go after 30 days, their evidence after one', async () => {
    const service = await startMonitorService({ engine });
    const { url } = await startCallbackEndpoint();
    for (let count = 0; count < 5; count += 1) await service.addMonitor(url);
    service.rainAt(turin);
    await look(service, 1, () => []);
    service.dryAt(turin);
    await look(service, 5, (now) => [station(now, true)]);
    const clock = service.clock;
    const others = await Promise.all(
      [1, 2].map(() => startMonitorService({ engine, folder: service.folder, location: service.location, clock })),
    );
    clock.advance(80 * minute);
    await Promise.all([service, ...others].map((each) => each.monitors.verify()));
    const rows = await outcomesOf(service);
    expect(rows.map(({ verdict }) => verdict)).toEqual(Array.from({ length: 5 }, () => 'confirmed'));
    const events = await service.db.selectFrom('events').select('id').orderBy('id').execute();
    expect(rows.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
    const at = clock.now();
    await forgetOldOutcomes(service.db, at + 22 * hour);
    expect(await countEvidence(service)).toBe(1);
    await forgetOldOutcomes(service.db, at + 24 * hour);
    expect(await countEvidence(service)).toBe(0);
    await forgetOldOutcomes(service.db, at + 29 * 24 * hour);
    expect(await outcomesOf(service)).toHaveLength(5);
    await forgetOldOutcomes(service.db, at + 31 * 24 * hour);
    expect(await outcomesOf(service)).toEqual([]);
  });
});

it('outcomes count precipitation that no event announced as missed, once an hour, near monitors whose gate was open', async () => {
  const service = await startMonitorService();
  const { url } = await startCallbackEndpoint();
  // 14.5 km and 17.8 km north of the station: only the first is near.
  const near = await service.addMonitor(url, { lat: turin.lat + 0.13, lng: turin.lng });
  await service.addMonitor(url, { lat: turin.lat + 0.16, lng: turin.lng });
  const atStation = await service.addMonitor(url);
  await look(service, 20, (now) => [station(now, false)]);
  expect(await countEvidence(service)).toBe(0);
  const at = service.clock.now() + 10 * minute;
  await look(service, 10, (now) => [station(now, true)]);
  await look(service, 20, (now) => [station(now, true)]);
  // An event is sent late, but within a quarter of an hour of this observation.
  service.rainAt(turin);
  await look(service, 40, (now) => [station(now, true)]);
  service.clock.advance(16 * minute);
  await service.monitors.verify();
  await service.monitors.verify();
  const missed = (await outcomesOf(service)).filter(({ verdict }) => verdict === 'missed');
  // The last is 60 minutes after the first: it counts again where no event was sent.
  // The third is not an onset: it also rained 40 minutes before.
  expect(missed.map((row) => [row.monitor_id, Number(row.occurred_at) - at, row.evidence_km, row.is_onset])).toEqual([
    [near, 0, 14.5, 1],
    [atStation, 0, 0, 1],
    [near, hour, 14.5, 0],
  ]);
});

it('outcomes in the cool-down after a start are not misses, even if its monitor chose other events', async () => {
  const service = await startMonitorService();
  const { url } = await startCallbackEndpoint();
  const conditions = { dry_minutes: 15 };
  const events = ['precipitation.ended'] as const;
  const id = await service.addMonitor(url, turin, { payload: 'event', events: [...events], conditions });
  service.clock.advance(20 * minute);
  const sweep = (mmPerHour: number, observed: Evidence[] = []) => {
    const at = service.clock.now();
    const span = { from: at, until: at + hour, updatedAt: at };
    const facts = { kind: 'rain', basis: 'forecast', source: 'open-meteo', place: null, slackMs: 0 } as const;
    const steps = [{ ...span, ...facts, mmPerHour }];
    const timeline = { steps, ruling: undefined, isKnown: true, updatedAt: at };
    service.see(turin, { timeline: () => timeline, observed });
    return service.sweep();
  };
  await sweep(1);
  for (let pass = 0; pass < 3; pass += 1) {
    service.clock.advance(10 * minute);
    await sweep(0);
  }
  service.clock.advance(10 * minute);
  await sweep(0, [station(service, true)]);
  service.clock.advance(16 * minute);
  await service.monitors.verify();
  const kinds = await service.db.selectFrom('events').select(['monitor_id', 'kind']).execute();
  expect(kinds).toEqual([{ monitor_id: id, kind: 'ended' }]);
  expect(await outcomesOf(service)).toEqual([]);
});

it('outcomes take what users report near by, for the event and for a miss', async () => {
  const service = await startMonitorService();
  const { url } = await startCallbackEndpoint();
  const id = await service.addMonitor(url);
  const far = await service.addMonitor(url, oslo);
  service.rainAt(turin);
  await look(service, 20, () => []);
  const report = (name: string, lat: number, lng: number, status: 'rainy' | 'sunny') => ({
    id: name,
    application_id: 'app',
    account_id: 'account',
    latitude: lat,
    longitude: lng,
    status,
    created_at: service.clock.now() + 5 * minute,
  });
  await service.db
    .insertInto('metags')
    .values([
      report('here', turin.lat + 0.02, turin.lng, 'rainy'),
      report('too far', turin.lat - 0.1, turin.lng, 'sunny'),
      report('there', oslo.lat, oslo.lng, 'rainy'),
    ])
    .execute();
  service.clock.advance(80 * minute);
  await service.monitors.verify();
  const rows = await outcomesOf(service);
  expect(rows.map((row) => [row.monitor_id, row.verdict, row.evidence_kind, row.evidence_text])).toEqual([
    [id, 'confirmed', 'report', 'rainy'],
    [far, 'missed', 'report', 'rainy'],
  ]);
});
