// What the forecast's screen computes: layouts, keys, spans, exports, and units, each against values worked out by hand.
import { describe, expect, it } from 'vitest';
import type { CallbackSummary } from '#contract/app-rpc/callbacks.ts';
import type { ForecastPoint } from '#contract/app-rpc/forecast.ts';
import {
  addNewer,
  addOlder,
  emptyLog,
  newestId,
  oldestFresh,
  oldestId,
  replaceRows,
  rowAt,
  rowCount,
} from '#renderer/features/callbacks/common/callback-log.ts';
import { currentUrl } from '#renderer/features/callbacks/receiver/old-url.ts';
import { axisOf } from '#renderer/features/forecast/common/axis-ticks.ts';
import { feelsLike } from '#renderer/features/forecast/common/feels-like.ts';
import { nights, sunEvents, sunSamples } from '#renderer/features/forecast/common/nights.ts';
import {
  amountInSpan,
  countUnknownHours,
  mergeRuns,
  nextPrecipitation,
  pointLabel,
  precipitationAmount,
  precipitationState,
  wetSpells,
} from '#renderer/features/forecast/common/runs.ts';
import { precipitationName } from '#renderer/features/forecast/common/summary.ts';
import { pointAt, timedForecast, unbrokenRuns } from '#renderer/features/forecast/common/timed-points.ts';
import { serviceNow, timelineModel } from '#renderer/features/forecast/common/timeline-model.ts';
import { forecastCsv, forecastFileName } from '#renderer/features/forecast/forecast-csv.ts';
import { contractChecks } from '#renderer/features/forecast/inspector/contract-check.ts';
import { copyFormats, copyRequestAs } from '#renderer/features/forecast/inspector/copy-request.ts';
import { keyTarget } from '#renderer/features/forecast/timeline/timeline-keys.ts';
import { timelineLayout } from '#renderer/features/forecast/timeline/timeline-layout.ts';
import { formatCoordinates, formatDuration, formatRelativeTime, formatSize } from '#renderer/ui/text/durations.ts';
import {
  beaufort,
  chosenUnits,
  createUnitFormat,
  hourCycleOfLocale,
  settingsOfUnits,
  unitPresets,
  unitsOfLocale,
} from '#renderer/ui/text/units.ts';
import { zonedTimes } from '#renderer/ui/text/zoned-times.ts';
import { forecastOf, pointsOf } from './forecast-points.ts';

const hour = 3_600_000;
const start = Date.UTC(2026, 10, 21);
const points = (statuses: readonly string[], change?: (point: ForecastPoint, index: number) => ForecastPoint) =>
  pointsOf(start, statuses, change);
const timed = (all: readonly ForecastPoint[]) => timedForecast(all)!;
const forecasted = (all: readonly ForecastPoint[]) => {
  const found = timed(all).points;
  return { points: found, runs: mergeRuns(found) };
};
const [sunny] = points(['sunny']) as [ForecastPoint];

describe('an exported forecast', () => {
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

  it('has each field checked against the interface', () => {
    const states = (point: ForecastPoint) => contractChecks(point).map(({ field, state }) => [field, state]);
    const promises = [
      ['timestamp', 'guaranteed', '§2.3', 'kept'],
      ['weather.status', 'guaranteed', '§2.4', 'kept'],
      ['geo', 'guaranteed', '§2.6', 'kept'],
      ['location', 'optional', '§2.5', 'absent'],
      ['icon', 'guaranteed', '§2.3', 'kept'],
      ['sun_altitude', 'guaranteed', '§2.3', 'kept'],
      ['sources', 'optional', '§2.3', 'kept'],
      ['weather.measured', 'addition', null, 'absent'],
    ] as const;
    expect(contractChecks(sunny)).toEqual(
      promises.map(([field, promise, section, state]) => ({ field, promise, section, state, message: null })),
    );
    const none = {
      ...sunny,
      timestamp: null,
      status: null,
      geo: null,
      iconUrl: null,
      sunAltitude: null,
      sources: null,
      measured: {},
      location: {} as ForecastPoint['location'],
    };
    expect(states(none)).toEqual([
      ['timestamp', 'missing'],
      ['weather.status', 'missing'],
      ['geo', 'missing'],
      ['location', 'kept'],
      ['icon', 'missing'],
      ['sun_altitude', 'missing'],
      ['sources', 'absent'],
      ['weather.measured', 'kept'],
    ]);
    const problems = ['geo.coordinates', 'icon', 'other', 'iconic'].map((field) => ({ field, message: `${field}!` }));
    const checks = contractChecks({ ...sunny, iconUrl: null, problems });
    expect(checks.filter(({ message }) => message !== null)).toEqual([
      { field: 'geo', promise: 'guaranteed', section: '§2.6', state: 'broken', message: 'geo.coordinates!' },
      { field: 'icon', promise: 'guaranteed', section: '§2.3', state: 'missing', message: 'icon!' },
      { field: 'other', promise: 'guaranteed', section: '§2.3', state: 'broken', message: 'other!' },
      { field: 'iconic', promise: 'guaranteed', section: '§2.3', state: 'broken', message: 'iconic!' },
    ]);
  });
});

