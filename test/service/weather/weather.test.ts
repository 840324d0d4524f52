// A service's weather: which responses are kept and for how long, what scenarios and reports change in them, and what the watch knows of a
// place.
import { describe, expect, it } from 'vitest';
import type { Metag } from '#service/metags/metag-store.ts';
import { bodyFor, openMeteoBody, placesOf } from './providers/open-meteo/open-meteo-body.ts';
import { nowhere, serveWeatherOf } from './weather-harness.ts';
import { now, openWeather } from './weather-parts.ts';
import type { LatLng } from '#contract/service-api/geo.ts';
import { createSimulatedSky } from '#service/weather/simulation/simulated-weather.ts';

const minute = 60_000;
const turin = { lat: 45.07, lng: 7.69 };
const baseUrl = 'http://rainbell.test';
const kmNorth = (km: number) => ({ lat: turin.lat + km / 111.195, lng: turin.lng });
const scenario = { center: turin, status: 'hailing', minutes: 30, startsInMinutes: 0, radiusKm: 5 } as const;

describe('a response', () => {
  it('is built once in a minute for all places of a cell', async () => {
    const { weather, clock } = await openWeather();
    expect(weather.peekResponse(turin)).toBeUndefined();
    const first = await weather.responseAt(turin, baseUrl);
    expect(await weather.responseAt({ lat: 45.14, lng: 7.66 }, baseUrl)).toBe(first);
    expect(weather.peekResponse({ lat: 45.14, lng: 7.66 })).toBe(first);
    clock.advance(50_000 - 1);
    expect(weather.peekResponse(turin)).toBe(first);
    clock.advance(1);
    expect(weather.peekResponse(turin)).toBeUndefined();
  });

  it('is built again soon if the name of its place is unknown, or the simulation replaces a provider', async () => {
    const isKept = async ({ weather, clock }: Awaited<ReturnType<typeof openWeather>>) => {
      await weather.responseAt(turin, baseUrl);
      expect(weather.peekResponse(turin)).toBeDefined();
      clock.advance(200);
      return weather.peekResponse(turin) !== undefined;
    };
    const unnamed = await openWeather();
    unnamed.state.isKnown = false;
    const openMeteoUrl = await serveWeatherOf((_request, response) => response.end(openMeteoBody(turin, now)));
    const live = await openWeather({ provider: 'open-meteo', openMeteoUrl });
    const replaced = await openWeather({ provider: 'auto' });
    expect([await isKept(unnamed), await isKept(replaced), await isKept(live)]).toEqual([false, false, true]);
  });

  it('names the place of the provider’s grid point', async () => {
    const openMeteoUrl = await serveWeatherOf((_request, response) =>
      response.end(openMeteoBody({ lat: 45.1, lng: 7.75 }, now)),
    );
    const live = await openWeather({ provider: 'open-meteo', openMeteoUrl });
    expect((await live.pointsAt(turin))[0]?.location?.locality).toBe('At 45.1, 7.75');
    const simulated = await openWeather();
    expect((await simulated.pointsAt(turin))[0]?.location?.locality).toBe('At 45.1, 7.7');
    expect([live.located.length, simulated.located.length]).toEqual([2, 1]);
  });

  it('is discarded with those around a place', async () => {
    const { weather } = await openWeather();
    const far = { lat: 45.07, lng: 8.2 };
    const places = [turin, { lat: 45, lng: 7.69 }, far];
    const kept = () => places.map((place) => weather.peekResponse(place) !== undefined);
    for (const place of places) await weather.responseAt(place, baseUrl);
    weather.clearResponses(turin);
    expect(kept()).toEqual([false, false, true]);
  });
});

