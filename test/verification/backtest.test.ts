// GET /v2/backtest/ over real HTTP: from the archive, from historical forecasts, from the simulation, and without enough data.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { backtestSchema, describeBacktest } from '#contract/service-api/backtest.ts';
import { estimateCount } from '#service/verification/contingency.ts';
import { createSimulatedSky } from '#service/weather/simulation/simulated-weather.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { serveWeatherOf, startWeatherService, temporaryFolder } from '#test/weather/weather-harness.ts';
import { countTable, drawSlots, known, writeLines } from './known-weather.ts';

const hour = 3_600_000;
const day = 24 * hour;
const end = known.from + known.days * day;
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

/** The drawn month as the service records it. */
async function recordMonth(): Promise<string> {
  const folder = await temporaryFolder();
  const [place] = known.places;
  const lines = writeLines(drawSlots()).trim().split('\n').slice(1);
  const own = lines.filter((line) => line.includes(`"${place?.cell}"`) || line.includes(`"${place?.station}"`));
  const byDay = Map.groupBy(own, (line) =>
    new Date(Number(/"at":(\d+)/.exec(line)?.[1]) * 1000).toISOString().slice(0, 10),
  );
  for (const [name, part] of byDay) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, '45,7.ndjson'), part.join('\n'));
  }
  return folder;
}

/** Past forecasts of 30 days by quarters, with rain in those that end at these instants. */
function serveHistory(wet: readonly number[], days = known.days) {
  const requests: URL[] = [];
  const url = serveWeatherOf((request, response) => {
    requests.push(new URL(request.url ?? '', 'http://history'));
    const times = Array.from({ length: days * 96 }, (_, index) => end - days * day + (index + 1) * 900_000);
    const precipitation = times.map((at) => (wet.includes(at) ? 0.5 : 0));
    response.end(JSON.stringify({ minutely_15: { time: times.map((at) => at / 1000), precipitation } }));
  });
  return url.then((openMeteoHistoryUrl) => ({ openMeteoHistoryUrl, requests }));
}

describe('a count', () => {
  // F. Garwood, Biometrika 28 (1936), as in every table of exact Poisson limits.
  it.each([
    [0, 0, 3.689],
    [1, 0.0253, 5.572],
    [7, 2.814, 14.423],
    [10, 4.795, 18.39],
    [100, 81.36, 121.63],
  ])('of %i has the interval that Garwood published', (count, low, high) => {
    expect(estimateCount(count).low).toBeCloseTo(low, 2);
    expect(estimateCount(count).high).toBeCloseTo(high, 2);
  });
});

describe('the detail of a backtest', () => {
  it.each([
    [1, 'Ranges are 95% confidence intervals, except for the lead time, which is based on 1 event.'],
    [5, 'Ranges are 95% confidence intervals, except for the lead time, whose range covers all 5 events.'],
    [6, 'Ranges are 95% confidence intervals.'],
  ])('with %i lead times ends in "%s"', (count, ranges) => {
    const lead_minutes = { value: 12, low: 8, high: 20, count };
    const facts = {
      source: 'archive',
      provider: null,
      policy: 'standard/1',
      days: 30,
      events: count,
      missed: 0,
    } as const;
    const unknown = { expected: null, pod: null, far: null, csi: null, station: null, reason: null };
    const outcomes = { confirmed: count, not_confirmed: 0, no_evidence: 0 };
    const { detail } = describeBacktest({ ...facts, ...unknown, ...outcomes, lead_minutes });
    expect(detail).toBe(`Median lead time: 12 min (8 to 20 min). ${ranges}`);
  });
});