const layers = (...names: string[]) =>
  new Set(names) as NonNullable<Parameters<typeof timelineLayout>[1]>['shown'] & Set<never>;

describe('the tracks of the timeline', () => {
  const measured = { temperature: 280, humidity: 50, pressure: 1_000, wind_speed: 1 };
  const all = timed(
    points(['sunny', 'sunny'], (point, index) => ({ ...point, measured, sources: [`s${index}`] })),
  ).points;
  const everything = layers('temperature', 'humidity', 'pressure', 'precipitation', 'wind', 'monitors');

  it('share the height by their weights', () => {
    // 700 − (40 + 34 + 22 + 6) − (28 + 14 + 14 + 22) − 5 × 24 = 400, shared by 46, 20, 20, 29, and 25 of 140.
    expect(timelineLayout(all, { height: 700.9, shown: everything })).toEqual({
      days: { top: 0, height: 40 },
      icons: { top: 40, height: 34 },
      band: { top: 74, height: 22 },
      temperature: { top: 120, height: 131 },
      humidity: { top: 275, height: 57 },
      pressure: { top: 356, height: 57 },
      rain: { top: 437, height: 82 },
      wind: { top: 543, height: 71 },
      sources: { top: 620, height: 28 },
      points: { top: 648, height: 14 },
      monitors: { top: 662, height: 14 },
      axis: { top: 676, height: 22 },
      height: 698,
      lanes: ['s0', 's1'].map((name) => ({ name, sources: new Set([name]) })),
    });
  });

  const tracks = (height: number, shown = everything, of = all) =>
    Object.entries(timelineLayout(of, { height, shown }))
      .filter(([, box]) => typeof box === 'object' && box !== null && 'top' in box && box.height > 0)
      .map(([name]) => name)
      .filter((name) => !['days', 'icons', 'band', 'axis'].includes(name));

  it('are dropped one after the other when the height gets short', () => {
    const full = ['temperature', 'humidity', 'pressure', 'rain', 'wind', 'sources', 'points', 'monitors'];
    // 102 + 78 + 5 × (24 + 34) = 470.
    expect(tracks(470)).toEqual(full);
    expect(tracks(469)).toEqual(full.filter((name) => name !== 'sources' && name !== 'points'));
    // Without lanes 102 + 36 + 5 × 58 = 428; then four, and three tracks.
    expect(tracks(428)).toContain('wind');
    expect(tracks(427)).toEqual(['temperature', 'humidity', 'pressure', 'rain', 'monitors']);
    expect(tracks(370)).toContain('pressure');
    expect(tracks(369)).toEqual(['temperature', 'humidity', 'rain', 'monitors']);
    expect(tracks(312)).toContain('humidity');
    expect(tracks(311)).toEqual(['temperature', 'rain', 'monitors']);
    expect(timelineLayout(all, { height: 10, shown: everything })).toEqual(
      timelineLayout(all, { height: 240, shown: everything }),
    );
    expect(timelineLayout(all, { height: 240, shown: layers('wind') }).wind).not.toBeNull();
    expect(timelineLayout(all, { shown: layers() })).toMatchObject({ rain: { height: 0 }, temperature: null });
  });

  it('are those that are selected and were sent', () => {
    for (const name of ['temperature', 'humidity', 'pressure', 'wind', 'monitors'])
      expect(tracks(700, layers(name))).toEqual(
        ['temperature', 'humidity', 'pressure', 'wind'].includes(name)
          ? [name, 'sources', 'points']
          : ['sources', 'points', name],
      );
    const bare = timed(points(['sunny'])).points;
    expect(tracks(700, everything, bare)).toEqual(['rain', 'sources', 'points', 'monitors']);
    expect(timelineLayout(all)).toEqual(
      timelineLayout(all, { height: 560, shown: layers('temperature', 'precipitation', 'wind') }),
    );
  });

  it('have a lane for each source, and from the fourth on one for the rest', () => {
    const lanes = (count: number) => {
      const sources = Array.from({ length: count }, (_, index) => `s${index}`);
      const one = timelineLayout(timed(points(['sunny'], (point) => ({ ...point, sources }))).points, { height: 700 });
      return [one.sources?.height, one.lanes.map(({ name, sources: own }) => [name, [...own]])];
    };
    expect(lanes(0)).toEqual([14, []]);
    expect(lanes(3)).toEqual([42, ['s0', 's1', 's2'].map((name) => [name, [name]])]);
    expect(lanes(4)).toEqual([
      42,
      [
        ['s0', ['s0']],
        ['s1', ['s1']],
        ['2 more sources', ['s2', 's3']],
      ],
    ]);
  });
});

