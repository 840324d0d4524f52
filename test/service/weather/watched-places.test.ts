// What the watch knows about a place: its own weather, and that of stations and scenarios around it.
import { describe, expect, it } from 'vitest';
import type { LatLng } from '#contract/service-api/geo.ts';
import { createSimulatedSky } from '#service/weather/simulation/simulated-weather.ts';
import { bodyFor, openMeteoBody, placesOf } from './providers/open-meteo/open-meteo-body.ts';
import { serveWeatherOf } from './weather-harness.ts';
import { now, openWeather } from './weather-parts.ts';

const minute = 60_000;
const turin = { lat: 45.07, lng: 7.69 };
const kmNorth = (km: number) => ({ lat: turin.lat + km / 111.195, lng: turin.lng });
/** A cell's center at which the simulation has heavy rain. */
const wetInSimulation = (() => {
  const sky = createSimulatedSky('rainbell');
  const cells = Array.from({ length: 360 }, (_, index) => ({ lat: 0, lng: index - 180 }));
  const found = cells.find((cell) => sky(cell, now).mmPerHour > 1);
  if (!found) throw new Error('The simulation is dry on the whole equator.');
  return found;
})();
const scenario = { center: turin, status: 'rainy', minutes: 30, startsInMinutes: 0, radiusKm: 5 } as const;

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
    await weather.sandbox.addScenario(scenario);
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
