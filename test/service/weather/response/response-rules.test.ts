// The rules of a weather response: encodings, the place in the query, which points it has, and that these are written as JSON.stringify
// writes them.
import { describe, expect, it } from 'vitest';
import type { CellWeather, Reading } from '#service/weather/reading/reading.ts';
import { assemblePoints, serializePoints } from '#service/weather/response/weather-points.ts';
import { chooseEncoding } from '#service/weather/response/weather-response.ts';
import { readPlace } from '#service/weather/weather-routes.ts';
import { type Location, type WeatherPoint, weatherPointSchema } from '#contract/service-api/weather.ts';
import fc from 'fast-check';
import '#test/property-seed.ts';
import { collection } from '#contract/service-api/collection.ts';
import { statuses } from '#contract/service-api/vocabulary.ts';

describe('Accept-Encoding', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['br;q=1.0, gzip;q=0.8', 'br'],
    ['br;q=0, *', 'gzip'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['x-gzip;q=0', 'identity'],
    ['gzip;q=0, x-gzip', 'gzip'],
    ['br;q=0, gzip;q=0, *', 'identity'],
    ['*;q=0, gzip', 'gzip'],
    [' BR ; q=0 ,\tgzip', 'gzip'],
    ['gzip;q=no', 'gzip'],
    ['gzip;level=1;q=0', 'identity'],
    ['br; q= 0, gzip', 'br'],
    ['br;xq=0', 'br'],
  ])('%j gets %s (RFC 9110 section 12.5.3)', (header, encoding) => {
    expect(chooseEncoding(header)).toBe(encoding);
  });
});

describe('the place in a query', () => {
  it.each([
    ['45.07', '7.69', 45.07, 7.69],
    ['-90', '-180', -90, -180],
    ['90', '180', 90, 180],
    ['+5', ' 5 ', 5, 5],
    ['.5', '5.', 0.5, 5],
    ['4.5e1', '1E-2', 45, 0.01],
  ])('%j, %j is read', (location_lat, location_lng, lat, lng) => {
    expect(readPlace({ location_lat, location_lng })).toEqual({ lat, lng });
  });

  it.each(['', ' ', 'x', '1x', 'x1', '0x10', 'Infinity', '1e', '.', '90.01', '-90.01', '1,5', ['1'], undefined])(
    'is not %j',
    (location_lat) => {
      expect(() => readPlace({ location_lat, location_lng: '1' })).toThrow(
        expect.objectContaining({
          code: 'invalid_request',
          message: expect.stringMatching(/^location_lat .*-90 and 90/),
        }),
      );
    },
  );

  it('has a longitude of at most 180', () => {
    expect(() => readPlace({ location_lat: '1', location_lng: '180.1' })).toThrow(/^location_lng .*-180 and 180/);
  });
});

