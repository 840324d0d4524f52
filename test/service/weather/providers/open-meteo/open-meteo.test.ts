// Open-Meteo as a provider: its weather codes (WMO 4677, of which test/fixtures/tables has a table), the query, one or many places, past
// forecasts, whose request backtests show, the limits of the free hosts, and recorded responses, whose statuses
// test/fixtures/expected-status.json names.
import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import type { LatLng } from '#contract/service-api/geo.ts';
import { parseTimestamp } from '#shared/time/timestamp.ts';
import { statusTable } from '#contract/service-api/vocabulary.ts';
import { createOpenMeteo, openMeteoAddress } from '#service/weather/providers/open-meteo/open-meteo.ts';
import { readOpenMeteo } from '#service/weather/providers/open-meteo/read-open-meteo.ts';
import { QuotaUsedUp } from '#service/weather/reading/reading.ts';
import { statusOfWmoCode } from '#service/weather/reading/wmo-status.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { createHistoricalForecast } from '#service/weather/providers/open-meteo/historical-forecast.ts';

const now = Date.parse('2026-11-21T06:00:00Z');
const turin = { lat: 45.1, lng: 7.7 };
const oslo = { lat: 59.9, lng: 10.7 };

const bodyOf = ({ lat, lng }: LatLng) => ({
  latitude: lat,
  longitude: lng,
  current: { time: now / 1_000, weather_code: 3 },
});

function start(body: unknown, baseUrl = 'http://open.test') {
  const clock = createManualClock(now);
  const requests: (readonly [provider: string, latitudes: string | null, places: number | undefined])[] = [];
  const openMeteo = createOpenMeteo({
    baseUrl,
    apiKey: undefined,
    clock,
    machineClock: clock,
    countPlaces: async () => 0,
    hasAlternative: () => false,
    batchSize: 7,
    async fetchJson(provider, address, places) {
      requests.push([provider, address.searchParams.get('latitude'), places]);
      return body;
    },
  });
  const fetchAll = (...cells: LatLng[]) => openMeteo.batch?.fetch(cells);
  return { clock, openMeteo, requests, fetchAll };
}

const readFixture = (file: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../../fixtures/${file}`, import.meta.url), 'utf8'));

const wmoTable = z
  .object({
    codes: z.array(
      z.object({ code: z.number(), description: z.string(), status: z.string(), precipitation: z.boolean() }),
    ),
    fallback4677: z.record(z.coerce.number(), z.string()),
  })
  .parse(readFixture('tables/wmo-weather-codes.json'));

describe('a WMO weather code', () => {
  const { codes, fallback4677 } = wmoTable;

  it.each(codes)('$code, $description, becomes $status', ({ code, status, precipitation }) => {
    expect(codes).toHaveLength(28);
    const hourly = { time: [now / 1_000], weather_code: [code] };
    const { steps } = readOpenMeteo({ latitude: 45.1, longitude: 7.7, hourly }, now);
    expect(steps[0]?.status).toBe(status);
    // Of a storm, only the amount shows if it is wet.
    expect(statusTable.find((row) => row.status === status)?.precipitation !== false).toBe(precipitation);
  });

  it('that Open-Meteo does not send becomes what WMO 4677 says, or unknown', () => {
    const sent = new Set(codes.map(({ code }) => code));
    const others = Array.from({ length: 100 }, (_, code) => code).filter((code) => !sent.has(code));
    const wrong = others.filter((code) => !['unknown', fallback4677[code]].includes(statusOfWmoCode(code)));
    expect(wrong).toEqual([]);
    for (const none of [100, -1, null, undefined]) expect(statusOfWmoCode(none)).toBe('unknown');
  });
});

describe('the query', () => {
  it('has the places, the variables, and the times', () => {
    const variables =
      'weather_code,precipitation,temperature_2m,relative_humidity_2m,dew_point_2m,pressure_msl,wind_speed_10m,wind_direction_10m';
    expect(openMeteoAddress('http://open.test', undefined, [turin, oslo]).href).toBe(
      `http://open.test/v1/forecast?latitude=45.1,59.9&longitude=7.7,10.7&current=${variables}` +
        `&hourly=${variables},snowfall&minutely_15=precipitation,weather_code&forecast_hours=74&forecast_minutely_15=12` +
        '&timezone=GMT&timeformat=unixtime',
    );
  });

  it.each([
    ['http://open.test/', '/v1/forecast'],
    ['http://open.test/mirror//', '/mirror/v1/forecast'],
    ['http://open.test/forecast/mirror', '/forecast/mirror/v1/forecast'],
    ['http://open.test/v2/forecast', '/v2/forecast'],
  ])('of %s goes to %s', (baseUrl, path) => {
    expect(openMeteoAddress(baseUrl, undefined, [turin]).pathname).toBe(path);
  });

  it('has the key if there is one', () => {
    expect(openMeteoAddress('http://open.test', 'a key', [turin]).searchParams.get('apikey')).toBe('a key');
    expect(openMeteoAddress('http://open.test', undefined, [turin]).searchParams.has('apikey')).toBe(false);
  });
});

