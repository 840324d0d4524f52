// Reading a weather answer: everything the interface allows is taken, every deviation is named, nothing is made up.
import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import '#test/property-seed.ts';
import { readStoredForecast } from '#core/forecast/read-forecast.ts';

const query = { lat: 45.0703, lng: 7.6869 };

const wholePoint = {
  timestamp: '2026-11-21T06:00:00',
  weather: { status: 'sunny' },
  geo: { type: 'Point', coordinates: [7.7, 45.1] },
  location: { country: 'Italy', locality: 'Torino' },
  icon: 'http://127.0.0.1:8420/v2/icons/sunny',
  sun_altitude: 12.5,
  sources: ['open-meteo'],
};

function read(points: unknown[], meta: unknown = {}) {
  return readStoredForecast(JSON.stringify({ objects: points, meta }), query);
}

function readOne(changes: Record<string, unknown>) {
  const [point] = read([{ ...wholePoint, ...changes }]).points;
  if (!point) throw new Error('no point');
  return point;
}

describe('a whole point', () => {
  test('is read with its distance and bearing from the query, and no problem', () => {
    const point = readOne({});
    expect(point).toMatchObject({
      index: 0,
      at: '2026-11-21T06:00:00.000Z',
      status: 'sunny',
      iconName: 'sunny',
      sunAltitude: 12.5,
      isDay: true,
      geo: { lat: 45.1, lng: 7.7 },
      location: { country: 'Italy', locality: 'Torino' },
      sources: ['open-meteo'],
      measured: null,
      problems: [],
    });
    expect(point.distanceKm).toBeCloseTo(3.46, 1);
    expect(point.bearingDegrees).toBeGreaterThan(0);
    expect(point.bearingDegrees).toBeLessThan(45);
  });

  test('may have fractional seconds, no location, no or empty sources, an unknown word, unknown members', () => {
    const point = readOne({
      timestamp: '2026-11-21T06:00:00.25',
      location: undefined,
      sources: [],
      weather: { status: 'frogs', x: 1 },
      y: 2,
    });
    expect(point).toMatchObject({
      at: '2026-11-21T06:00:00.250Z',
      location: null,
      sources: [],
      status: 'frogs',
      problems: [],
    });
    expect(readOne({ sources: undefined })).toMatchObject({ sources: null, problems: [] });
  });

  test('is night at a sun altitude of 0 and below', () => {
    expect(readOne({ sun_altitude: 0 }).isDay).toBe(false);
    expect(readOne({ sun_altitude: -3 }).isDay).toBe(false);
  });
});

describe('a broken point', () => {
  test.each([
    [{ timestamp: 'noon' }, 'timestamp', { at: null, timestamp: 'noon' }],
    [{ timestamp: '2026-11-21T06:00:00Z' }, 'timestamp', { at: '2026-11-21T06:00:00.000Z' }],
    [{ weather: { status: 7 } }, 'weather.status', { status: null }],
    [{ geo: { type: 'Polygon', coordinates: [] } }, 'geo', { geo: null, distanceKm: null, bearingDegrees: null }],
    [{ geo: { type: 'Point', coordinates: [45.1, 107.7] } }, 'geo.coordinates', { geo: null, distanceKm: null }],
    [{ icon: '/icons/sunny' }, 'icon', { iconName: null, iconUrl: '/icons/sunny' }],
    [{ sun_altitude: '12' }, 'sun_altitude', { sunAltitude: null, isDay: null }],
    [{ sources: 'metar' }, 'sources', { sources: null }],
    [{ location: 'Torino' }, 'location', { location: null }],
    [
      { weather: { status: 'sunny', measured: { temperature: 'warm' } } },
      'weather.measured',
      { measured: null, status: 'sunny' },
    ],
    [
      { weather: { status: 'sunny', measured: { temperature: null, humidity: 81, pressure: '1013', wind_speed: 3 } } },
      'weather.measured',
      { measured: { humidity: 81, wind_speed: 3 } },
    ],
  ])('with %o names %s and keeps the rest', (changes, field, seen) => {
    const point = readOne(changes);
    expect(point).toMatchObject(seen);
    expect(point.problems.map((problem) => problem.field)).toEqual([field]);
    expect(point.problems[0]?.message).toMatch(/\b(not|range|suffix)\b.*\.$/);
  });

  test('does not affect the others', () => {
    const { points } = read([wholePoint, null, { ...wholePoint, timestamp: '2026-11-21T07:00:00' }]);
    expect(points.map((point) => point.problems.length > 0)).toEqual([false, true, false]);
  });

  test('of any JSON at all is read without an exception', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { minLength: 1, maxLength: 4 }), (points) => {
        const reading = read(points);
        expect(reading.points).toHaveLength(points.length);
      }),
    );
  });
});

test('each point has the position of its text in the body', () => {
  const text = `{ "meta": {},\n  "objects": [ ${JSON.stringify(wholePoint, null, 2)} ,\n${JSON.stringify({ ...wholePoint, icon: '“ü”' })}] }`;
  const { points } = readStoredForecast(text, query);
  expect(
    points.map(({ textRange: [from, to] }) => (JSON.parse(text.slice(from, to)) as { icon: string }).icon),
  ).toEqual([wholePoint.icon, '“ü”']);
});

describe('the whole response', () => {
  test.each([
    ['[]', ['']],
    ['{}', ['meta', 'objects']],
    ['{"objects": [], "meta": {}}', ['objects']],
    ['{"objects": {}, "meta": {}}', ['objects']],
  ])('%s is reported as a deviation, not thrown', (text, fields) => {
    const reading = readStoredForecast(text, query);
    expect(reading.problems.map((problem) => problem.field)).toEqual(fields);
    expect(reading.points).toEqual([]);
  });

  test.each([[[]], [[0]], [[3]]])(
    'has deviations for points out of order and beyond 72 hours, with no time at %j',
    (lost) => {
      const times = ['21T06:10', '21T06:00', '21T08:00', '21T09:00', '21T07:00', '25T08:00'];
      const { problems } = read(
        times.map((time, index) => ({
          ...wholePoint,
          timestamp: lost.includes(index) ? 'soon' : `2026-11-${time}:00`,
        })),
      );
      expect(problems.map((problem) => problem.field)).toEqual(['objects[4].timestamp', 'objects[5].timestamp']);
    },
  );
});