describe('keys on the timeline', () => {
  // 0–2 sunny, 3–4 rainy, 5–53 sunny.
  const statuses = Array.from({ length: 54 }, (_, index) => (index === 3 || index === 4 ? 'rainy' : 'sunny'));
  const model = timelineModel(forecastOf(points(statuses)), zonedTimes('UTC'))!;

  it.each<[string, number, number, boolean?]>([
    ['ArrowLeft', 5, 4],
    ['ArrowDown', 5, 4],
    ['ArrowRight', 5, 6],
    ['ArrowUp', 5, 6],
    ['ArrowLeft', 0, 0],
    ['ArrowRight', 53, 53],
    ['ArrowRight', 0, 3, true],
    ['ArrowUp', 3, 5, true],
    ['ArrowUp', 5, 53, true],
    ['ArrowLeft', 4, 3, true],
    ['ArrowDown', 3, 0, true],
    ['ArrowLeft', 5, 3, true],
    ['ArrowLeft', 0, 0, true],
    ['ArrowLeft', 2, 0, true],
    ['PageDown', 1, 25],
    ['PageUp', 25, 1],
    ['PageUp', 3, 0],
    ['PageDown', 30, 53],
    ['PageDown', 29, 53],
    ['PageDown', 99, 99],
    ['Home', 5, 0],
    ['End', 5, 53],
  ])('%s leads from %i to %i', (key, from, to, isShift = false) => {
    expect(keyTarget(model, from, key, isShift)).toBe(to);
  });

  it('have no other function', () => {
    expect(keyTarget(model, 5, 'a', false)).toBeUndefined();
  });

  it('keep the hour of the day when the clocks change', () => {
    // In New York, 2026-11-01 has 25 hours, so 20:00 of the day before is 25 hours before 20:00.
    const newYork = zonedTimes('America/New_York');
    const from = Date.UTC(2026, 9, 31, 4);
    const around = timelineModel(
      forecastOf(
        pointsOf(
          from,
          Array.from({ length: 73 }, () => 'sunny'),
        ),
      ),
      newYork,
    )!;
    expect(keyTarget(around, 20, 'PageDown', false)).toBe(45);
    expect(keyTarget(around, 45, 'PageUp', false)).toBe(20);
  });
});

