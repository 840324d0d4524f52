// What the chart, the pane, and the table calculate: feels-like temperature, sums, axes, changes of the clocks, and places in JSON.
import { describe, expect, it } from 'vitest';
import { daySummaries, precipitationSpans } from '#renderer/features/forecast/common/amounts.ts';
import { nextPrecipitation } from '#renderer/features/forecast/common/runs.ts';
import { feelsLike } from '#renderer/features/forecast/common/feels-like.ts';
import { timedForecast } from '#renderer/features/forecast/common/timed-points.ts';
import { timelineModel } from '#renderer/features/forecast/common/timeline-model.ts';
import { copyRequestAs } from '#renderer/features/forecast/inspector/copy-request.ts';
import { copyTools } from '#renderer/viewers/request-code.ts';
import { contractChecks } from '#renderer/features/forecast/inspector/contract-check.ts';
import { forecastCsv } from '#renderer/features/forecast/forecast-csv.ts';
import { axisOf } from '#renderer/features/forecast/common/axis-ticks.ts';
import { timelineLayout } from '#renderer/features/forecast/timeline/timeline-layout.ts';
import { createUnitFormat, unitPresets } from '#renderer/ui/text/units.ts';
import { clockChanges, zonedTimes } from '#renderer/ui/text/zoned-times.ts';
import { linesOfPath } from '#renderer/viewers/lines-of-path.ts';
import { findLines, jsonOutlineOf, jsonPathOf, lineAtOffset, lineOfMember } from '#renderer/viewers/json-outline.ts';
import { forecastOf, hour, pointsOf, start } from './forecast-points.ts';

describe('feels like', () => {
  const celsius = (measured: Parameters<typeof feelsLike>[0]) => {
    const kelvin = feelsLike(measured);
    return kelvin === undefined ? undefined : Math.round(kelvin - 273.15);
  };

  it.each([
    [0, 20, -5],
    [-10, 40, -21],
    [-20, 30, -33],
  ])('of %i °C in a wind of %i km/h is the wind chill of Environment Canada’s table', (air, wind, felt) => {
    expect(celsius({ temperature: air + 273.15, wind_speed: wind / 3.6 })).toBe(felt);
  });

  it.each([
    [90, 60, 100],
    [100, 40, 109],
  ])('of %i °F at %i %% humidity is the heat index of the NWS’s chart', (air, humidity, felt) => {
    const kelvin = feelsLike({ temperature: (air - 32) / 1.8 + 273.15, humidity }) ?? 0;
    expect(Math.round((kelvin - 273.15) * 1.8 + 32)).toBe(felt);
  });

  it('is not calculated if no formula holds or a value was not sent', () => {
    expect(celsius({ temperature: 288, wind_speed: 5, humidity: 60 })).toBeUndefined();
    expect(celsius({ temperature: 275, wind_speed: 1.3 })).toBeUndefined();
    expect(celsius({ temperature: 275 })).toBeUndefined();
    expect(celsius({ temperature: 305, humidity: 30 })).toBeUndefined();
    expect(celsius({ wind_speed: 5 })).toBeUndefined();
  });
});

describe('amounts', () => {
  const amounts = [0, 0.3, 0.6, 0, undefined, 1.2];
  const points = pointsOf(start + 21 * hour, Array<string>(6).fill('cloudy'), (point, index) => {
    const rainfall = amounts[index];
    return { ...point, measured: { temperature: 270 + index, ...(rainfall === undefined ? {} : { rainfall }) } };
  });
  const timed = timedForecast(points)?.points ?? [];
  const fell = (rain: number) => ({ rain, snow: null });

  it('are summed by day of the zone, with the extremes of each', () => {
    const midnight = start + 24 * hour;
    expect(
      daySummaries(timed, [start + 21 * hour, midnight], start + 27 * hour, [{ kind: 'rises', at: midnight + hour }]),
    ).toEqual([
      {
        startsAt: start + 21 * hour,
        until: midnight,
        lowest: 270,
        highest: 272,
        sum: fell(0.9),
        rises: null,
        sets: null,
      },
      {
        startsAt: midnight,
        until: start + 27 * hour,
        lowest: 273,
        highest: 275,
        sum: fell(1.2),
        rises: midnight + hour,
        sets: null,
      },
    ]);
  });

  it('of touching hours make one spell', () => {
    expect(
      precipitationSpans(timed).map(({ from, until, sum, peak }) => [
        (from - start) / hour,
        (until - start) / hour,
        sum,
        peak,
      ]),
    ).toEqual([
      [22, 24, fell(0.9), { rain: 0.6, snow: 0 }],
      [26, 27, fell(1.2), { rain: 1.2, snow: 0 }],
    ]);
  });
});

describe('an axis', () => {
  it('has round numbers around the values', () => {
    expect(axisOf(-9.2, 14.7, 5).ticks).toEqual([-10, -5, 0, 5, 10, 15]);
    expect(axisOf(0, 2.8, 3).ticks).toEqual([0, 1, 2, 3]);
    expect(axisOf(0, 0.12, 3).ticks).toEqual([0, 0.05, 0.1, 0.15]);
    expect(axisOf(5, 5, 4).ticks).toEqual([5, 6]);
  });
});

