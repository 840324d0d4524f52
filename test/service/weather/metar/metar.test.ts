// Airports: their reports as aviationweather.gov sends them (https://aviationweather.gov/data/api/), field by field, and requests for them:
// the boxes around a place, and how often they are sent.
import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readMetars } from '#service/weather/metar/read-metar.ts';
import { pino } from 'pino';
import type { LatLng } from '#contract/service-api/geo.ts';
import { createProviderHealth } from '#service/weather/fetch/provider-health.ts';
import { createMetar, metarAddresses } from '#service/weather/metar/metar.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

const at = Date.parse('2026-11-21T05:50:00Z');
const row = { icaoId: 'LIMF', lat: 45.2, lon: 7.65, obsTime: at / 1_000 };
const read = (changes: object) => readMetars([{ ...row, ...changes }])?.[0];

const recorded = (name: string) => readFileSync(new URL(`../../../fixtures/${name}`, import.meta.url), 'utf8');
type Expected = { icaoId: string; status: string; precipitation: boolean };
const expected = Object.entries(JSON.parse(recorded('expected-status.json')) as Record<string, unknown>).filter(
  (entry): entry is [string, Expected[]] => entry[0].startsWith('aviationweather/'),
);

it.each(expected)('the recorded report %s is read as expected', (name, rows) => {
  const observations = readMetars(JSON.parse(recorded(name))) ?? [];
  expect(observations.map(({ station, status, isPrecipitating }) => [station, status, isPrecipitating])).toEqual(
    rows.map((row) => [row.icaoId, row.status, row.precipitation]),
  );
});

describe('a report', () => {
  it('has its station, place, time, weather, and values in the interface’s units', () => {
    const values = { temp: 5, dewp: 2, slp: 1_013.2, altim: 1_012, wspd: 10, wdir: 270 };
    expect(read({ ...values, wxString: '-RA BR', rawOb: 'LIMF 210550Z -RA BR', cover: 'OVC' })).toEqual({
      station: 'LIMF',
      place: { lat: 45.2, lng: 7.65 },
      at,
      status: 'rainy',
      isPrecipitating: true,
      precipitation: 'falling',
      groups: '-RA BR',
      // 1 kt is 0.514444 m/s.
      measured: {
        temperature: 278.15,
        dew_point: 275.15,
        // The table of relative humidity of the US weather service has 81 %.
        humidity: 80.94,
        pressure: 1_013.2,
        wind_speed: 5.14,
        wind_direction: 270,
      },
    });
  });

  it('may have little more than its station', () => {
    const bare = { station: 'LIMF', place: { lat: 45.2, lng: 7.65 }, at, status: 'unknown', isPrecipitating: false };
    expect(read({})).toStrictEqual({ ...bare, precipitation: 'none' });
    const nulls = { wxString: null, rawOb: null, cover: null, clouds: null, temp: null, slp: null, altim: null };
    expect(read(nulls)).toStrictEqual({ ...bare, precipitation: 'none' });
  });

  it('has the pressure of the altimeter if there is none at sea level', () => {
    expect(read({ altim: 1_012 })?.measured).toEqual({ pressure: 1_012 });
    for (const slp of [null, -9_999]) expect(read({ slp, altim: 1_012 })?.measured).toEqual({ pressure: 1_012 });
  });

  it.each([
    ['calm', { wspd: 0, wdir: 90 }, { wind_speed: 0 }],
    ['variable', { wspd: 5, wdir: 'VRB' }, { wind_speed: 2.57 }],
    ['without a speed', { wdir: 90 }, undefined],
    ['from north', { wspd: 5, wdir: 0 }, { wind_speed: 2.57, wind_direction: 0 }],
  ])('has no direction of a wind that is %s', (_name, wind, measured) => {
    expect(read(wind)?.measured).toEqual(measured);
  });

  it('is windy from 14 m/s (28 kt) under a known sky', () => {
    expect([read({ wspd: 28, cover: 'FEW' })?.status, read({ wspd: 27, cover: 'FEW' })?.status]).toEqual([
      'windy',
      'sunny',
    ]);
  });
});

it('a value may be a number as text', () => {
  const numbers = { lat: 45.2, lon: 7.65, temp: 5, dewp: 2, slp: 1_013.2, wspd: 10, wdir: 270, wxString: 'TS' };
  const texts = Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, String(value)]));
  expect(read(texts)).toEqual(read(numbers));
  expect(read(texts)?.measured).toMatchObject({ pressure: 1_013.2, wind_direction: 270 });
});

