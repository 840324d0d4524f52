// An airport's report as aviationweather.gov sends it (https://aviationweather.gov/data/api/), field by field.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readMetars } from '#service/weather/metar/read-metar.ts';

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

  it('may have times as text', () => {
    expect(read({ obsTime: '2026-11-21 05:50:00' })?.at).toBe(at);
    expect(read({ obsTime: '2026-11-21T05:50:00' })?.at).toBe(at);
  });
});
