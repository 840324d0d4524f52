// The serializer against JSON.stringify, where points share values and where they do not.
import { describe, expect, it } from 'vitest';
import { type WeatherPoint, weatherPointSchema } from '#contract/service-api/weather.ts';
import { serializePoints } from '#service/weather/response/weather-points.ts';

const geo: WeatherPoint['geo'] = { type: 'Point', coordinates: [7.7, 45.1] };
const turin = { country: 'Italy', locality: 'Turin' };
const point = (changes: object = {}): WeatherPoint => {
  const { location, ...others } = { location: undefined, ...changes };
  const base = {
    timestamp: '2026-11-21T06:00:00',
    weather: { status: 'sunny' },
    geo,
    ...(location === undefined ? {} : { location }),
    icon: 'http://a.test/sunny',
    sun_altitude: 12.5,
    sources: ['met'],
  };
  return { ...base, ...others } as WeatherPoint;
};
const sharedSources = ['met'];
const measuring = (measured: object) => point({ weather: { status: 'sunny', measured } });

describe('the serializer', () => {
  it.each([
    ['no points', []],
    ['one point', [point()]],
    ['a status that is not in the vocabulary', [point({ weather: { status: 'dusty "dry"' } })]],
    ['a point without sources', [point({ sources: undefined }), point(), point({ sources: undefined })]],
    [
      'shared and other sources',
      [
        point({ sources: sharedSources }),
        point({ sources: sharedSources }),
        point({ sources: ['metar:"LIMF"', 'met'] }),
      ],
    ],
    [
      'a change of location',
      [point({ location: turin }), point({ location: { ...turin, locality: 'Nice' } }), point()],
    ],
    ['a change of place', [point(), point({ geo: { type: 'Point', coordinates: [0, -1.5] } }), point()]],
    ['changes of the icon', ['a', 'b', 'a'].map((icon) => point({ icon, location: turin }))],
    ['altitudes', [-0.5, 0, 90, -12.34].map((sun_altitude) => point({ sun_altitude }))],
    ['measured values that repeat', [measuring({ a: 1, b: 2 }), measuring({ a: 1, b: 3 }), measuring({ a: 0, b: 3 })]],
    ['members in another order', [measuring({ a: 1, b: 2 }), measuring({ b: 2, a: 1 }), measuring({ b: 2 })]],
    ['no members', [measuring({}), measuring({ a: 1 }), point()]],
    ['members that are not known', [measuring({ a: undefined, b: 2, c: 3 }), measuring({ a: 1, b: undefined })]],
  ])('writes %s as JSON.stringify does', (_name, points) => {
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
    expect(serializePoints([full])).toBe(JSON.stringify({ objects: [full], meta: {} }));
  });
});
