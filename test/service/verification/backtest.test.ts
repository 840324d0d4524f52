// GET /v2/backtest/ over real HTTP: from historical forecasts, from the simulation, and without enough data.
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { backtestSchema } from '#contract/service-api/backtest.ts';
import { eventRulesOf } from '#contract/service-api/rain-event.ts';
import { createBacktests } from '#service/verification/backtest.ts';
import { createSimulatedSky } from '#service/weather/simulation/simulated-weather.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { serveWeatherOf, startWeatherService } from '#test/service/weather/weather-harness.ts';

const hour = 3_600_000;
const day = 24 * hour;
const end = Date.parse('2026-10-01T00:00:00Z');
const turin = '?location_lat=45.07&location_lng=7.69';

type Service = Awaited<ReturnType<typeof startWeatherService>>;

const sendRequest = (
  { baseUrl, authorization }: Service,
  query = turin,
  headers: Record<string, string> = authorization,
) => fetch(`${baseUrl}/v2/backtest/${query}`, { headers });

async function backtest(service: Service, query?: string) {
  const response = await sendRequest(service, query);
  expect(response.status).toBe(200);
  return backtestSchema.parse(await response.json());
}

/** Past forecasts of 30 days by quarters, with rain in those that end at these instants. */
function serveHistory(wet: readonly number[], days = 30, code?: number) {
  const requests: URL[] = [];
  const url = serveWeatherOf((request, response) => {
    requests.push(new URL(request.url ?? '', 'http://history'));
    const times = Array.from({ length: days * 96 }, (_, index) => end - days * day + (index + 1) * 900_000);
    const precipitation = times.map((at) => (wet.includes(at) ? 0.5 : 0));
    const weather_code = code === undefined ? undefined : times.map(() => code);
    response.end(JSON.stringify({ minutely_15: { time: times.map((at) => at / 1000), precipitation, weather_code } }));
  });
  return url.then((openMeteoUrl) => ({ openMeteoUrl, requests }));
}

it('fires at most once an hour', async () => {
  /** Rates in mm/h by the hours of the span, from the first to before the second; 0 otherwise. */
  const rain = [
    // One spell of snow: one event 12.5 minutes before it, at the first of the checks every 5 minutes that can see it.
    { from: 3 * 24, until: 3 * 24 + 0.5, mmPerHour: 0.5, kind: 'snow' as const },
    // Too little for an event.
    { from: 5 * 24, until: 5 * 24 + 0.25, mmPerHour: 0.05 },
    // Events 12.5 minutes before each of four hours; the rain ends 12.5 minutes after the last.
    { from: 7 * 24, until: 7 * 24 + 3, mmPerHour: 0.5 },
  ];
  const clock = createManualClock(end);
  const backtests = createBacktests({
    clock,
    machineClock: clock,
    choice: () => 'simulation',
    historical: () => Promise.reject(new Error('not used')),
    simulation: {
      pastRainfall: (_place, from, until, stepMs) =>
        Array.from({ length: (until - from) / stepMs }, (_, index) => {
          const hours = (index * stepMs) / hour;
          const found = rain.find((one) => hours >= one.from && hours < one.until);
          const start = from + index * stepMs;
          return { from: start, until: start + stepMs, mmPerHour: found?.mmPerHour ?? 0, kind: found?.kind ?? 'rain' };
        }),
    },
  });
  expect(await backtests.at({ lat: 45.07, lng: 7.69 })).toMatchObject({
    days: 30,
    events: 5,
  });
  // The conditions of a monitor: a start for each rain, none for the weak one.
  const conditions = { min_precipitation_rate: 0.5, dry_minutes: 60 };
  const found = await backtests.at({ lat: 45.07, lng: 7.69 }, eventRulesOf({ payload: 'event', conditions }));
  expect(found).toMatchObject({ events: 2 });
  const snow = { ...conditions, precipitation_types: ['snow' as const] };
  const ofSnow = await backtests.at({ lat: 45.07, lng: 7.69 }, eventRulesOf({ payload: 'event', conditions: snow }));
  expect(ofSnow).toMatchObject({ events: 1 });
});