describe('the tracks', () => {
  const model = timelineModel(
    forecastOf(
      pointsOf(start, Array<string>(73).fill('cloudy'), (point) => ({
        ...point,
        measured: { temperature: 280, wind_speed: 3, rainfall: 0 },
      })),
    ),
    zonedTimes('UTC'),
  );

  const shown = new Set(['temperature', 'precipitation', 'wind']);

  it('fill the height, and drop the wind if it is short', () => {
    const drawn = (height: number) => {
      const { plots, height: whole } = timelineLayout(model?.points ?? [], { height, shown });
      return [whole <= Math.max(240, height), 'temperature' in plots, 'wind' in plots];
    };
    // 84 px for icons, band, and axis, and 58 for each track.
    expect(drawn(258)).toEqual([true, true, true]);
    expect(drawn(257)).toEqual([true, true, false]);
  });

  it('has no track for a value that was not sent', () => {
    const bare = timelineModel(forecastOf(pointsOf(start, ['rainy', 'rainy'])), zonedTimes('UTC'));
    expect(Object.keys(timelineLayout(bare?.points ?? [], { height: 546, shown }).plots)).toEqual(['rain']);
  });

  it('draws an icon once for the hours that have it', () => {
    const made = timelineModel(
      forecastOf(pointsOf(start, ['snow_flurries', 'snow_flurries', 'clear'])),
      zonedTimes('UTC'),
    );
    expect(made?.icons.map(({ label, from, until, points }) => [label, from, until, points])).toEqual([
      ['snow flurries', start, start + 2 * hour, 2],
      ['clear', start + 2 * hour, start + 3 * hour, 1],
    ]);
  });

  it('reports precipitation that ends now as over', () => {
    const rain = pointsOf(start, ['rainy', 'cloudy', 'rainy'], (point, index) => ({
      ...point,
      measured: { rainfall: index === 1 ? 0 : 1 },
    }));
    const model = timelineModel(forecastOf(rain), zonedTimes('UTC'));
    if (!model) throw new Error('there is no model');
    expect(nextPrecipitation(model, start + hour)).toMatchObject({ kind: 'later', spell: { from: start + 2 * hour } });
  });
});

describe('a change of the clocks', () => {
  const rome = zonedTimes('Europe/Rome');

  it('is found to the minute, with the names on both sides', () => {
    const from = Date.parse('2026-10-24T10:12:00Z');
    expect(clockChanges(rome, from, from + 72 * hour)).toEqual([
      { at: Date.parse('2026-10-25T01:00:00Z'), before: 'CEST', after: 'CET', shiftMs: -hour },
    ]);
    const spring = Date.parse('2026-03-28T10:12:00Z');
    expect(clockChanges(rome, spring, spring + 72 * hour).map(({ shiftMs }) => shiftMs)).toEqual([hour]);
    expect(
      clockChanges(
        zonedTimes('Australia/Lord_Howe'),
        Date.parse('2026-04-03T00:00:00Z'),
        Date.parse('2026-04-06T00:00:00Z'),
      ).map(({ shiftMs }) => shiftMs),
    ).toEqual([-hour / 2]);
    expect(clockChanges(rome, start, start + 72 * hour)).toEqual([]);
  });

  it('names the doubled hour apart, and zones without an abbreviation by their offset', () => {
    const hours = ['2026-10-25T00:00:00Z', '2026-10-25T01:00:00Z'].map((at) => Date.parse(at));
    expect(hours.map((at) => `${rome.clock(at)} ${rome.zoneName(at)}`)).toEqual(['02:00 CEST', '02:00 CET']);
    expect(zonedTimes('America/New_York').zoneName(start)).toBe('EST');
    expect(zonedTimes('Asia/Kathmandu').zoneName(start)).toBe('UTC+5:45');
    expect(zonedTimes('UTC').zoneName(start)).toBe('UTC');
    const names = Intl.supportedValuesOf('timeZone').map((zone) => zonedTimes(zone).zoneName(start));
    expect(names.filter((name) => /^GMT[+-]/.test(name))).toEqual([]);
  });
});