describe('points in time', () => {
  const shifted = (offsets: readonly (number | null)[]) =>
    points(
      offsets.map(() => 'sunny'),
      (point, index) => {
        const offset = offsets[index];
        return {
          ...point,
          at: offset === null || offset === undefined ? null : new Date(start + offset * hour).toISOString(),
        };
      },
    );
  const spans = (offsets: readonly (number | null)[]) => {
    const found = timedForecast(shifted(offsets));
    return found && found.points.map(({ at, until }) => [(at - start) / hour, (until - start) / hour]);
  };
  const flags = (offsets: readonly (number | null)[]) =>
    timedForecast(shifted(offsets))?.flags.map(({ kind, count }) => [kind, count]);

  it('have their spans, and gaps from 1.6 usual steps on', () => {
    expect(spans([])).toBeNull();
    expect(spans([null])).toBeNull();
    expect(spans([0])).toEqual([[0, 1]]);
    expect(spans([0, 1, 2.6, 3.6])).toEqual([
      [0, 1],
      [1, 2.6],
      [2.6, 3.6],
      [3.6, 4.6],
    ]);
    expect(spans([0, 1, 2.61, 3.61])?.[1]).toEqual([1, 2]);
    expect(spans([0, 2, 5, 7])?.at(-1)).toEqual([7, 9]);
    expect(timedForecast(shifted([1, 3]))).toMatchObject({ from: start + hour, to: start + 5 * hour });
  });

  it('have what is wrong with them counted', () => {
    expect(flags([0, 1, 2])).toEqual([]);
    expect(flags([0, null, 1])).toEqual([['untimed', 1]]);
    expect(flags([1, 0, 2])).toEqual([['disorder', 1]]);
    expect(flags([0, 1, 1, 2])).toEqual([['duplicate', 1]]);
    expect(flags([0, 1, 2, 9])).toEqual([['gap', 1]]);
    expect(flags([0, 1, 2, 73.5])).toEqual([['gap', 1]]);
    expect(flags([0, 1, 2, 73.6])).toEqual([
      ['gap', 1],
      ['beyond', 1],
    ]);
    const one = timed(shifted([0, 0]).map((point, index) => ({ ...point, status: `s${index}` })));
    expect(one.points.map(({ point }) => point.status)).toEqual(['s0']);
  });

  it('are found by a time', () => {
    const { points: some } = timed(shifted([0, 1, 2, 9]));
    const at = (hours: number) => pointAt(some, start + hours * hour);
    expect([-5, 0, 0.99, 1, 2.5, 3, 5, 6, 9.5, 99].map(at)).toEqual([0, 0, 0, 1, 2, 2, 2, 3, 3, 3]);
    expect(at(5.5)).toBe(2);
    expect(pointAt([], 0)).toBe(0);
    expect(unbrokenRuns(some).map((run) => run.length)).toEqual([3, 1]);
  });

  it('have the time since the fetch added to now', () => {
    const forecast = { ...forecastOf(points(['sunny'])), fetchedAt: new Date(start + 5 * hour).toISOString() };
    expect(serviceNow(forecast, start + 6 * hour)).toBe(start + hour);
    expect(serviceNow(forecast, start + 4 * hour)).toBe(start);
    expect(serviceNow(forecastOf([]), 7)).toBe(7);
    expect(serviceNow(forecastOf([{ ...sunny, at: null }]), 7)).toBe(7);
  });
});

const wet = (rainfall?: number, snowfall?: number) => ({
  measured: { ...(rainfall === undefined ? {} : { rainfall }), ...(snowfall === undefined ? {} : { snowfall }) },
});