describe('GET /v2/backtest/', () => {
  it('replays what was recorded of the place', async () => {
    const { openMeteoHistoryUrl, requests } = await serveHistory([]);
    const recordFolder = await recordMonth();
    const service = await startWeatherService({ recordFolder, openMeteoHistoryUrl }, createManualClock(end));
    const { leads: _, ...table } = countTable(
      drawSlots().filter(({ place }) => place === 0),
      0.1,
    );
    const events = table.hits + table.falseAlarms;
    const found = await backtest(service);
    expect(found).toMatchObject({
      source: 'archive',
      policy: 'standard/1',
      days: 30,
      events,
      confirmed: table.hits,
      not_confirmed: table.falseAlarms,
      no_evidence: 0,
      missed: table.misses,
      pod: { count: table.hits + table.misses },
      station: { name: 'LIMF', distance_km: 12 },
      sentence: `A monitor here would have fired ${events} times in the last 30 days. ${table.hits} of ${events} events with observations were followed by precipitation at LIMF, 12 km away.`,
    });
    expect(found.detail).toMatch(
      /Followed by precipitation: \d+% \(\d+% to \d+%\)\. Median lead time: \d+ min \(\d+ to \d+ min\)\./,
    );
    expect(requests).toEqual([]);
  });

  it('names historical forecasts as weaker, asks for them once, and with no more than the cell', async () => {
    const rainyQuarters = [end - 20 * day, end - 10 * day, end - 5 * day];
    const { openMeteoHistoryUrl, requests } = await serveHistory(rainyQuarters);
    const service = await startWeatherService({ openMeteoHistoryUrl }, createManualClock(end));
    const [found, again] = await Promise.all([backtest(service), backtest(service)]);
    expect(found).toEqual(again);
    expect(found).toMatchObject({
      source: 'historical_forecast',
      provider: 'Open-Meteo',
      events: 3,
      expected: { value: 3 },
      confirmed: 0,
      no_evidence: 3,
      pod: null,
      station: null,
      sentence:
        "According to Open-Meteo's historical forecasts, which are less reliable, a monitor here would have fired 3 times in the last 30 days. No nearby airport reported whether precipitation followed.",
    });
    await backtest(service, '?location_lat=45.12&location_lng=7.66');
    expect(requests.map((url) => `${url.pathname}${url.search}`)).toEqual([
      '/v1/forecast?latitude=45.1&longitude=7.7&start_date=2026-09-01&end_date=2026-10-01&hourly=precipitation&minutely_15=precipitation&timezone=GMT&timeformat=unixtime',
    ]);
  });

  it('of the simulation confirms most events', async () => {
    const service = await startWeatherService({ provider: 'simulation' }, createManualClock(end));
    const found = await backtest(service);
    const sky = createSimulatedSky('rainbell');
    const quarters = Array.from({ length: 30 * 96 }, (_, index) => end - 30 * day + index * 900_000);
    const wet = quarters.filter((at) => sky({ lat: 45.1, lng: 7.7 }, at).mmPerHour > 0.1);
    const spells = wet.filter((at, index) => at - (wet[index - 1] ?? -Infinity) > hour);
    expect(spells.length).toBeGreaterThan(2);
    expect(found.events).toBeGreaterThanOrEqual(spells.length);
    expect(found.events).toBeLessThanOrEqual(wet.length);
    expect(found).toMatchObject({ source: 'simulation', missed: 0, no_evidence: 0, station: null });
    expect(found.confirmed).toBeGreaterThan(0.9 * found.events);
    expect(found.sentence).toMatch(
      /^In the simulation, a monitor here would have fired \d+ times in the last 30 days\. \d+ of \d+ events were followed by precipitation\.$/,
    );
  });

  it('says that there is not enough data, and why, without waiting long for a silent source', async () => {
    const few = await serveHistory([], 5);
    const failing = await serveWeatherOf((_request, response) => response.writeHead(500).end('{"reason":"Oh no"}'));
    const silent = await serveWeatherOf(() => {});
    const outcomes = await Promise.all(
      [few.openMeteoHistoryUrl, failing, silent].map(async (openMeteoHistoryUrl) => {
        const settings = { openMeteoHistoryUrl, recordFolder: '/nowhere', clockStart: new Date(end).toISOString() };
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
      'neither the archive nor Open-Meteo has 7 days of data for this location.',
      "Open-Meteo's historical forecasts are not available, because it returned 500: Oh no.",
      "Open-Meteo's historical forecasts did not arrive in time.",
    ]);
  });

  it('needs a token and a place, and refuses more than 30 a minute', async () => {
    const service = await startWeatherService({ provider: 'simulation' }, createManualClock(end));
    expect((await sendRequest(service, turin, {})).status).toBe(401);
    expect((await sendRequest(service, '?location_lat=95&location_lng=7')).status).toBe(400);
    const statuses = [];
    for (let each = 0; each < 31; each += 1) statuses.push((await sendRequest(service)).status);
    expect(statuses).toEqual([...Array(30).fill(200), 429]);
    expect((await sendRequest(service)).headers.get('retry-after')).toBe('60');
  });
});
