// The serializer writes exactly what JSON.stringify writes, where points share values and where they do not.
import fc from 'fast-check';
import '#test/property-seed.ts';
import { describe, expect, it } from 'vitest';
import { collection } from '#contract/service-api/collection.ts';
import { statuses } from '#contract/service-api/vocabulary.ts';
import { type WeatherPoint, weatherPointSchema } from '#contract/service-api/weather.ts';
import { assemblePoints, numberText, serializePoints } from '#service/weather/response/weather-points.ts';

const geo: WeatherPoint['geo'] = { type: 'Point', coordinates: [7.7, 45.1] };
const turin = { country: 'Italy', locality: 'Turin' };
const point = (changes: object = {}): WeatherPoint =>
  ({
    timestamp: '2026-11-21T06:00:00',
    weather: { status: 'sunny' },
    geo,
    location: undefined,
    icon: 'http://a.test/sunny',
    sun_altitude: 12.5,
    sources: ['met'],
    ...changes,
  }) as WeatherPoint;
const measuring = (measured: object) => point({ weather: { status: 'sunny', measured } });

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

  it.each([
    ['no points', []],
    ['a status that is not in the vocabulary', [point({ weather: { status: 'dusty "dry"' } })]],
    ['a point without sources', [point({ sources: undefined }), point(), point({ sources: undefined })]],
    [
      'a change of location',
      [point({ location: turin }), point({ location: { ...turin, locality: 'Nice' } }), point()],
    ],
    ['a change of place', [point(), point({ geo: { type: 'Point', coordinates: [0, -1.5] } }), point()]],
    ['measured values that repeat', [measuring({ a: 1, b: 2 }), measuring({ a: 1, b: 3 }), measuring({ a: 0, b: 3 })]],
    ['members in another order', [measuring({ a: 1, b: 2 }), measuring({ b: 2, a: 1 }), measuring({ b: 2 })]],
    ['members that are not known', [measuring({ a: undefined, b: 2, c: 3 }), measuring({ a: 1, b: undefined })]],
  ])('writes %s', (_name, points) => {
    expect(serializePoints(points)).toBe(JSON.stringify({ objects: points, meta: {} }));
  });

  it('leaves out measured values that are not finite numbers', () => {
    const points = [measuring({ a: Number.NaN, b: 2, c: Infinity, d: '4', e: 5 })];
    expect(serializePoints(points)).toBe(JSON.stringify({ objects: [measuring({ b: 2, e: 5 })], meta: {} }));
  });

  it('writes every field of the schema', () => {
    const full = point({ weather: { status: 'sunny', measured: { temperature: 281.5 } }, location: turin });
    const { shape } = weatherPointSchema;
    expect(Object.keys(full).toSorted()).toEqual(Object.keys(shape).toSorted());
    expect(Object.keys(full.weather).toSorted()).toEqual(Object.keys(shape.weather.shape).toSorted());
    expect(JSON.parse(serializePoints([full]))).toEqual({ objects: [full], meta: {} });
  });

  it('writes numbers, with two decimals and with any', () => {
    const cents = fc.integer({ min: -300_000, max: 300_000 }).map((whole) => whole / 100);
    const odd = fc.constantFrom(0, -0, 1.005, 1999.99, 2000, -2000.01, 1e21, 5e-324, 1e-7);
    fc.assert(
      fc.property(fc.oneof(cents, finite, odd), (value) => {
        expect(numberText(value)).toBe(JSON.stringify(value));
      }),
      { numRuns: 5_000 },
    );
  });
});