describe('precipitation', () => {
  it.each<[string | null, ReturnType<typeof wet> | { measured: null }, string]>([
    ['rainy', { measured: null }, 'wet'],
    ['sunny', wet(5), 'dry'],
    ['stormy', wet(0.1), 'dry'],
    ['stormy', wet(0.05, 0.06), 'wet'],
    ['stormy', { measured: null }, 'unknown'],
    [null, wet(5), 'unknown'],
    ['odd', wet(5), 'unknown'],
  ])('of %s with %j is %s', (status, amounts, state) => {
    expect(precipitationState({ ...sunny, status, ...amounts })).toBe(state);
  });

  it('is summed over rain and snow, for the part of the hour', () => {
    expect([wet(), wet(1), wet(undefined, 2), wet(1, 2)].map(precipitationAmount)).toEqual([null, 1, 2, 3]);
    expect(precipitationAmount({ measured: null })).toBeNull();
    const span = (minutes: number) =>
      amountInSpan({ point: { ...sunny, ...wet(3) }, at: start, until: start + minutes * 60_000 });
    expect([span(20), span(60), span(180)]).toEqual([1, 3, 3]);
    expect(amountInSpan({ point: sunny, at: 0, until: hour })).toBeNull();
  });

  it('comes in spells of touching hours', () => {
    const forecast = forecasted(
      points(['sunny', 'rainy', 'rainy', 'snowy', 'sunny', 'rainy'], (point, index) =>
        index === 1 || index === 2 ? { ...point, ...wet(index) } : point,
      ),
    );
    expect(
      forecast.runs.map(({ status, from, until, first, last, precipitation }) => [
        status,
        (from - start) / hour,
        (until - start) / hour,
        first,
        last,
        precipitation,
      ]),
    ).toEqual([
      ['sunny', 0, 1, 0, 0, 'dry'],
      ['rainy', 1, 3, 1, 2, 'wet'],
      ['snowy', 3, 4, 3, 3, 'wet'],
      ['sunny', 4, 5, 4, 4, 'dry'],
      ['rainy', 5, 6, 5, 5, 'wet'],
    ]);
    const [first, second] = [
      { statuses: ['rainy', 'snowy'], from: start + hour, until: start + 4 * hour, amount: 3, isAmountComplete: false },
      { statuses: ['rainy'], from: start + 5 * hour, until: start + 6 * hour, amount: null, isAmountComplete: false },
    ];
    expect(wetSpells(forecast)).toEqual([first, second]);
    expect(nextPrecipitation(forecast, start)).toEqual({ kind: 'later', spell: first });
    expect(nextPrecipitation(forecast, start + hour)).toEqual({ kind: 'now', spell: first });
    expect(nextPrecipitation(forecast, start + 4 * hour)).toEqual({ kind: 'later', spell: second });
    expect(nextPrecipitation(forecast, start + 6 * hour)).toEqual({ kind: 'none' });
  });

  it('is unknown in hours without data and in gaps', () => {
    const unknown = (hours: readonly number[], missing: readonly number[], now = start, until?: number) =>
      countUnknownHours(
        forecasted(
          points(
            hours.map((_, index) => (missing.includes(index) ? 'stormy' : 'sunny')),
            (point, index) => ({ ...point, at: new Date(start + (hours[index] ?? 0) * hour).toISOString() }),
          ),
        ),
        now,
        until,
      );
    expect(countUnknownHours({ points: [], runs: [] }, 0)).toEqual({ hours: 0, total: 0, isNowUnknown: false });
    expect(unknown([0], [0])).toEqual({ hours: 1, total: 1, isNowUnknown: false });
    expect(unknown([0, 1, 2, 3], [1, 2])).toEqual({ hours: 2, total: 4, isNowUnknown: false });
    expect(unknown([0, 1, 2, 5], [])).toEqual({ hours: 2, total: 6, isNowUnknown: false });
    // The current weather applies to the rest of its hour.
    expect(unknown([0.5, 1, 2, 3], [0])).toEqual({ hours: 0, total: 3, isNowUnknown: true });
    expect(unknown([0.5, 1, 2, 3], [0], start + hour)).toEqual({ hours: 0, total: 3, isNowUnknown: false });
    expect(unknown([0, 1, 2, 3], [0, 2], start + hour, start + 2.5 * hour)).toMatchObject({ hours: 1 });
    expect(unknown([0, 1, 2, 3], [0], start + hour, start + 3 * hour)).toMatchObject({ hours: 0 });
  });

  it('has names', () => {
    const statuses = ['rainy', 'snowy', 'snow flurries', 'hailing', 'stormy', 'odd'];
    expect(statuses.map((status) => precipitationName({ statuses: [status] }))).toEqual([
      'rain',
      'snow',
      'snow flurries',
      'hail',
      'thunderstorms',
      'precipitation',
    ]);
    expect(precipitationName({ statuses: [] })).toBe('precipitation');
    expect(pointLabel({ ...sunny, status: null })).toBe('no status');
    expect(pointLabel({ ...sunny, status: 'x'.repeat(99) })).toBe(`${'x'.repeat(60)}…`);
    for (let index = 0; index < 250; index += 1)
      expect(pointLabel({ ...sunny, status: `odd ${index}` })).toBe(`odd ${index}`);
  });
});

describe('the sun', () => {
  const sample = (hours: number, altitude: number) => ({ at: hours * hour, altitude });

  it('rises and sets where its altitude crosses the horizon', () => {
    const day = [sample(0, -10), sample(1, 10), sample(2, 10), sample(3, -30)];
    expect(sunEvents(day)).toEqual([
      { kind: 'rises', at: 0.5 * hour },
      { kind: 'sets', at: 2.25 * hour },
    ]);
    expect(nights(day, 4 * hour)).toEqual([
      { from: 0, until: 0.5 * hour },
      { from: 2.25 * hour, until: 4 * hour },
    ]);
    expect(sunEvents([sample(0, 0), sample(1, 10)])).toEqual([{ kind: 'rises', at: 0 }]);
    expect(sunEvents([sample(0, 10), sample(1, 0)])).toEqual([{ kind: 'sets', at: hour }]);
    expect(sunEvents([sample(0, -1), sample(3, 1)])).toEqual([{ kind: 'rises', at: 1.5 * hour }]);
    expect(sunEvents([sample(0, -1), sample(3.1, 1)])).toEqual([]);
    expect(nights([sample(0, -1), sample(3.1, 1)], 4 * hour)).toEqual([]);
    expect(nights([sample(0, -1), sample(5, -1)], 6 * hour)).toEqual([{ from: 0, until: 6 * hour }]);
    expect(nights([sample(0, 1), sample(1, 2)], 2 * hour)).toEqual([]);
    const some = timed(
      points(['sunny', 'sunny'], (point, index) => (index === 0 ? point : { ...point, sunAltitude: null })),
    );
    expect(sunSamples(some.points)).toEqual([{ at: start, altitude: 10 }]);
  });
});

