// The kept fetches: what comes back is what was fetched, from which connection, and no more of it than is allowed.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createForecastHistory } from '#core/forecast/forecast-history.ts';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { startCore } from '../core-harness.ts';
import { startFakeService } from '../fake-service.ts';
import { createManualClock } from '../manual-clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { weatherBody } from '#test/renderer/weather-bodies.ts';

const place = { lat: 45.07, lng: 7.69 };
const body = weatherBody({ now: Date.UTC(2026, 10, 21, 6), count: 3 });

async function fetchedOnce() {
  const service = await startFakeService({ 'GET /v2/weather/': () => ({ body }) });
  const { client } = await startCore({ sandbox: service.introduction });
  return { client, service, forecast: await client.forecast.get(place) };
}

describe('the history of forecasts', () => {
  it('gives a fetch back as it was', async () => {
    const { client, forecast } = await fetchedOnce();
    const { fetches } = await client.forecast.history(place);
    expect(fetches).toMatchObject([{ connectionId: 'sandbox', fetchedAt: forecast.fetchedAt }]);
    expect(await client.forecast.stored({ id: fetches[0]?.id ?? 0 })).toEqual(forecast);
    await expect(client.forecast.stored({ id: 99 })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('no longer stored') as string,
    });
    expect((await client.forecast.history({ lat: 1, lng: 1 })).fetches).toEqual([]);
  });

  it('keeps no more per place, in all and in bytes than it may, and the newest of them', async () => {
    const { forecast } = await fetchedOnce();
    const database = openAppDatabase({ file: join(temporaryFolder(), 'app.sqlite'), clock: createManualClock() });
    onTestFinished(() => database.close());
    const historyOf = (limits: { perPlace: number; fetches: number; bytes: number }) =>
      createForecastHistory({ db: database.db, log: pino({ level: 'silent' }), limits });
    const count = () => Number(database.db.prepare('SELECT count(*) AS n FROM forecast_fetches').get()?.['n']);
    const bounded = historyOf({ perPlace: 3, fetches: 5, bytes: 1e9 });
    for (let turn = 0; turn < 5; turn++) bounded.save('sandbox', forecast);
    expect(bounded.of(place).map(({ id }) => id)).toEqual([5, 4, 3]);
    expect(bounded.get(5)).toEqual(forecast);
    for (let lng = 0; lng < 9; lng++) bounded.save('sandbox', { ...forecast, query: { lat: 0, lng } });
    expect(count()).toBe(5);
    historyOf({ perPlace: 9, fetches: 9, bytes: 1 }).save('sandbox', forecast);
    expect(count()).toBe(0);
  });

  it('has no hours of a fetch that cannot be read, and those of the others', async () => {
    const { forecast } = await fetchedOnce();
    const { db, close } = openAppDatabase({ file: join(temporaryFolder(), 'app.sqlite'), clock: createManualClock() });
    onTestFinished(() => close());
    const history = createForecastHistory({ db, log: pino({ level: 'silent' }) });
    for (let turn = 0; turn < 2; turn++) history.save('sandbox', forecast);
    db.prepare('UPDATE forecast_fetches SET fetch = ? WHERE id = 2').run(Buffer.from('no'));
    expect(history.of(place).map(({ points }) => points.length)).toEqual([0, 3]);
  });

  it('does not let a full disk fail a fetch', async () => {
    const { forecast } = await fetchedOnce();
    const db = new DatabaseSync(':memory:');
    onTestFinished(() => db.close());
    const warnings: unknown[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) });
    createForecastHistory({ db, log }).save('sandbox', forecast);
    expect(warnings).toHaveLength(1);
    expect(String(warnings[0])).not.toContain('Bearer');
  });
});