describe('places in JSON', () => {
  const text = '{"objects":[{"a b":1,"weather":{"status":"rainy"}},{"weather":{"status":"dry","n":[1,2]}}],"meta":{}}';
  const outline = jsonOutlineOf(text);
  if (!outline) throw new Error('The text is JSON.');
  const path = (search: string) => {
    const lines = search.startsWith('$') ? linesOfPath(text, search) : findLines(outline, search);
    return lines?.map((line) => jsonPathOf(outline, line));
  };

  it('are paths that lead there and back', () => {
    const line = lineAtOffset(outline, text.indexOf('{"weather":{"status":"dry"'));
    expect(jsonPathOf(outline, line)).toBe('$.objects[1]');
    expect(jsonPathOf(outline, lineOfMember(outline, line, ['weather', 'status']))).toBe('$.objects[1].weather.status');
    expect(lineOfMember(outline, line, ['missing'])).toBe(line);
    expect(path("$.objects[0]['a b']")).toEqual(["$.objects[0]['a b']"]);
  });

  it('are found by a path with wildcards, or by a text in any case', () => {
    expect(path('$.objects[*].weather.status')).toEqual(['$.objects[0].weather.status', '$.objects[1].weather.status']);
    expect(path('$..status')).toEqual(['$.objects[0].weather.status', '$.objects[1].weather.status']);
    expect(path('RAINY')).toEqual(['$.objects[0].weather.status']);
    expect(path('$.objects[2]')).toEqual([]);
    expect(path('$.objects[')).toBeUndefined();
    expect(jsonOutlineOf('{"a":')).toBeUndefined();
  });

  it.each([
    ["$.objects[?@.weather.status == 'dry']", ['$.objects[1]']],
    ['$.objects[?@["a b"] >= 1 && !@.missing].weather', ['$.objects[0].weather']],
    ["$..[?search(@.status, '^(dry|wet)$')]", ['$.objects[1].weather']],
    ['$.objects[-1].weather', ['$.objects[1].weather']],
    ['$.objects[0:1]', ['$.objects[0]']],
    ['$.objects[1].weather.n[1]', ['$.objects[1].weather.n']],
    ['$.objects[?count(@.*) > 1]', ['$.objects[0]']],
  ])('are found by the filters, slices, and functions of RFC 9535: %s', (search, wanted) => {
    expect(path(search)).toEqual(wanted);
  });

  it('lead to the same line by the path that is copied, whatever their names', () => {
    const names = ['plain', 'a b', "it's", '"', '\\', '\\"', '\n', '\u0007', '', '0', 'ü', '雨', '$', "']"];
    const odd = JSON.stringify(Object.fromEntries(names.map((name, index) => [name, { value: index }])));
    const lines = jsonOutlineOf(odd);
    if (!lines) throw new Error('The text is JSON.');
    for (const name of names) {
      const line = lineOfMember(lines, 0, [name, 'value']);
      expect([name, linesOfPath(odd, jsonPathOf(lines, line))]).toEqual([name, [line]]);
    }
  });
});

describe('a request as code', () => {
  const forecast = {
    ...forecastOf([]),
    request: {
      method: 'GET',
      url: "http://127.0.0.1:1/v2/weather/?note=it's",
      headers: [
        ['accept', 'application/json'],
        ['authorization', 'Bearer ••••••••'],
        ['host', '127.0.0.1:1'],
      ] as [string, string][],
    },
  };

  it('never has the token, and asks the environment for it', () => {
    for (const format of copyTools) {
      const code = copyRequestAs(format, forecast);
      expect(code).toMatch(/ACCESS_TOKEN/);
      expect(code).not.toMatch(/•|host: |"host"/);
    }
    const har = JSON.parse(copyRequestAs('HAR', forecast)) as {
      log: { entries: { request: { queryString: unknown } }[] };
    };
    expect(har.log.entries[0]?.request.queryString).toEqual([{ name: 'note', value: "it's" }]);
  });

  it('is JavaScript that parses', () => {
    const code = copyRequestAs('fetch', forecast).replaceAll('await ', '');
    // oxlint-disable-next-line typescript/no-implied-eval
    expect(() => new Function(code)).not.toThrow();
  });
});

describe('the check of a point', () => {
  it.each([
    ['timestamp', { timestamp: null }],
    ['weather.status', { status: null }],
    ['geo', { geo: null }],
    ['icon', { iconUrl: null }],
    ['sun_altitude', { sunAltitude: null }],
  ])('reports a missing %s, which the interface guarantees, and allows a missing optional field', (field, missing) => {
    const [point] = pointsOf(start, ['rainy'], (each) => ({ ...each, ...missing, sources: null }));
    if (!point) throw new Error('there is no point');
    const states = Object.fromEntries(
      contractChecks(point, createUnitFormat(unitPresets.Metric, 'en-GB')).map((check) => [check.field, check.state]),
    );
    expect([states[field], states['location'], states['sources']]).toEqual(['missing', 'absent', 'absent']);
    expect(Object.values(states).filter((state) => state === 'missing')).toHaveLength(1);
  });
});

it('a forecast as CSV has each value under its name', () => {
  const values = { temperature: 280, humidity: 81, pressure: 1012, wind_speed: 3, wind_direction: 200, rainfall: 0.4 };
  const points = pointsOf(start, ['rainy'], (point) => ({ ...point, geo: { lat: 45, lng: 7 }, measured: values }));
  const [names = [], cells = []] = forecastCsv({ points })
    .split('\r\n')
    .map((line) => line.split(','));
  expect(Object.fromEntries(names.map((name, index) => [name, cells[index]]))).toMatchObject({
    status: 'rainy',
    is_day: '1',
    lat: '45',
    lng: '7',
    temperature_kelvin: '280',
    humidity_percent: '81',
    pressure_hpa: '1012',
    wind_speed_m_per_s: '3',
    wind_direction_degrees: '200',
    rainfall_mm: '0.4',
    snowfall_mm: '',
  });
});
