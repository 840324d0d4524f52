// Airport observations: each recorded report becomes the word that test/fixtures/expected-status.json names, and the first
// point of an answer carries what a near station saw.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { LatLng } from '#contract/service-api/geo.ts';
import { metarAddresses } from '#service/weather/metar/metar.ts';
import { readMetars } from '#service/weather/metar/read-metar.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { serveWeatherOf, startWeatherService } from './weather-harness.ts';

const fixtures = new URL('../../fixtures/', import.meta.url);
const recorded = (name: string) => readFileSync(new URL(name, fixtures), 'utf8');

type Expected = { icaoId: string; wx: string | null; status: string; precipitation: boolean };
const expected = Object.entries(JSON.parse(recorded('expected-status.json')) as Record<string, unknown>).filter(
  (entry): entry is [string, Expected[]] => entry[0].startsWith('aviationweather/'),
);

describe('a recorded airport report', () => {
  it.each(expected)('%s is read as expected', (name, rows) => {
    const observations = readMetars(JSON.parse(recorded(name))) ?? [];
    expect(observations.map(({ station, status, isPrecipitating }) => [station, status, isPrecipitating])).toEqual(
      rows.map((row) => [row.icaoId, row.status, row.precipitation]),
    );
  });

  it.each(expected)('%s, served at its time, decides the first point of the answer', async (name) => {
    const body = recorded(name);
    const metarUrl = await serveWeatherOf((_request, response) => response.end(body));
    for (const observation of readMetars(JSON.parse(body)) ?? []) {
      const clock = createManualClock(observation.at + 5_000);
      const service = await startWeatherService({ provider: 'auto', metarUrl }, clock);
      const [first, second] = await service.points(observation.place.lat, observation.place.lng);
      expect(first?.weather.status).toBe(observation.status);
      expect(first?.sources).toEqual([`metar:${observation.station}`]);
      expect(second?.sources).toEqual(['simulation']);
    }
  });
});

describe('a row that aviationweather.gov sends', () => {
  const row = { icaoId: 'LIMF', lat: 45.2, lon: 7.65, obsTime: 1_783_633_980, wxString: 'RA', cover: 'OVC' };

  it('is read in its older form too, with nulls and a time as text', () => {
    const [old] =
      readMetars([{ ...row, obsTime: '2026-07-09 21:53:00', wxString: null, temp: null, wdir: null }]) ?? [];
    expect(old).toEqual({
      station: 'LIMF',
      place: { lat: 45.2, lng: 7.65 },
      at: Date.parse('2026-07-09T21:53:00Z'),
      status: 'cloudy',
      isPrecipitating: false,
      precipitation: 'none',
    });
  });

  it('gives a calm no wind direction, and a variable wind none either', () => {
    const measured = (wind: object) => readMetars([{ ...row, ...wind }])?.[0]?.measured;
    expect(measured({ wspd: 0, wdir: 0 })).toEqual({ wind_speed: 0 });
    expect(measured({ wspd: 6, wdir: 'VRB' })).toEqual({ wind_speed: 3.09 });
    expect(measured({ wspd: 6, wdir: 330 })).toEqual({ wind_speed: 3.09, wind_direction: 330 });
  });

  it('does no harm if it is nonsense: the others are read', () => {
    expect(readMetars([{ icaoId: 7 }, null, row])).toHaveLength(1);
    expect(readMetars({ error: 'no' })).toBeUndefined();
  });
});

describe('the station that stands for a place', () => {
  it('is searched in two boxes across the antimeridian, and in wide ones near the poles', () => {
    const boxes = (place: LatLng) => metarAddresses('http://a.test/', place).map((url) => url.searchParams.get('bbox'));
    expect(boxes({ lat: -17, lng: 179.5 })).toEqual(['-18.00,178.00,-16.00,180.00', '-18.00,-180.00,-16.00,-179.00']);
    expect(boxes({ lat: 45, lng: 7 })).toEqual(['44.00,5.50,46.00,8.50']);
    expect(boxes({ lat: 90, lng: 0 })).toEqual(['89.00,-180.00,90.00,180.00']);
    expect(metarAddresses('http://a.test', { lat: 0, lng: 0 })[0]?.pathname).toBe('/api/data/metar');
  });
});

describe('a service whose airport host misbehaves', () => {
  it.each([
    ['sends HTML', '<html>sorry</html>'],
    ['sends an object', '{"error":"no"}'],
    ['sends nulls', '[null,{"icaoId":null}]'],
    ['sends half a body', '[{"icaoId":"LIMF"'],
  ])('answers anyway when it %s', async (_how, body) => {
    const metarUrl = await serveWeatherOf((_request, response) => response.end(body));
    const service = await startWeatherService({ provider: 'auto', metarUrl });
    const [first] = await service.points(45.07, 7.69);
    expect(first?.sources).toEqual(['simulation']);
  });

  it('answers within a second when it hangs, and asks only once for many requests', async () => {
    let asked = 0;
    const clock = createManualClock();
    const metarUrl = await serveWeatherOf(() => {
      asked += 1;
      clock.advance(1_000);
    });
    const service = await startWeatherService({ provider: 'auto', metarUrl }, clock);
    await Promise.all([1, 2, 3, 4, 5].map(() => service.points(45.07, 7.69)));
    expect(asked).toBe(1);
  });

  it('never asks it while the simulation is chosen', async () => {
    let asked = 0;
    const metarUrl = await serveWeatherOf((_request, response) => {
      asked += 1;
      response.end('[]');
    });
    const service = await startWeatherService({ provider: 'simulation', metarUrl });
    await service.points(45.07, 7.69);
    expect(asked).toBe(0);
  });
});

describe('a scenario that starts between two minutes', () => {
  it('shows in the first point at once, over the airport too', async () => {
    const row = {
      icaoId: 'LIMF',
      lat: 45.1,
      lon: 7.65,
      obsTime: Date.parse('2026-11-21T05:50:00Z') / 1000,
      cover: 'OVC',
    };
    const metarUrl = await serveWeatherOf((_request, response) => response.end(JSON.stringify([row])));
    const clock = createManualClock(Date.parse('2026-11-21T06:00:42Z'));
    const service = await startWeatherService({ provider: 'auto', metarUrl }, clock);
    expect((await service.points(45.07, 7.69))[0]?.weather.status).toBe('cloudy');
    await service.sandbox('POST', 'scenarios', { center: { lat: 45.07, lng: 7.69 }, status: 'snowy', minutes: 20 });
    const [first] = await service.points(45.07, 7.69);
    expect(first?.weather.status).toBe('snowy');
    expect(first?.sources).toEqual(['metar:LIMF', 'scenario']);
  });
});
