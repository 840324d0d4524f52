// The formats in which a forecast is exported: CSV with its file name, and HAR.
import { describe, expect, it } from 'vitest';
import type { ForecastPoint } from '#contract/app-rpc/forecast.ts';
import { measuredSchema } from '#contract/service-api/weather.ts';
import { forecastCsv, forecastFileName } from '#renderer/features/forecast/forecast-csv.ts';
import { copyFormats, copyRequestAs } from '#renderer/features/forecast/inspector/copy-request.ts';
import { forecastOf, sunny } from './forecast-points.ts';

describe('an exported forecast', () => {
  it('has a column for every measured value', () => {
    const columns = forecastCsv({ points: [] }).trim().split(',');
    for (const name of Object.keys(measuredSchema.shape))
      expect(columns.filter((column) => column.startsWith(`${name}_`))).toHaveLength(1);
  });

  it('is a table with all fields', () => {
    const full: ForecastPoint = {
      ...sunny,
      timestamp: '2026-11-21T00:00:00Z',
      status: '=1+1',
      isDay: false,
      sunAltitude: -3.5,
      distanceKm: 1.23456,
      location: { locality: 'a "b", c', country: 'IT' } as ForecastPoint['location'],
      iconUrl: 'http://a/icon',
      sources: ['one', 'two'],
      measured: {
        temperature: 280,
        dew_point: 270,
        humidity: 50,
        pressure: 1013,
        wind_speed: 3,
        wind_direction: 90,
        rainfall: 1,
        snowfall: 0,
      },
      problems: [
        { field: 'icon', message: 'x' },
        { field: 'geo', message: 'y' },
      ],
    };
    const bare: ForecastPoint = {
      ...sunny,
      timestamp: null,
      status: null,
      isDay: null,
      sunAltitude: null,
      geo: null,
      distanceKm: null,
      iconUrl: null,
      sources: null,
    };
    expect(forecastCsv({ points: [full, bare, { ...sunny, timestamp: '@', status: 'a\nb' }] }).split('\r\n')).toEqual([
      'timestamp,status,is_day,sun_altitude_degrees,lat,lng,distance_km,locality,country,icon,sources,temperature_kelvin,dew_point_kelvin,humidity_percent,pressure_hpa,wind_speed_m_per_s,wind_direction_degrees,rainfall_mm,snowfall_mm,deviations',
      `2026-11-21T00:00:00Z,'=1+1,0,-3.5,45,7,1.235,"a ""b"", c",IT,http://a/icon,one two,280,270,50,1013,3,90,1,0,icon geo`,
      `${','.repeat(19)}`,
      `'@,"a\nb",1,10,45,7,1,,,http://127.0.0.1:1/v2/icons/sunny,simulation${','.repeat(9)}`,
      '',
    ]);
  });

  it.each([
    ['Torino', 'torino'],
    ['-- São Tomé, 1 --', 'sao-tome-1'],
    ['東京', '東京'],
    ['...', 'forecast'],
  ])('of %s has a file name', (place, name) => {
    expect(forecastFileName(place, '2026-11-21T02:54:33.000Z')).toBe(`rainbell-${name}-2026-11-21T0254Z`);
  });

  it('is HAR 1.2 with its request and response', () => {
    const forecast = {
      ...forecastOf([]),
      fetchedAt: '2026-11-21T00:00:01.500Z',
      tookMs: 500,
      request: {
        method: 'GET',
        url: 'https://a.example/v2/?lat=1&q=a%20b',
        headers: [['A', 'b']] as [string, string][],
      },
      response: {
        status: 200,
        headers: [
          ['X', 'y'],
          ['content-TYPE', 'application/json'],
        ] as [string, string][],
        bodyText: '[]',
        sizeBytes: 2,
      },
    };
    const har: unknown = JSON.parse(copyRequestAs('HAR', forecast));
    const common = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 };
    expect(har).toEqual({
      log: {
        version: '1.2',
        creator: { name: 'Rainbell', version: '1' },
        entries: [
          {
            startedDateTime: '2026-11-21T00:00:01.000Z',
            time: 500,
            request: {
              ...common,
              method: 'GET',
              url: forecast.request.url,
              headers: [{ name: 'A', value: 'b' }],
              queryString: [
                { name: 'lat', value: '1' },
                { name: 'q', value: 'a b' },
              ],
              bodySize: 0,
            },
            response: {
              ...common,
              status: 200,
              statusText: '',
              headers: [
                { name: 'X', value: 'y' },
                { name: 'content-TYPE', value: 'application/json' },
              ],
              content: { size: 2, mimeType: 'application/json', text: '[]' },
              redirectURL: '',
              bodySize: 2,
            },
            cache: {},
            timings: { send: 0, wait: 500, receive: 0 },
          },
        ],
      },
    });
    const typeless: unknown = JSON.parse(copyRequestAs('HAR', forecastOf([])));
    expect(typeless).toMatchObject({ log: { entries: [{ response: { content: { mimeType: '' } } }] } });
    expect(copyFormats).toEqual(['cURL', 'fetch', 'HTTPie', 'Python', 'HAR']);
    expect(copyRequestAs('cURL', forecast)).toMatch(/^curl /);
  });
});