describe('many places', () => {
  it('are read in order from one request; the body of one may be in a list', async () => {
    const { openMeteo, requests, fetchAll } = start([bodyOf(turin), bodyOf(oslo)]);
    expect((await fetchAll(turin, oslo))?.map((each) => each?.grid)).toEqual([turin, oslo]);
    expect([requests, openMeteo.batch?.size]).toEqual([[['open-meteo', '45.1,59.9', 2]], 7]);
    expect(await start([bodyOf(turin)]).fetchAll(turin)).toMatchObject([{ grid: turin }]);
  });

  it('fail together if the answer is for fewer or more', async () => {
    for (const body of [bodyOf(turin), [bodyOf(turin)], [bodyOf(turin), bodyOf(turin), bodyOf(turin)]])
      await expect(start(body).fetchAll(turin, oslo)).rejects.toMatchObject({ isOfRequest: true });
  });
});

describe('the free host', () => {
  const free = 'https://api.open-meteo.com';

  it('gets at most 200 watched places an hour, and for clients 250 a minute, 2,400 an hour, and 4,800 a day', async () => {
    // The host's windows are of the machine's time.
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { openMeteo } = start(bodyOf(turin), free);
    const left = async () => (await openMeteo.quota?.left())?.map((limit) => [limit.seconds, limit.left]);
    expect(await left()).toEqual([
      [3_600, 200],
      [60, 250],
      [3_600, 2_400],
      [86_400, 4_800],
    ]);
    for (let count = 0; count < 250; count += 1) await openMeteo.fetch(turin);
    vi.advanceTimersByTime(20_000);
    await expect(openMeteo.fetch(turin)).rejects.toMatchObject({
      provider: 'open-meteo',
      message: expect.stringContaining('used up'),
      retryAfterSeconds: 40,
      isOfNetwork: false,
      constructor: QuotaUsedUp,
    });
    await openMeteo.fetch(turin, undefined, true);
    expect(await left()).toEqual([
      [3_600, 199],
      [60, 0],
      [3_600, 2_150],
      [86_400, 4_550],
    ]);
  });

  it('counts each place of a request, and is the only one with limits', async () => {
    const { openMeteo, fetchAll } = start([bodyOf(turin), bodyOf(oslo)], free);
    await fetchAll(turin, oslo);
    expect(await openMeteo.quota?.allowed()).toBe(198);
    expect(start({}, 'https://customer-api.open-meteo.com').openMeteo.quota).toBeUndefined();
  });
});

const expected = Object.entries(
  readFixture('expected-status.json') as Record<string, { current: string; hourly?: string[] }>,
);

it.each(expected.filter(([file, { hourly }]) => file.startsWith('open-meteo/') && hourly))(
  'the recorded response %s is read as expected',
  (file, { current, hourly }) => {
    type Recording = {
      utc_offset_seconds: number;
      current: { time: string | number };
      hourly: { time: (string | number)[] };
    };
    const recording = readFixture(file) as Recording;
    const instantOf = (time: string | number) =>
      typeof time === 'number'
        ? time * 1000
        : (parseTimestamp(`${time}:00`) ?? Number.NaN) - recording.utc_offset_seconds * 1000;
    const clock = instantOf(recording.current.time);
    const weather = readOpenMeteo(recording, clock);
    expect(weather.current).toMatchObject({ at: clock, status: current });
    const read = new Map(weather.steps.map(({ at, status }) => [at, status]));
    const ahead = recording.hourly.time.map((time, index) => [instantOf(time), hourly?.[index]] as const);
    expect(ahead.length).toBeGreaterThan(3);
    for (const [hour, status] of ahead.filter(([at]) => at > clock))
      expect([hour, read.get(hour)]).toEqual([hour, status]);
  },
);