describe('a scenario', () => {
  it('changes the places within its circle while it lasts, and no response is kept', async () => {
    const { weather, clock, pointsAt } = await openWeather();
    await weather.responseAt(turin, baseUrl);
    await weather.sandbox.addScenario(scenario);
    expect(weather.peekResponse(turin)).toBeUndefined();
    expect((await pointsAt(turin))[0]).toMatchObject({
      weather: { status: 'hailing' },
      sources: ['simulation', 'scenario'],
    });
    expect((await pointsAt(kmNorth(5.1)))[0]?.sources).toEqual(['simulation']);
    expect(weather.peekResponse(turin)).toBeUndefined();
    clock.advance(30 * minute - 1);
    expect((await pointsAt(turin))[0]?.weather.status).toBe('hailing');
    clock.advance(1);
    expect((await pointsAt(turin))[0]?.sources).toEqual(['simulation']);
    expect(weather.peekResponse(turin)).toBeDefined();
  });

  it('is listed until it ends, and can be ended', async () => {
    const { weather, clock, pointsAt } = await openWeather();
    await weather.sandbox.addScenario({ ...scenario, minutes: 10 });
    await weather.sandbox.addScenario({ ...scenario, status: 'snowy' });
    const listed = async () => (await weather.sandbox.describe()).scenarios;
    expect((await listed()).map(({ status }) => status)).toEqual(['hailing', 'snowy']);
    expect((await pointsAt(turin))[0]?.weather.status).toBe('snowy');
    weather.sandbox.endScenario((await listed())[1]?.id ?? '');
    expect((await pointsAt(turin))[0]?.weather.status).toBe('hailing');
    clock.advance(10 * minute);
    expect(await listed()).toEqual([]);
    await weather.responseAt(turin, baseUrl);
    await weather.sandbox.addScenario({ ...scenario, startsInMinutes: 60 });
    expect(weather.peekResponse(turin)).toBeUndefined();
    await weather.sandbox.clearScenarios();
    expect(await listed()).toEqual([]);
    await weather.responseAt(turin, baseUrl);
    expect(weather.peekResponse(turin)).toBeDefined();
  });

  it('starts and ends as requested if the clock is set back, not if it goes ahead, and no response survives that', async () => {
    const { weather, clock } = await openWeather();
    const listed = async () => (await weather.sandbox.describe()).scenarios;
    await weather.responseAt(turin, baseUrl);
    clock.jump(1);
    expect(weather.peekResponse(turin)).toBeUndefined();
    await weather.sandbox.addScenario({ ...scenario, startsInMinutes: 5 });
    const asRequested = await listed();
    clock.jump(minute);
    expect(await listed()).toEqual(asRequested);
    for (const byMs of [-31 * minute, -30 * minute - 1]) clock.jump(byMs);
    expect(await listed()).toMatchObject([
      { startsAt: '2026-11-21T05:05:10.000Z', endsAt: '2026-11-21T05:35:10.000Z' },
    ]);
    await weather.close();
    clock.jump(-60 * minute);
    expect(await listed()).toMatchObject([{ startsAt: '2026-11-21T05:05:10.000Z' }]);
  });
});

describe('users’ reports', () => {
  it('decide within 5 km, also in the next cell, and responses near them are not kept', async () => {
    const { weather, state, looked, pointsAt } = await openWeather();
    const report = { id: 'one', application_id: 'app', account_id: 'ann', status: 'hailing', created_at: now } as const;
    state.reports = async () => [{ ...report, latitude: turin.lat, longitude: turin.lng }];
    expect((await pointsAt(turin))[0]).toMatchObject({
      weather: { status: 'hailing' },
      sources: ['metag', 'simulation'],
    });
    expect((await pointsAt(kmNorth(-4.9)))[0]?.sources).toEqual(['metag', 'simulation']);
    expect((await pointsAt(kmNorth(5.1)))[0]?.sources).toEqual(['simulation']);
    expect(weather.peekResponse(turin)).toBeUndefined();
    // Half of a cell's diagonal is 7.9 km.
    expect(looked[0]?.[1]).toBeGreaterThanOrEqual(5 + 7.9);
  });

  it('that take half a second are left out, and not read for a second', async () => {
    const { weather, state, looked, clock } = await openWeather();
    state.reports = () => new Promise<Metag[]>(() => {});
    let isAnswered = false;
    const answer = weather.responseAt(turin, baseUrl).then(() => (isAnswered = true));
    clock.advance(499);
    await weather.sandbox.describe();
    expect(isAnswered).toBe(false);
    clock.advance(1);
    await answer;
    clock.advance(999);
    await weather.responseAt(turin, baseUrl);
    expect(looked).toHaveLength(1);
    clock.advance(1);
    state.reports = async () => [];
    await weather.responseAt(turin, baseUrl);
    expect(looked).toHaveLength(2);
  });
});

describe('the sandbox', () => {
  it('chooses the provider, which discards responses', async () => {
    const { weather } = await openWeather();
    await weather.responseAt(turin, baseUrl);
    await weather.sandbox.choose('open-meteo');
    expect(weather.peekResponse(turin)).toBeUndefined();
    await expect(weather.responseAt(turin, baseUrl)).rejects.toMatchObject({ code: 'temporarily_unavailable' });
    const { choice, lastErrors } = (await weather.sandbox.describe()).provider;
    expect([choice, lastErrors.map(({ provider }) => provider).toSorted()]).toEqual([
      'open-meteo',
      ['metar', 'open-meteo'],
    ]);
  });

  it('counts responses from memory as hits, beside fresh data', async () => {
    const openMeteoUrl = await serveWeatherOf((_request, response) => response.end(openMeteoBody(turin, now)));
    const { weather } = await openWeather({ provider: 'open-meteo', openMeteoUrl, metarUrl: nowhere });
    await weather.responseAt(turin, baseUrl);
    weather.peekResponse(turin);
    weather.peekResponse(turin);
    weather.clearResponses(turin);
    await weather.responseAt(turin, baseUrl);
    expect((await weather.sandbox.describe()).cache).toEqual({ hits: 3, misses: 1, cells: 1 });
  });
});

/** A cell's center at which the simulation has heavy rain. */
const wetInSimulation = (() => {
  const sky = createSimulatedSky('rainbell');
  const cells = Array.from({ length: 360 }, (_, index) => ({ lat: 0, lng: index - 180 }));
  const found = cells.find((cell) => sky(cell, now).mmPerHour > 1);
  if (!found) throw new Error('The simulation is dry on the whole equator.');
  return found;
})();

