// What is near a monitor (docs/interface.md §6), in whole services whose providers the test plays: the same for who polls and who is called.
import { describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '#shared/time/clock.ts';
import type { LatLng } from '#contract/service-api/geo.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { bodyFor, placesOf } from './providers/open-meteo/open-meteo-body.ts';
import { serveWeatherOf, startWeatherService } from './weather-harness.ts';

/** A busy machine must not make the service give up on a provider. */
const patientClock: Clock = { ...systemClock, after: (ms, run) => systemClock.after(20 * ms, run) };
const turin = { lat: 45.1, lng: 7.7 };
const kmNorth = (km: number, { lat, lng }: LatLng = turin) => ({ lat: lat + km / 111.195, lng });

/** What Open-Meteo sends of a cell: its code now, the sum of the last quarter of an hour, and those of the next ones. */
type Sky = { code?: number; last?: number; next?: readonly number[] };

async function start(skyOf: (cell: LatLng) => Sky, airport?: LatLng & { wxString: string }) {
  let aheadMs = 0;
  const now = () => systemClock.now() + aheadMs;
  const cells: string[] = [];
  const openMeteoUrl = await serveWeatherOf((request, response) => {
    const time = Math.floor(now() / 900_000) * 900;
    const bodyOf = (cell: LatLng) => {
      cells.push(`${cell.lat} ${cell.lng}`);
      const { code = 3, last = 0, next = [0, 0] } = skyOf(cell);
      return JSON.stringify({
        latitude: cell.lat,
        longitude: cell.lng,
        current_units: { precipitation: 'mm' },
        current: { time, weather_code: code, precipitation: last },
        minutely_15_units: { precipitation: 'mm' },
        minutely_15: { time: next.map((_, step) => time + 900 * (step + 1)), precipitation: next },
      });
    };
    response.end(bodyFor(placesOf(request), bodyOf));
  });
  const metarUrl = await serveWeatherOf((_request, response) => {
    const obsTime = Math.floor(now() / 1000) - 60;
    const report = airport && { icaoId: 'LIMF', lat: airport.lat, lon: airport.lng, obsTime, cover: 'OVC' };
    response.end(JSON.stringify(report ? [{ ...report, wxString: airport.wxString }] : []));
  });
  const service = await startWeatherService(
    { provider: 'open-meteo', openMeteoUrl, metarUrl, accessTokenSeconds: 86_400 },
    patientClock,
  );
  const endpoint = await startCallbackEndpoint();
  const headers = { ...service.authorization, 'content-type': 'application/json' };
  const call = async (path: string, init: RequestInit = {}) =>
    (await fetch(`${service.baseUrl}${path}`, { headers, ...init })).json() as Promise<Record<string, unknown>>;
  const add = async (geo: LatLng) => {
    const body = JSON.stringify({ monitor_type: 'precipitation', callback_uri: endpoint.url, geo });
    return String((await call('/v2/monitors/', { method: 'POST', body }))['id']);
  };
  /** Resolves when the events of a quarter of an hour later are claimed. */
  const look = async () => {
    aheadMs += 960_000;
    await service.sandbox('POST', 'clock', { kind: 'advance', seconds: 960 });
  };
  type Event = { monitor_id: string; trigger: object; outcome: { lead_time_seconds: number } | null };
  const events = async () => (await call('/v2/events/'))['objects'] as Event[];
  const word = async ({ lat, lng }: LatLng) => {
    const [first] = await service.points(lat, lng);
    return [first?.weather.status, first?.sources?.join()];
  };
  const why = async (id: string) => String((await call(`/v2/monitors/${id}/explanation/`))['sentence']);
  return { cells, endpoint, call, add, look, events, word, why };
}

describe('near', () => {
  it('is 10 km from the monitor to the airport, for the event, its evidence, and the word', async () => {
    // Both monitors are in the cell of 45.1, 7.7.
    const [near, far] = [kmNorth(5), kmNorth(-5)];
    const service = await start(() => ({}), { ...kmNorth(12.8), wxString: '-RA' });
    const ids = [await service.add(near), await service.add(far)];
    await service.look();
    const trigger = { source: 'metar:LIMF', basis: 'station', distance_km: 7.8 };
    await expect.poll(service.events).toMatchObject([{ monitor_id: ids[0], trigger }]);
    const [callback] = await service.endpoint.waitFor(1);
    expect(callback?.headers).toMatchObject({ 'rainbell-source': 'metar:LIMF', 'rainbell-distance-km': '7.8' });
    expect(await service.word(near)).toEqual(['rainy', 'metar:LIMF,open-meteo']);
    expect(await service.word(far)).toEqual(['cloudy', 'open-meteo']);
    expect(await service.why(ids[1] ?? '')).toContain('dry (Open-Meteo, 0.0 mm/h');
    await service.look();
    expect(await service.events()).toHaveLength(1);
  });

  it('is the own cell, even if another customer has monitors next door', async () => {
    const [here, next] = [turin, { lat: 45, lng: 7.7 }];
    const service = await start(({ lat }) => (lat === 45 ? { code: 61, last: 1, next: [1, 1] } : {}));
    await service.add(here);
    await service.look();
    expect(await service.events()).toEqual([]);
    expect([...new Set(service.cells)]).toEqual(['45.1 7.7']);
    const other = await service.add(next);
    await service.look();
    await expect.poll(service.events).toMatchObject([{ monitor_id: other, trigger: { source: 'open-meteo' } }]);
    expect([await service.word(here), await service.word(next)]).toEqual([
      ['cloudy', 'open-meteo'],
      ['rainy', 'open-meteo'],
    ]);
  });
});

it('an event is verified by an airport that is too far to cause one, when its hour is over', async () => {
  const airport = { ...kmNorth(13.3), wxString: '' };
  const sky = { next: [2, 2] };
  const service = await start(() => sky, airport);
  const id = await service.add(turin);
  await service.look();
  await service.endpoint.waitFor(1);
  [sky.next, airport.wxString] = [[0, 0], '-RA BR'];
  for (let quarter = 0; quarter < 6; quarter += 1) await service.look();
  const evidence = { kind: 'station', source: 'metar:LIMF', distance_km: 13.3, text: '-RA BR' };
  await expect.poll(service.events).toMatchObject([{ monitor_id: id, outcome: { verdict: 'confirmed', evidence } }]);
  // The report of the next look was a minute old.
  const [event] = await service.events();
  expect(Math.abs((event?.outcome?.lead_time_seconds ?? 0) - 900)).toBeLessThan(60);
  // It still rains at the airport when the next event could have been sent.
  const verification = { confirmed: 1, not_confirmed: 0, no_evidence: 0, missed: 1 };
  await expect.poll(() => service.call(`/v2/monitors/${id}/explanation/`)).toMatchObject({ verification });
});

it('the weather of a place is the same to who polls and who is called', async () => {
  const dry = (status: string) => `dry (Open-Meteo, ${status} with 0.0 mm/h, which counts only above 0.1 mm/h, 0.0 km)`;
  // WMO codes of rain, snow grains, and hail, of which nothing falls.
  const cases: readonly [sky: Sky, word: string, why: string][] = [
    [{ code: 51 }, 'cloudy', dry('rainy')],
    [{ code: 77 }, 'cloudy', dry('snow flurries')],
    [{ code: 96 }, 'cloudy', dry('hailing')],
    [{ code: 61, next: [0.2, 0.2] }, 'rainy', 'the event'],
    [{ code: 3, next: [0.2, 0.2] }, 'rainy', 'the event'],
    [{ code: 95, next: [0.2, 0.2] }, 'stormy', 'the event'],
    // The last quarter of an hour was wet, the running one is not.
    [{ code: 61, last: 2, next: [0, 0] }, 'cloudy', dry('rainy')],
  ];
  const placeOf = (index: number) => ({ lat: 45, lng: index });
  const service = await start(({ lng }) => cases[lng]?.[0] ?? {});
  const ids: string[] = [];
  for (const index of cases.keys()) ids.push(await service.add(placeOf(index)));
  await service.look();
  await service.endpoint.waitFor(3);
  const fired = (await service.events()).map(({ monitor_id }) => monitor_id);
  expect(fired.toSorted()).toEqual(ids.filter((_, index) => cases[index]?.[2] === 'the event').toSorted());
  for (const [index, [, word, why]] of cases.entries()) {
    expect([index, (await service.word(placeOf(index)))[0]]).toEqual([index, word]);
    expect(await service.why(ids[index] ?? '')).toContain(why);
  }
});