describe('the points of a response', () => {
  const hour = 3_600_000;
  const now = Date.parse('2026-11-21T06:00:30Z');
  const minute = now - 30_000;
  const grid = { lat: 45.1, lng: 7.7 };
  const reading = (at: number, changes: Partial<Reading> = {}): Reading => ({ at, status: 'rainy', ...changes });
  const pointsOf = (changes: Partial<CellWeather>, location?: Location) =>
    assemblePoints({
      weather: { source: 'met', grid, fetchedAt: now, steps: [], rainfall: [], ...changes },
      now,
      baseUrl: 'https://rainbell.test',
      location,
    });

  it('begin with the current weather, with all fields', () => {
    const measured = { temperature: 280 };
    const location = { country: 'Italy', locality: 'Turin' };
    const [point, ...others] = pointsOf({ current: reading(minute, { measured, status: 'sunny' }) }, location);
    expect(others).toEqual([]);
    expect(point).toEqual({
      timestamp: '2026-11-21T06:00:00',
      weather: { status: 'sunny', measured },
      geo: { type: 'Point', coordinates: [7.7, 45.1] },
      location,
      // Half an hour before sunrise.
      icon: 'https://rainbell.test/v2/icons/clear_moon',
      sun_altitude: expect.closeTo(-5.5, 0),
      sources: ['met'],
    });
  });

  it('continue with the steps after now, up to 72 hours ahead', () => {
    const times = [-1, 0, 30_000, 30_001, hour, 72 * hour + 30_000, 72 * hour + 30_001];
    const steps = times.map((ms) => reading(minute + ms));
    const shown = pointsOf({ current: reading(minute), steps }).map(({ timestamp }) => timestamp);
    expect(shown).toEqual([
      '2026-11-21T06:00:00',
      '2026-11-21T06:00:30.001',
      '2026-11-21T07:00:00',
      '2026-11-24T06:00:30',
    ]);
  });

  it('have no current weather if there is none, and neither measured values nor a location', () => {
    const [point] = pointsOf({ steps: [reading(now + 2 * hour)] });
    expect(Object.keys(point ?? {})).toEqual(['timestamp', 'weather', 'geo', 'icon', 'sun_altitude', 'sources']);
    expect(point).toMatchObject({ timestamp: '2026-11-21T08:00:30', weather: { status: 'rainy' } });
    expect(point?.weather).not.toHaveProperty('measured');
  });

  it('name their sources, and a scenario last', () => {
    const steps = [
      reading(now + 1),
      reading(now + 2, { isScenario: true }),
      reading(now + 3, { sources: ['metar:LIMF', 'met'] }),
      reading(now + 4, { sources: ['metag'], isScenario: true }),
    ];
    const current = reading(now - 48 * hour);
    expect(pointsOf({ current, steps }).map(({ sources }) => sources)).toEqual([
      ['met'],
      ['met'],
      ['met', 'scenario'],
      ['metar:LIMF', 'met'],
      ['metag', 'scenario'],
    ]);
  });
});

describe('the serializer', () => {
  const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
  const measured = fc.record(
    { temperature: finite, humidity: finite, pressure: finite, wind_speed: finite, rainfall: finite, snowfall: finite },
    { requiredKeys: [] },
  );
  const reading = fc.record(
    {
      status: fc.constantFrom(...statuses),
      measured,
      isScenario: fc.boolean(),
      sources: fc.array(fc.string(), { maxLength: 3 }),
    },
    { requiredKeys: ['status'] },
  );

  it('writes assembled points byte for byte', () => {
    const now = Date.parse('2026-11-21T06:00:00.000Z');
    const location = fc.option(fc.record({ country: fc.string(), locality: fc.string() }), { nil: undefined });
    fc.assert(
      fc.property(fc.array(reading, { maxLength: 20 }), location, fc.string(), (readings, found, source) => {
        const steps = readings.map((one, index) => ({ ...one, at: now + index * 1_800_123 }));
        const weather = { source, grid: { lat: -0.5, lng: 7.7 }, fetchedAt: now, steps, rainfall: [] };
        const points = assemblePoints({ weather, now, baseUrl: 'http://a.test/"x"', location: found });
        expect(serializePoints(points)).toBe(JSON.stringify(collection(points)));
      }),
    );
  });

  it('writes every field of the schema', () => {
    const full = {
      timestamp: '2026-11-21T06:00:00',
      weather: { status: 'sunny', measured: { temperature: 281.5 } },
      geo: { type: 'Point', coordinates: [7.7, 45.1] },
      location: { country: 'Italy', locality: 'Turin' },
      icon: 'http://a.test/sunny',
      sun_altitude: 12.5,
      sources: ['met'],
    } satisfies WeatherPoint;
    const { shape } = weatherPointSchema;
    expect(Object.keys(full).toSorted()).toEqual(Object.keys(shape).toSorted());
    expect(Object.keys(full.weather).toSorted()).toEqual(Object.keys(shape.weather.shape).toSorted());
    expect(JSON.parse(serializePoints([full]))).toEqual({ objects: [full], meta: {} });
  });
});