describe('what the temperature feels like', () => {
  const feels = (celsius: number, more: object) => {
    const kelvin = feelsLike({ temperature: celsius + 273.15, ...more });
    return kelvin === undefined ? undefined : Math.round((kelvin - 273.15) * 10) / 10;
  };

  it('is the wind chill of Environment Canada’s table', () => {
    // https://www.canada.ca: −10 °C at 20 km/h is −18, at 40 km/h −21; 5 °C at 5 km/h is 4.
    const table = [
      feels(-10, { wind_speed: 20 / 3.6 }),
      feels(-10, { wind_speed: 40 / 3.6 }),
      feels(5, { wind_speed: 5 / 3.6 }),
    ];
    expect(table.map((value) => Math.round(value ?? NaN))).toEqual([-18, -21, 4]);
    expect(feels(10, { wind_speed: 5 })).toBeUndefined();
    expect(feels(5, { wind_speed: 1.3 })).toBeUndefined();
    expect(feels(5, {})).toBeUndefined();
    expect(feelsLike({ wind_speed: 5 })).toBeUndefined();
  });

  it('is the heat index of the NWS’s chart', () => {
    // 90 °F at 60% is 100 °F, 100 °F at 50% is 118 °F.
    const fahrenheit = (f: number, humidity: number) =>
      Math.round((feels((f - 32) / 1.8, { humidity }) ?? NaN) * 1.8 + 32);
    expect([fahrenheit(90, 60), fahrenheit(100, 50)]).toEqual([100, 118]);
    expect(feels(26.6, { humidity: 60 })).toBeUndefined();
    expect(feels(30, { humidity: 39.9 })).toBeUndefined();
    expect(feels(30, { humidity: 40 })).toBeDefined();
    expect(feels(30, {})).toBeUndefined();
  });
});

it.each<[number, number, number, number[]]>([
  [0, 10, 5, [0, 2, 4, 6, 8, 10]],
  [0, 10, 4, [0, 2.5, 5, 7.5, 10]],
  [1.2, 8.7, 4, [0, 2, 4, 6, 8, 10]],
  [-3, 3, 3, [-4, -2, 0, 2, 4]],
  [5, 5, 4, [5, 6]],
  [0, 0.3, 3, [0, 0.1, 0.2, 0.3]],
  [0, 100, 0, [0, 100]],
  [0, 3, 1, [0, 5]],
])('an axis from %d to %d in at most %i steps has round ticks', (low, high, max, ticks) => {
  expect(axisOf(low, high, max)).toEqual({ low: ticks[0], high: ticks.at(-1), ticks });
});

describe('spans of time and sizes', () => {
  it.each([
    [0, '0 s'],
    [59_499, '59 s'],
    [59_500, '1 min'],
    [-120_000, '2 min'],
    [59 * 60_000, '59 min'],
    [hour, '1 h'],
    [hour + 60_000, '1 h 1 min'],
    [47 * hour, '47 h'],
    [48 * hour, '2 d'],
    [51 * hour, '2 d 3 h'],
  ])('%i ms are %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  it.each([
    [29_999, 'now'],
    [-29_999, 'now'],
    [30_000, 'in 30 s'],
    [-30_000, '30 s ago'],
  ])('%i ms from now is %s', (ms, text) => {
    expect(formatRelativeTime(1_000_000 + ms, 1_000_000)).toBe(text);
  });

  it('of data are decimal, and coordinates have a true minus', () => {
    expect([0, 999, 1_000, 999_949, 1_000_000, 3_140_000].map(formatSize)).toEqual([
      '0 B',
      '999 B',
      '1.0 kB',
      '999.9 kB',
      '1.0 MB',
      '3.1 MB',
    ]);
    expect(formatCoordinates({ lat: -45.123456, lng: 7 })).toBe('−45.1235, 7');
    expect(formatCoordinates({ lat: 1, lng: -7.126 }, 2)).toBe('1, −7.13');
  });
});