describe('the past forecasts', () => {
  const hourMs = 3_600_000;
  function open(body: unknown, openMeteoUrl = 'http://history.test') {
    const requests: URL[] = [];
    const fetchJson = async (_provider: string, address: URL) => {
      requests.push(address);
      return body;
    };
    const config = { openMeteoUrl, openMeteoApiKey: 'secret' };
    const forecast = createHistoricalForecast({ config, fetchJson, fleet: undefined });
    return { requests, forecast: (from: number, until: number) => forecast(turin, from, until) };
  }
  const seconds = (hours: number) => now / 1000 + hours * 3_600;
  const rain = (fromHours: number, untilHours: number, mmPerHour: number, kind = 'unknown') => ({
    from: now + fromHours * hourMs,
    until: now + untilHours * hourMs,
    mmPerHour,
    kind,
  });
  const hourly = { time: [seconds(1), seconds(0)], precipitation: [2, 1] };

  it('has sums of the preceding hour, in ascending order, without those that are unknown', async () => {
    const body = { hourly: { time: [...hourly.time, seconds(2), seconds(3)], precipitation: [2, 1, null] } };
    const rates = await open(body).forecast(now - 24 * hourMs, now + 24 * hourMs);
    expect(rates).toEqual([rain(-1, 0, 1), rain(0, 1, 2)]);
  });

  it('has sums of the preceding quarter if there are any, instead of hours', async () => {
    // WMO 73: snow.
    const minutely_15 = { time: [seconds(0.25)], precipitation: [0.5], weather_code: [73] };
    const rates = await open({ hourly, minutely_15 }).forecast(now, now + hourMs);
    expect(rates).toEqual([rain(0, 0.25, 2, 'snow')]);
    const unknown = { time: [seconds(0.25)], precipitation: [null] };
    expect(await open({ hourly, minutely_15: unknown }).forecast(now - hourMs, now + hourMs)).toHaveLength(2);
  });

  it('is cut to the hours that overlap the wanted time, requested with the key', async () => {
    const { forecast, requests } = open({ hourly });
    expect(await forecast(now, now + 1)).toEqual([rain(0, 1, 2)]);
    expect(await forecast(now - 1, now)).toEqual([rain(-1, 0, 1)]);
    expect(await forecast(now - 1, now + 1)).toHaveLength(2);
    expect(await forecast(now + hourMs, now + 2 * hourMs)).toEqual([]);
    expect(requests[0]?.searchParams.get('apikey')).toBe('secret');
  });

  it('may have nothing, but must be an object with lists', async () => {
    expect(await open({}).forecast(now, now + hourMs)).toEqual([]);
    for (const body of [undefined, [], { hourly: { time: 'x' } }, { minutely_15: {} }]) {
      await expect(open(body).forecast(now, now)).rejects.toMatchObject({
        name: 'ProviderFailure',
        provider: 'Open-Meteo',
        message: expect.stringContaining('no past forecasts'),
      });
    }
  });

  it('are at most 20 requests a minute of the free host, which is the only one with limits', async () => {
    // The host's windows are of the machine's time.
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { forecast } = open({}, 'https://api.open-meteo.com');
    // A request for up to six weeks counts as three of 60.
    for (const _minute of [1, 2]) {
      for (let count = 0; count < 20; count += 1) await forecast(now, now);
      await expect(forecast(now, now)).rejects.toMatchObject({ retryAfterSeconds: 60 });
      vi.advanceTimersByTime(60_000);
    }
    const { forecast: paid } = open({}, 'https://customer-historical-forecast-api.open-meteo.com');
    for (let count = 0; count < 100; count += 1) await paid(now, now);
  });
});