describe('GET /v2/backtest/', () => {
  it('names historical forecasts as weaker, and asks for them with no more than the cell', async () => {
    const rainyQuarters = [end - 20 * day, end - 10 * day, end - 5 * day];
    const { openMeteoUrl, requests } = await serveHistory(rainyQuarters);
    const service = await startWeatherService({ openMeteoUrl }, createManualClock(end));
    expect(await backtest(service, '?location_lat=45.12&location_lng=7.66')).toMatchObject({
      source: 'historical_forecast',
      provider: 'Open-Meteo',
      events: 3,
      sentence:
        "According to Open-Meteo's historical forecasts, which are less reliable, a monitor here would have fired 3 times in the last 30 days.",
    });
    expect(requests.map((url) => `${url.pathname}${url.search}`)).toEqual([
      '/v1/forecast?latitude=45.1&longitude=7.7&start_date=2026-09-01&end_date=2026-10-01&hourly=precipitation%2Cweather_code&minutely_15=precipitation%2Cweather_code&timezone=GMT&timeformat=unixtime',
    ]);
  });

  it('of the simulation has an event for each spell of rain, and at most one for each quarter of it', async () => {
    const service = await startWeatherService({ provider: 'simulation' }, createManualClock(end));
    const found = await backtest(service);
    const sky = createSimulatedSky('rainbell');
    const quarters = Array.from({ length: 30 * 96 }, (_, index) => end - 30 * day + index * 900_000);
    const wet = quarters.filter((at) => sky({ lat: 45.1, lng: 7.7 }, at).mmPerHour > 0.1);
    const spells = wet.filter((at, index) => at - (wet[index - 1] ?? -Infinity) > hour);
    expect(spells.length).toBeGreaterThan(2);
    expect(found.events).toBeGreaterThanOrEqual(spells.length);
    expect(found.events).toBeLessThanOrEqual(wet.length);
    expect(found.source).toBe('simulation');
    expect(found.sentence).toMatch(
      /^In the simulation, a monitor here would have fired \d+ times in the last 30 days\.$/,
    );
  });

  it('says that there is not enough data, and why, without waiting long for a silent source', async () => {
    const few = await serveHistory([], 5);
    const failing = await serveWeatherOf((_request, response) => response.writeHead(500).end('{"reason":"Oh no"}'));
    const silent = await serveWeatherOf(() => {});
    const outcomes = await Promise.all(
      [few.openMeteoUrl, failing, silent].map(async (openMeteoUrl) => {
        const settings = { openMeteoUrl, clockStart: new Date(end).toISOString() };
        const service = await startWeatherService(settings, systemClock);
        const startedAt = performance.now();
        const { source, events, sentence } = await backtest(service);
        // 1.7 s at most on an idle machine; other requests wait for 10 s.
        expect(performance.now() - startedAt).toBeLessThan(8_000);
        expect({ source, events }).toEqual({ source: null, events: 0 });
        return sentence.replace('Not enough data to say how often a monitor here would have fired: ', '');
      }),
    );
    expect(outcomes).toEqual([
      'Open-Meteo does not have 7 days of data for this location.',
      "Open-Meteo's historical forecasts are not available, because it returned 500: Oh no.",
      "Open-Meteo's historical forecasts did not arrive in time.",
    ]);
  });

  it('counts the requested kinds of precipitation if the forecasts have them', async () => {
    const { openMeteoUrl } = await serveHistory([end - 10 * day], 30, 73);
    const service = await startWeatherService({ openMeteoUrl }, createManualClock(end));
    expect(await backtest(service, `${turin}&precipitation_types=rain&precipitation_types=snow`)).toMatchObject({
      events: 1,
    });
    expect(await backtest(service, `${turin}&precipitation_types=rain`)).toMatchObject({ events: 0, days: 30 });
    const unknown = await serveHistory([end - 10 * day]);
    const other = await startWeatherService({ openMeteoUrl: unknown.openMeteoUrl }, createManualClock(end));
    expect(await backtest(other, `${turin}&precipitation_types=rain`)).toMatchObject({
      source: null,
      reason: "Open-Meteo's historical forecasts do not say what fell",
    });
  });

  it('needs a token and a place, and refuses more than 30 a minute', async () => {
    // Windows are of the machine's time.
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const service = await startWeatherService({ provider: 'simulation' }, createManualClock(end));
    expect((await sendRequest(service, turin, {})).status).toBe(401);
    expect((await sendRequest(service, '?location_lat=95&location_lng=7')).status).toBe(400);
    const refused = await sendRequest(service, `${turin}&min_precipitation_rate=0.01`);
    expect(await refused.json()).toMatchObject({
      error_description: 'min_precipitation_rate must be a number from 0.1 to 50 (mm/h).',
    });
    const statuses = [];
    for (let each = 0; each < 31; each += 1) statuses.push((await sendRequest(service)).status);
    expect(statuses).toEqual([...Array(30).fill(200), 429]);
    expect((await sendRequest(service)).headers.get('retry-after')).toBe('60');
  });
});