describe('units', () => {
  it('have presets, and defaults by region', () => {
    const metric = { temperature: '°C', precipitation: 'mm', wind: 'm/s', pressure: 'hPa' };
    const uk = { ...metric, wind: 'mph' };
    const us = { temperature: '°F', precipitation: 'in', wind: 'mph', pressure: 'inHg' };
    expect(unitPresets).toEqual({ Metric: metric, UK: uk, US: us, Aviation: { ...metric, wind: 'kn' } });
    expect(['de', 'it-CH', 'en', 'en-US', 'es-PR', 'en-GB', 'und-XX'].map(unitsOfLocale)).toEqual([
      metric,
      metric,
      us,
      us,
      us,
      uk,
      metric,
    ]);
    for (const region of ['BS', 'BZ', 'KY', 'PW'])
      expect(unitsOfLocale(`en-${region}`)).toEqual({ ...metric, temperature: '°F' });
    const system = {
      temperatureUnit: 'system',
      precipitationUnit: 'system',
      windUnit: 'system',
      pressureUnit: 'system',
    } as const;
    expect(chosenUnits(system, 'en-US')).toEqual(us);
    expect(chosenUnits(settingsOfUnits(unitPresets.Aviation), 'en-US')).toEqual({ ...metric, wind: 'kn' });
    const cycles = ['en-US', 'de', 'en-US', 'ja-JP-u-hc-h11', 'en-GB'].map(hourCycleOfLocale);
    expect(cycles).toEqual(['h12', 'h23', 'h12', 'h12', 'h23']);
  });

  const written = (
    units: Partial<typeof unitPresets.Metric>,
    kind: 'temperature' | 'precipitation' | 'wind' | 'pressure',
  ) => createUnitFormat({ ...unitPresets.Metric, ...units }, 'en')[kind];

  it.each([
    [{}, 'temperature', 263.15, '−10.0 °C', '−10', -10, 'minus 10.0 degrees'],
    [{ temperature: '°F' }, 'temperature', 283.15, '50.0 °F', '50', 50, '50.0 degrees Fahrenheit'],
    [{}, 'precipitation', 2.54, '2.5 mm', '3', 2.54, '2.5 millimeters'],
    [{ precipitation: 'in' }, 'precipitation', 25.4, '1.00 in', '1', 1, '1.00 inches'],
    [{}, 'wind', 10, '10.0 m/s', '10', 10, '10.0 meters per second'],
    [{ wind: 'km/h' }, 'wind', 10, '36 km/h', '36', 36, '36 kilometers per hour'],
    [{ wind: 'mph' }, 'wind', 4.4704, '10 mph', '10', 10, '10 miles per hour'],
    [{ wind: 'kn' }, 'wind', 18.52 / 3.6, '10 kn', '10', 10, '10 knots'],
    [{ wind: 'kn' }, 'wind', 1.852 / 3.6, '1 kn', '1', 1, '1 knot'],
    [{ wind: 'mph' }, 'wind', 0.447_04, '1 mph', '1', 1, '1 mile per hour'],
    [{ wind: 'km/h' }, 'wind', 1 / 3.6, '1 km/h', '1', 1, '1 kilometer per hour'],
    [{ wind: 'Bft' }, 'wind', 8, '5 Bft', '5', 5, '5 Beaufort'],
    [{}, 'pressure', 1013.25, '1013 hPa', '1013', 1013.25, '1013 hectopascals'],
    [{ pressure: 'inHg' }, 'pressure', 1015.9167, '30.00 inHg', '30', 30, '30.00 inches of mercury'],
  ] as const)('%j write %s %d as %s', (units, kind, value, text, whole, converted, spoken) => {
    const writer = written(units, kind);
    const [bare, unit] = text.split(' ');
    expect([writer.unit, writer.text(value), writer.bare(value), writer.whole(value), writer.spoken(value)]).toEqual([
      unit,
      text,
      bare,
      whole,
      spoken,
    ]);
    expect(writer.convert(value)).toBeCloseTo(converted, 9);
  });

  it('of wind follow the Beaufort table of the WMO', () => {
    const starts = [0.3, 1.6, 3.4, 5.5, 8, 10.8, 13.9, 17.2, 20.8, 24.5, 28.5, 32.7];
    expect(starts.map(beaufort)).toEqual(starts.map((_, index) => index + 1));
    expect(starts.map((speed) => beaufort(speed - 0.1))).toEqual(starts.map((_, index) => index));
  });

  it('have the locale’s decimal sign, and no grouping or negative zero', () => {
    const { number } = createUnitFormat(unitPresets.Metric, 'de');
    expect([number(12_345.67, 1), number(-0.04, 1), number(-1, 0), number(1, 2)]).toEqual([
      '12345,7',
      '0,0',
      '−1',
      '1,00',
    ]);
  });
});