describe('the weather of a report', () => {
  // WMO code table 4678; what falls in the vicinity (VC), has fallen (RE), or blows (BL, DR) does not fall at the station.
  it.each([
    ['hailing', 'falling', ['GR', '-GS', 'TSGR', 'SHGS RA', 'GR BR']],
    ['stormy', 'falling', ['TSRA', '+TSSN', '+FC -RA']],
    ['stormy', 'none', ['TS', '+FC', 'FC']],
    ['snow flurries', 'falling', ['-SN', '-SHSN', 'SG', '-SG', '-SN SG', 'IC', 'IC BR', '-SN IC']],
    ['snowy', 'falling', ['SN', '+SN', 'PL', '-PL', '-SN PL', 'RASN', '-RASN', '-SN RA']],
    ['rainy', 'falling', ['RA', '-DZ', 'UP', 'FZRA', 'FZDZ', '+SHRA BR']],
    [
      'foggy',
      'none',
      ['FG', 'BR', 'HZ', 'FU', 'VA', 'DU', 'SA', 'PO', 'SS', 'DS', 'MIFG', 'BCFG', 'BLDU', 'FZFG', ' BR '],
    ],
    ['cloudy', undefined, ['VCTS', 'VCSH']],
    ['sunny', 'recent', ['RERA', 'RETSRA']],
    ['cloudy', 'recent', ['VCSH RERA']],
    ['sunny', 'none', ['VCFG', 'VCFC', 'REFG', 'RETS', 'NSW', 'BLSN', 'DRSN', 'SQ', 'SH', 'XX', 'RA//', '', undefined]],
    ['unknown', undefined, ['NIL', '//', '//SN']],
    ['unknown', 'falling', ['//// RA']],
  ])('is %s with precipitation %s', (status, precipitation, all) => {
    const found = all.map((wxString) => read({ wxString, cover: 'FEW' }));
    expect(found.map((one) => [one?.status, one?.precipitation, one?.isPrecipitating])).toEqual(
      all.map(() => [status, precipitation, precipitation === 'falling']),
    );
  });

  it.each([
    ['KJFK RMK AO2 P0003', 'recent'],
    ['KJFK RMK P0003 T0', 'recent'],
    ['KJFK RMK P00033', 'none'],
    ['KJFK RMK AO2', 'none'],
    ['KJFK RMK AO1', undefined],
    ['KJFK RMK PWINO X', undefined],
    ['KJFK // 10/05', undefined],
    ['LIMF 210650Z 00000KT CAVOK 08/06 Q1020', 'none'],
  ])('has by the remarks of %s precipitation %s', (rawOb, precipitation) => {
    expect(read({ rawOb })?.precipitation).toBe(precipitation);
  });

  const layers = (...covers: unknown[]) => covers.map((cover) => ({ cover, base: 3_000 }));
  it.each([
    ['sunny', ['CLR', 'SKC', 'NSC', 'NCD', 'CAVOK', 'FEW']],
    ['partly cloudy', ['SCT', 'BKN']],
    ['cloudy', ['OVC']],
    ['foggy', ['OVX', 'VV']],
    ['unknown', ['XXX']],
  ])('is %s by a cover of %j alone', (status, covers) => {
    const found = covers.flatMap((cover) => [read({ cover }), read({ clouds: layers(cover), cover: '' })]);
    expect(found.map((one) => one?.status)).toEqual(found.map(() => status));
  });

  it.each([
    ['partly cloudy', layers('FEW', 'BKN', 'SCT')],
    ['cloudy', layers('OVC', 'FEW')],
    ['foggy', layers('OVC', 'VV', 'FEW')],
    ['sunny', layers('FEW', 'XXX', null, undefined)],
    ['unknown', []],
  ])('is %s by its thickest layer, unless the whole report has a cover', (status, clouds) => {
    expect(read({ clouds, cover: null })?.status).toBe(status);
    expect(read({ clouds, cover: 'SCT' })?.status).toBe('partly cloudy');
  });
});

describe('a body', () => {
  it.each([[undefined], [null]])('that is %s has no stations', (body) => {
    expect(readMetars(body)).toEqual([]);
  });

  it.each([['{}'], [{}], [7]])('that is %j is not a list', (body) => {
    expect(readMetars(body)).toBeUndefined();
  });

  it.each([
    ['no station', { icaoId: 'limf' }],
    ['a long station', { icaoId: 'LIMFXX' }],
    ['a latitude beyond the pole', { lat: 90.1 }],
    ['a longitude beyond the antimeridian', { lon: -180.1 }],
    ['no time', { obsTime: null }],
    ['an unreadable time', { obsTime: 'noon' }],
    ['an impossible time', { obsTime: 1e11 }],
  ])('does not return a row with %s', (_name, changes) => {
    expect(readMetars([{ ...row, ...changes }, row])).toHaveLength(1);
  });
});

const minute = 60_000;
const now = at + 10 * minute;
const turin = { lat: 45.1, lng: 7.7 };