/** Serves rain of 1 mm in a quarter of an hour at `wet` cells, and none elsewhere. */
async function serveRain(wet: readonly LatLng[]) {
  const requests: string[] = [];
  const openMeteoUrl = await serveWeatherOf((request, response) => {
    const cells = placesOf(request);
    requests.push(`${cells.map(({ lat }) => lat).join()} ${cells.map(({ lng }) => lng).join()}`);
    const isWet = (cell: LatLng) => wet.some(({ lat, lng }) => lat === cell.lat && lng === cell.lng);
    response.end(bodyFor(cells, (cell) => openMeteoBody(cell, now, isWet(cell) ? 1 : 0)));
  });
  return { openMeteoUrl, requests };
}

async function startLive(wet: readonly LatLng[]) {
  const { openMeteoUrl, requests } = await serveRain(wet);
  return { ...(await openWeather({ provider: 'open-meteo', openMeteoUrl })), requests };
}

describe('precipitation at a place', () => {
  it('is that of its cell, with its basis and evidence, requested once for it and for clients', async () => {
    const { precipitationAt, pointsAt, requests } = await startLive([{ lat: 45.1, lng: 7.7 }]);
    const [found] = await Promise.all([precipitationAt(turin), pointsAt(turin)]);
    expect(requests).toHaveLength(1);
    const grid = { lat: 45.1, lng: 7.7 };
    expect(found).toEqual({
      isPrecipitating: true,
      nextUpdateAt: now + 5 * minute,
      timeline: expect.any(Function),
      seen: { source: 'open-meteo', mmPerHour: 4, grid, dryScenarioUntil: undefined },
      trigger: {
        source: 'open-meteo',
        at: now,
        amounts: [{ from: now - 15 * minute, until: now + 15 * minute, mmPerHour: 4 }],
        basis: 'forecast',
        kind: 'unknown',
        place: grid,
      },
      observed: [expect.objectContaining({ kind: 'analysis', isWet: true })],
    });
  });

  it('is that of a scenario even if the provider does not respond', async () => {
    const { weather, precipitationAt } = await openWeather({ provider: 'open-meteo' });
    await expect(precipitationAt(turin)).rejects.toMatchObject({ code: 'temporarily_unavailable' });
    await weather.sandbox.addScenario({ ...scenario, status: 'rainy' });
    expect(await precipitationAt(turin)).toMatchObject({
      isPrecipitating: true,
      seen: undefined,
      trigger: { source: 'scenario', at: now },
      observed: [],
    });
    await expect(precipitationAt(kmNorth(16))).rejects.toMatchObject({ code: 'temporarily_unavailable' });
  });

  it('is unknown while simulated weather replaces a provider’s, even if it is wet', async () => {
    const { weather, precipitationAt, pointsAt } = await openWeather({ provider: 'auto', simulatedRain: 'on' });
    const found = await precipitationAt(wetInSimulation);
    expect(found).toMatchObject({ isPrecipitating: null, observed: [] });
    expect([found.seen, found.trigger]).toEqual([undefined, undefined]);
    expect(found.reason).toBe('no weather provider responded');
    // Weather responses still show it, by its name.
    expect((await pointsAt(wetInSimulation))[0]?.sources).toEqual(['simulation']);
    await weather.sandbox.choose('simulation');
    const chosen = await precipitationAt(wetInSimulation);
    expect(chosen).toMatchObject({ isPrecipitating: true, trigger: { source: 'simulation' } });
  });

  it.each([
    ['rain at an airport within the radius', 4, '-RA', true],
    ['a dry airport within the radius', 4, undefined, null],
    // Shown as the status, but it says nothing of this place.
    ['rain at an airport beyond the radius', 20, '-RA', null],
  ])('is that of %s while simulated weather replaces a provider’s', async (_name, km, wxString, isPrecipitating) => {
    const { lat, lng } = wetInSimulation;
    const report = { icaoId: 'LIMF', lat: lat + km / 111.195, lon: lng, obsTime: now / 1000, cover: 'OVC', wxString };
    const metarUrl = await serveWeatherOf((_request, response) => response.end(JSON.stringify([report])));
    const { precipitationAt } = await openWeather({ provider: 'auto', simulatedRain: 'on', metarUrl });
    const found = await precipitationAt(wetInSimulation);
    expect(found).toMatchObject({ isPrecipitating, observed: [{ kind: 'station', isWet: wxString !== undefined }] });
    expect(found.trigger?.source).toBe(isPrecipitating ? 'metar:LIMF' : undefined);
    expect(found.seen?.source).toBe(isPrecipitating ? 'metar:LIMF' : undefined);
  });

  it('is prepared for many places in a few requests, without those that have fresh data', async () => {
    const { openMeteoUrl, requests } = await serveRain([]);
    const { weather, pointsAt } = await openWeather({ provider: 'open-meteo', openMeteoUrl, openMeteoBatch: 2 });
    await pointsAt(turin);
    await weather.prepare([1, 2, 3, 4].map((lat) => ({ lat: lat + 0.01, lng: 2.02 })).toSpliced(1, 0, turin));
    expect(requests).toEqual(['45.1 7.7', '1,2 2,2', '3,4 2,2']);
  });
});
