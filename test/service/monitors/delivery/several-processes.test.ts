// Several service processes on one database (docs/delivery.md S1 and S13), each a real process.
import { afterAll, describe, expect, it } from 'vitest';
import { bundleProcess } from '#test/setup/bundled-process.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { cellOf } from '#test/service/cell-of.ts';
import { engines, newDatabase } from '#test/service/engines.ts';
import {
  endLeases,
  fillWithMonitors,
  monitorProcess,
  openFor,
  placesApart,
  startMonitorProcess,
} from '#test/service/process-harness.ts';
import { waitForCount } from '#test/service/eventually.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

const bundle = await bundleProcess(monitorProcess);
afterAll(bundle.remove);

async function countDelivered({ db }: Awaited<ReturnType<typeof openFor>>): Promise<number> {
  const { count } = await db
    .selectFrom('events')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('undelivered', 'is', null)
    .where('id', 'not in', db.selectFrom('waiting_events').select('event_id'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

describe.each(engines)('on %s', (engine) => {
  it('three processes sweep 1,000 monitors at once, and no monitor fires twice (docs/delivery.md S1)', async () => {
    const location = await newDatabase(engine, temporaryFolder());
    const database = await openFor(location);
    const endpoint = await startCallbackEndpoint();
    const places = placesApart(50);
    const ids = await fillWithMonitors(database, Array<string>(1_000).fill(endpoint.url), places);
    const processes = await Promise.all([1, 2, 3].map(() => startMonitorProcess(bundle.file, location)));
    const cells = places.map(cellOf);
    await Promise.all(processes.map((process) => process.order({ kind: 'rain', cells })));
    for (let round = 0; round < 4; round += 1) {
      await Promise.all(processes.map((process) => process.order({ kind: 'sweep' })));
    }
    await endpoint.waitFor(1_000);
    const events = await database.db.selectFrom('events').select(['id', 'monitor_id']).execute();
    expect(new Set(events.map((event) => event.monitor_id))).toEqual(new Set(ids));
    expect(events).toHaveLength(1_000);
    await waitForCount(1_000, () => countDelivered(database));
    await Promise.all(processes.map((process) => process.order({ kind: 'close' })));
    // Each event was also sent by one process only.
    expect(endpoint.received).toHaveLength(1_000);
  });

  it('a process killed 12 times under load, at any step between claim and acknowledgement, loses no event, creates none twice, and repeats a POST only with its ID and bytes (docs/delivery.md S13)', async () => {
    const location = await newDatabase(engine, temporaryFolder());
    const database = await openFor(location);
    const endpoint = await startCallbackEndpoint((_callback, response) => {
      setTimeout(() => response.writeHead(204).end(), 3);
    });
    const rounds = 12;
    const perRound = 40;
    const places = placesApart(rounds);
    for (let round = 0; round < rounds; round += 1) {
      const place = places[round] ?? { lat: 0, lng: 0 };
      await fillWithMonitors(database, Array<string>(perRound).fill(endpoint.url), [place]);
      const process = await startMonitorProcess(bundle.file, location);
      await process.order({ kind: 'rain', cells: places.slice(0, round + 1).map(cellOf) });
      process.send({ kind: 'sweep' });
      // Between 0 and 44 ms after the sweep began: before the claim, after it, during the posts, after the answers.
      await new Promise<void>((resolve) => void setTimeout(resolve, round * 4));
      await process.kill();
    }
    await endLeases(database);
    const last = await startMonitorProcess(bundle.file, location);
    await last.order({ kind: 'rain', cells: places.map(cellOf) });
    await last.order({ kind: 'sweep' });
    await waitForCount(rounds * perRound, () => countDelivered(database));
    await last.order({ kind: 'close' });
    const events = await database.db.selectFrom('events').select(['id', 'monitor_id']).execute();
    expect(events).toHaveLength(rounds * perRound);
    expect(new Set(events.map((event) => event.monitor_id)).size).toBe(rounds * perRound);
    const sentIds = endpoint.received.map((callback) => `${callback.headers['webhook-id'] as string}`);
    expect(new Set(sentIds)).toEqual(new Set(events.map((event) => event.id)));
    // Each, also the repeated ones, has the bytes of docs/interface.md §6.
    const monitors = await database.db.selectFrom('monitors').select(['id', 'latitude', 'longitude']).execute();
    const bytes = monitors.map(
      ({ id, latitude, longitude }) =>
        `{"uri":"/v2/monitors/${id}/","geo":{"type":"Point","coordinates":[${longitude},${latitude}]},"id":"${id}","callback_uri":"${endpoint.url}","monitor_type":"precipitation"}`,
    );
    expect(new Set(endpoint.received.map(({ body }) => body))).toEqual(new Set(bytes));
  });
});