describe('the boxes around a place', () => {
  const boxes = (lat: number, lng: number) =>
    metarAddresses('http://metar.test', { lat, lng }).map((address) => address.searchParams.get('bbox'));

  it.each([
    ['1° to the north and south, 1.5° to the east and west', 45, 7, ['44.00,5.50,46.00,8.50']],
    // 0.46° / cos 80°.
    ['wider in the north', 80, 0, ['79.00,-2.65,81.00,2.65']],
    ['all around the north pole', 90, 7, ['89.00,-180.00,90.00,180.00']],
    ['all around the south pole', -89.9, 7, ['-90.00,-180.00,-88.90,180.00']],
    ['up to the antimeridian from the west', 0, 178.5, ['-1.00,177.00,1.00,180.00']],
    ['two across it from the west', 0, 179, ['-1.00,177.50,1.00,180.00', '-1.00,-180.00,1.00,-179.50']],
  ])('are %s', (_name, lat, lng, expected) => {
    expect(boxes(lat, lng)).toEqual(expected);
  });

  it.each(['http://metar.test/base', 'http://metar.test/base//'])('are added to %s', (baseUrl) => {
    expect(metarAddresses(baseUrl, { lat: 0, lng: 0 }).map(({ href }) => href)).toEqual([
      'http://metar.test/base/api/data/metar?bbox=-1.00%2C-1.50%2C1.00%2C1.50&format=json',
    ]);
  });
});

describe('airports near a place', () => {
  const report = (icaoId: string, { lat, lng }: LatLng) => ({ icaoId, lat, lon: lng, obsTime: now / 1_000 });

  function start(respond: (address: URL) => unknown = () => [report('LIMF', turin)]) {
    const clock = createManualClock(now);
    const health = createProviderHealth({ clock, log: pino({ level: 'silent' }) });
    const requests: [provider: string, address: URL][] = [];
    const metar = createMetar({
      baseUrl: 'https://aviationweather.gov',
      clock,
      side: { clock, machineClock: clock, health },
      async fetchJson(provider, address) {
        requests.push([provider, address]);
        return respond(address);
      },
    });
    return { clock, health, metar, requests };
  }

  it('are requested once in five minutes', async () => {
    const { metar, requests, clock } = start();
    expect(await metar.stationsNear(turin)).toMatchObject([{ station: 'LIMF', distanceKm: 0 }]);
    clock.advance(5 * minute - 1);
    await metar.stationsNear(turin);
    expect(requests.map(([provider]) => provider)).toEqual(['metar']);
    clock.advance(1);
    await metar.stationsNear(turin);
    expect(requests).toHaveLength(2);
  });

  it('are those of both boxes at the antimeridian', async () => {
    const fiji = { lat: -17, lng: 179.9 };
    const { metar } = start((address) =>
      address.searchParams.get('bbox')?.includes('-180') === true
        ? [report('EAST', { lat: -17, lng: -179.9 })]
        : [report('WEST', fiji)],
    );
    expect(await metar.stationsNear(fiji)).toMatchObject([{ station: 'WEST' }, { station: 'EAST' }]);
  });

  it('are none without a station, which is not a failure', async () => {
    const { metar, health } = start(() => undefined);
    expect(await metar.stationsNear(turin)).toEqual([]);
    expect(health.failing('metar')).toBeUndefined();
  });

  it('are a failure of this place if the answer is not a list', async () => {
    const { metar, health } = start(() => ({ error: 'no' }));
    expect(await metar.stationsNear(turin)).toEqual([]);
    expect(health.lastErrors()[0]?.message).toContain('not a list');
    expect(health.failing('metar')).toBeUndefined();
  });

  it('are shown while new ones are missing, until they are 90 minutes old', async () => {
    let isDown = false;
    const { metar, clock } = start(() => {
      if (isDown) throw new Error('down');
      return [report('LIMF', turin)];
    });
    await metar.stationsNear(turin);
    isDown = true;
    clock.advance(90 * minute);
    expect(await metar.stationsNear(turin)).toMatchObject([{ station: 'LIMF', at: now }]);
    clock.advance(1);
    expect(await metar.stationsNear(turin)).toEqual([]);
  });

  it('are requested at most 60 times a minute', async () => {
    // The host's minute is of the machine's time.
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { metar, requests, clock } = start(() => []);
    expect(await metar.budget.left()).toEqual([{ name: 'metar', seconds: 60, left: 60 }]);
    for (let lat = 0; lat < 70; lat += 1) await metar.stationsNear({ lat, lng: 0 });
    expect(requests).toHaveLength(60);
    vi.advanceTimersByTime(minute);
    clock.advance(minute);
    await metar.stationsNear({ lat: 69, lng: 0 });
    expect(requests).toHaveLength(61);
  });
});
