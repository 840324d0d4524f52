// Open-Meteo's past forecasts: their hours and quarters, and the limits of the free host. Backtests show the request.
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createHistoricalForecast } from '#service/weather/providers/open-meteo/historical-forecast.ts';

const hourMs = 3_600_000;
const six = Date.parse('2026-11-21T06:00:00Z');
const cell = { lat: 45.1, lng: 7.7 };
const freeUrl = 'https://historical-forecast-api.open-meteo.com';

function open(body: unknown, { baseUrl = 'http://history.test', apiKey }: { baseUrl?: string; apiKey?: string } = {}) {
  const requests: URL[] = [];
  const fetchJson = async (_provider: string, address: URL) => {
    requests.push(address);
    return body;
  };
  return { requests, forecast: createHistoricalForecast({ baseUrl, apiKey, fetchJson }) };
}

it('the request has the key if there is one', async () => {
  const { requests, forecast } = open({}, { apiKey: 'secret' });
  await forecast(cell, six, six);
  expect(requests[0]?.searchParams.get('apikey')).toBe('secret');
});

describe('the answer', () => {
  const seconds = (hours: number) => six / 1000 + hours * 3_600;
  const rain = (fromHours: number, untilHours: number, mmPerHour: number, kind = 'unknown') => ({
    from: six + fromHours * hourMs,
    until: six + untilHours * hourMs,
    mmPerHour,
    kind,
  });
  const hourly = { time: [seconds(1), seconds(0)], precipitation: [2, 1] };

  it('has sums of the preceding hour, in ascending order, without those that are unknown', async () => {
    const body = { hourly: { time: [...hourly.time, seconds(2), seconds(3)], precipitation: [2, 1, null] } };
    const rates = await open(body).forecast(cell, six - 24 * hourMs, six + 24 * hourMs);
    expect(rates).toEqual([rain(-1, 0, 1), rain(0, 1, 2)]);
  });

  it('has sums of the preceding quarter if there are any, instead of hours', async () => {
    // WMO 73: snow.
    const minutely_15 = { time: [seconds(0.25)], precipitation: [0.5], weather_code: [73] };
    const rates = await open({ hourly, minutely_15 }).forecast(cell, six, six + hourMs);
    expect(rates).toEqual([rain(0, 0.25, 2, 'snow')]);
    const unknown = { time: [seconds(0.25)], precipitation: [null] };
    expect(await open({ hourly, minutely_15: unknown }).forecast(cell, six - hourMs, six + hourMs)).toHaveLength(2);
  });

  it('is cut to the hours that overlap the wanted time', async () => {
    const { forecast } = open({ hourly });
    expect(await forecast(cell, six, six + 1)).toEqual([rain(0, 1, 2)]);
    expect(await forecast(cell, six - 1, six)).toEqual([rain(-1, 0, 1)]);
    expect(await forecast(cell, six - 1, six + 1)).toHaveLength(2);
    expect(await forecast(cell, six + hourMs, six + 2 * hourMs)).toEqual([]);
  });

  it('may have nothing, but must be an object with lists', async () => {
    expect(await open({}).forecast(cell, six, six + hourMs)).toEqual([]);
    for (const body of [undefined, [], { hourly: { time: 'x' } }, { minutely_15: {} }]) {
      await expect(open(body).forecast(cell, six, six)).rejects.toMatchObject({
        name: 'ProviderFailure',
        provider: 'Open-Meteo',
        message: expect.stringContaining('no past forecasts'),
      });
    }
  });
});

describe('the free host', () => {
  // A request for up to six weeks counts as three of 60.
  async function countUntilRefused(forecast: ReturnType<typeof open>['forecast'], limit: number) {
    for (let count = 0; count < limit; count += 1) {
      try {
        await forecast(cell, six, six);
      } catch (error) {
        return [count, (error as { retryAfterSeconds?: number }).retryAfterSeconds];
      }
    }
    return [limit, undefined];
  }

  it('gets at most 20 requests a minute, and is the only one with limits', async () => {
    // The host's windows are of the machine's time.
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { forecast } = open({}, { baseUrl: freeUrl });
    expect(await countUntilRefused(forecast, 30)).toEqual([20, 60]);
    vi.advanceTimersByTime(60_000);
    expect(await countUntilRefused(forecast, 30)).toEqual([20, 60]);
    const { forecast: paid } = open({}, { baseUrl: 'https://customer-historical-forecast-api.open-meteo.com' });
    expect(await countUntilRefused(paid, 100)).toEqual([100, undefined]);
  });
});