describe('the list of callbacks', () => {
  const row = (id: number, kind = 'verified', count?: number, receivedAt = 0) =>
    ({
      id,
      receivedAt: new Date(receivedAt).toISOString(),
      outcome: { kind },
      ...(count === undefined ? {} : { refusal: { count } }),
    }) as unknown as CallbackSummary;
  const ids = (log: ReturnType<typeof emptyLog>) =>
    Array.from({ length: rowCount(log) }, (_, index) => rowAt(log, index)?.id);

  it('grows at both ends without repeating a row', () => {
    const log = emptyLog();
    expect([newestId(log), oldestId(log), rowCount(log)]).toEqual([0, undefined, 0]);
    addOlder(log, [row(5), row(4)]);
    addOlder(log, [row(4), row(3)]);
    expect(addNewer(log, [row(7), row(6), row(5)])).toBe(2);
    expect(addNewer(log, [row(8), row(7)])).toBe(1);
    expect(ids(log)).toEqual([8, 7, 6, 5, 4, 3]);
    expect([newestId(log), oldestId(log), rowAt(log, 6)]).toEqual([8, 3, undefined]);
  });

  it('replaces rows whose outcome or count changed', () => {
    const log = emptyLog();
    addOlder(log, [row(2), row(1, 'refused', 1)]);
    addNewer(log, [row(3)]);
    expect(replaceRows(log, [row(3), row(2), row(1, 'refused', 1), row(9)])).toBe(false);
    const [changed, counted] = [row(3, 'late'), row(1, 'refused', 2)];
    expect(replaceRows(log, [changed])).toBe(true);
    expect(replaceRows(log, [counted])).toBe(true);
    expect([rowAt(log, 0), rowAt(log, 2)]).toEqual([changed, counted]);
    expect(ids(log)).toEqual([3, 2, 1]);
  });

  it('marks rows that have just arrived, unless they are many', () => {
    const log = emptyLog();
    addOlder(log, [row(1, 'verified', undefined, 10_000)]);
    expect(oldestFresh(log, 10_000)).toBe(Infinity);
    addNewer(log, [row(4, '', undefined, 10_000), row(3, '', undefined, 8_800), row(2, '', undefined, 8_799)]);
    expect(oldestFresh(log, 10_000)).toBe(3);
    expect(oldestFresh(log, 20_000)).toBe(Infinity);
    const many = (count: number) => {
      const busy = emptyLog();
      addNewer(
        busy,
        Array.from({ length: count }, (_, index) => row(count - index, '', undefined, 10_000)),
      );
      return oldestFresh(busy, 10_000);
    };
    expect([many(10), many(11)]).toEqual([1, Infinity]);
  });
});

it.each([
  ['http://127.0.0.1:1/a?b=1', 'https://localhost:1', 'https://localhost:1/a?b=1'],
  ['https://[::1]:1/a', 'http://127.0.0.1:1/x', 'http://127.0.0.1:1/a'],
  ['http://127.0.0.1:1/a', 'http://127.0.0.1:1', undefined],
  ['http://127.0.0.1:2/a', 'https://127.0.0.1:1', undefined],
  ['http://10.0.0.1:1/a', 'https://127.0.0.1:1', undefined],
  ['http://127.0.0.1:1/a', 'https://10.0.0.1:1', undefined],
  ['ftp://127.0.0.1:1/a', 'https://127.0.0.1:1', undefined],
  ['nonsense', 'https://127.0.0.1:1', undefined],
  ['http://127.0.0.1:1/a', '', undefined],
  [null, 'https://127.0.0.1:1', undefined],
])('the receiver’s URL for %s at %s is %s', (url, base, current) => {
  expect(currentUrl(url, base)).toBe(current);
});
