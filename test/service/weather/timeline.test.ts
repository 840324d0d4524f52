// What the weather of a place says about precipitation over time (service/weather/timeline.ts), and its kind by source.
import { describe, expect, it } from 'vitest';
import { kindOfReport } from '#service/weather/metar/metar-status.ts';
import { kindOfSymbol } from '#service/weather/providers/met-norway/met-document.ts';
import type { CellWeather } from '#service/weather/reading/reading.ts';
import { kindOfWmoCode } from '#service/weather/reading/wmo-status.ts';
import type { PlacedScenario } from '#service/weather/sources/scenarios.ts';
import { kmTo, timelineOf } from '#service/weather/timeline.ts';

const now = Date.parse('2026-11-28T14:00:00Z');
const minute = 60_000;
const turin = { lat: 45.1, lng: 7.7 };

const weather = (changes: Partial<CellWeather> = {}): CellWeather => ({
  source: 'open-meteo',
  grid: turin,
  fetchedAt: now,
  current: { at: now, status: 'cloudy' },
  steps: [],
  rainfall: [{ from: now, until: now + 15 * minute, mmPerHour: 2, kind: 'rain' }],
  ...changes,
});
const around = (changes: Partial<Parameters<typeof timelineOf>[0]> = {}) =>
  timelineOf({ weather: weather(), here: [], ...changes }, now);
const scenario = (changes: Partial<PlacedScenario> = {}): PlacedScenario => ({
  id: 'one',
  center: turin,
  radiusKm: 5,
  status: 'snowy',
  from: now,
  until: now + 20 * minute,
  placedAt: now,
  ...changes,
});

describe('the kind of precipitation', () => {
  // WMO code table 4677.
  it.each([
    ['rain', [51, 55, 61, 80, 95]],
    ['freezing_rain', [56, 67]],
    ['sleet', [68, 83]],
    ['snow', [71, 77, 86]],
    ['hail', [96, 99]],
    ['unknown', [3, undefined]],
  ])('%s is that of the WMO codes %j', (kind, codes) => {
    expect(codes.map(kindOfWmoCode)).toEqual(codes.map(() => kind));
  });

  it.each([
    ['rain', ['-RA BR', 'DZ']],
    ['freezing_rain', ['FZRA', '-FZDZ']],
    ['sleet', ['RASN', '-PL']],
    ['snow', ['SN BLSN', 'SG']],
    ['hail', ['TSRAGR', 'SHGS']],
    ['unknown', ['UP', 'VCSH', undefined]],
  ])('%s is that of the reports %j', (kind, reports) => {
    expect(reports.map(kindOfReport)).toEqual(reports.map(() => kind));
  });

  it.each([
    ['lightrainshowers_day', 'rain'],
    ['heavysleet', 'sleet'],
    ['lightssnowshowersandthunder_night', 'snow'],
    ['cloudy', 'unknown'],
  ])('of the symbol %s is %s', (symbol, kind) => {
    expect(kindOfSymbol(symbol)).toBe(kind);
  });
});

describe('a timeline', () => {
  it('tells amount, kind, basis, and source of each step', () => {
    expect(around().steps).toEqual([
      {
        from: now,
        until: now + 15 * minute,
        mmPerHour: 2,
        kind: 'rain',
        basis: 'forecast',
        source: 'open-meteo',
        updatedAt: now,
        place: null,
        slackMs: 15 * minute,
      },
    ]);
  });

  it('is an hour uncertain where steps of 15 minutes are interpolated', () => {
    const [step] = around({ weather: weather({ grid: { lat: -33.9, lng: 151.2 } }) }).steps;
    expect(step?.slackMs).toBe(60 * minute);
  });

  it('knows what radar and stations say', () => {
    const rainfallBy = { source: 'met-norway-nowcast', at: now - minute };
    expect(around({ weather: weather({ rainfallBy }) }).steps[0]).toMatchObject({
      basis: 'radar',
      source: 'met-norway-nowcast',
      slackMs: 5 * minute,
    });
    const place = { lat: 45.2, lng: 7.65 };
    const station = weather({
      wetBy: { source: 'metar:LIMF', at: now - minute, isObserved: true, place, kind: 'sleet' },
    });
    const [step] = around({ weather: station }).steps;
    expect(step).toMatchObject({ mmPerHour: null, basis: 'station', source: 'metar:LIMF', kind: 'sleet' });
    // 11.1 km north and 3.9 km west.
    expect(step && kmTo(step, turin)).toBeCloseTo(11.8, 0);
  });

  it.each([
    ['the provider’s', around(), true],
    [
      'a stand-in for a provider that does not respond',
      around({ weather: weather({ isFallback: true, rainfall: [] }) }),
      false,
    ],
    ['nothing', around({ weather: undefined }), false],
    [
      'older data, over an hour after the provider stopped',
      around({ weather: weather({ isStored: true, fetchedAt: now - 76 * minute }) }),
      false,
    ],
    ['older data before that', around({ weather: weather({ isStored: true, fetchedAt: now - 75 * minute }) }), true],
    [
      'data that ended before now',
      around({ weather: weather({ rainfall: [], current: { at: now - 90 * minute, status: 'rainy' } }) }),
      false,
    ],
    ['a dry status without amounts', around({ weather: weather({ rainfall: [] }) }), true],
    ['a scenario', around({ weather: undefined, here: [scenario()] }), true],
  ])('is known by %s: %#', (_name, { isKnown }, expected) => {
    expect(isKnown).toBe(expected);
  });

  it('follows a scenario at the place while it lasts, then the provider', () => {
    const rainfall = [{ from: now, until: now + 60 * minute, mmPerHour: 2 }];
    const laid = scenario({ mmPerHour: 3, kind: 'snow' });
    const { steps, ruling } = around({ weather: weather({ rainfall }), here: [laid] });
    expect(ruling).toBe(true);
    expect(steps.map(({ from, until, mmPerHour, basis }) => [from - now, until - now, mmPerHour, basis])).toEqual([
      [0, 20 * minute, 3, 'scenario'],
      [20 * minute, 60 * minute, 2, 'forecast'],
    ]);
    expect(around({ here: [scenario({ status: 'sunny' })] })).toMatchObject({
      ruling: false,
      steps: [{ mmPerHour: 0 }],
    });
  });
});
