// Two weeks of weather that the test makes up: the service watches it over HTTP, and must find the POD, the FAR, and the lead
// time that were put in. The expected table is counted here, from what was drawn.
import alea from 'alea';
import { expect, it } from 'vitest';
import { type Clock, systemClock } from '#shared/time/clock.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { serveWeatherOf, startWeatherService } from '#test/service/weather/weather-harness.ts';

const start = Date.parse('2026-11-01T00:00:00Z');
const minuteMs = 60_000;
const days = 14;
const stepsMinutes = [0, 10, 20, 30, 40];
/** 0.12° of latitude are 13.3 km: too far to create events, near enough to verify them. */
const stationNorth = 0.12;
const places = [0, 1, 2, 3, 4, 5, 6, 7].map((index) => ({ lat: 40 + index * 1.5, lng: 10 + index * 5 }));

const put = { rain: 0.3, pod: 0.8, alarmWhenDry: 0.1, leads: [10, 20, 30, 40] };

/** A busy machine must not make the service give up on a forecast. */
const patientClock: Clock = { ...systemClock, after: (ms, run) => systemClock.after(20 * ms, run) };

type Episode = { hasEvent: boolean; rainsAfter: number | undefined };

it('has the POD, the FAR, and the lead time that were put in', async () => {
  const random = alea('a month');
  const draw = (): Episode => {
    const isRain = random() < put.rain;
    const hasEvent = random() < (isRain ? put.pod : put.alarmWhenDry);
    const lead = put.leads[Math.floor(random() * put.leads.length)];
    return { hasEvent, rainsAfter: isRain ? (hasEvent ? lead : 20) : undefined };
  };
  const halfDays = Array.from({ length: days * 2 }, () => places.map(draw));
  let current: { episodes: readonly Episode[]; minutes: number } = { episodes: [], minutes: 0 };
  let now = () => start;

  const seconds = (instant: number) => Math.floor(instant / 1000);
  const forecastFor = (index: number) => {
    const isWet = current.episodes[index]?.hasEvent === true && current.minutes < 10;
    const quarters = [15, 30].map((minutes) => seconds(now()) + minutes * 60);
    return {
      latitude: places[index]?.lat,
      longitude: places[index]?.lng,
      hourly: { time: [seconds(now())], weather_code: [3] },
      minutely_15_units: { precipitation: 'mm' },
      minutely_15: { time: quarters, precipitation: [isWet ? 0.5 : 0, 0] },
    };
  };
  const openMeteoUrl = await serveWeatherOf((request, response) => {
    const latitudes = new URL(request.url ?? '', 'http://here').searchParams.get('latitude')?.split(',') ?? [];
    const bodies = latitudes.map((lat) => forecastFor(places.findIndex((place) => place.lat === Number(lat))));
    response.end(JSON.stringify(bodies.length === 1 ? bodies[0] : bodies));
  });
  const metarUrl = await serveWeatherOf((request, response) => {
    const bbox = new URL(request.url ?? '', 'http://here').searchParams.get('bbox')?.split(',').map(Number) ?? [];
    const index = places.findIndex(({ lat }) => Math.abs(lat - 1 - (bbox[0] ?? 0)) < 0.01);
    const place = places[index];
    const isWet = current.episodes[index]?.rainsAfter === current.minutes;
    const station = { icaoId: `TST${index}`, lat: (place?.lat ?? 0) + stationNorth, lon: place?.lng, cover: 'OVC' };
    response.end(JSON.stringify([{ ...station, obsTime: seconds(now()), ...(isWet ? { wxString: '-RA BR' } : {}) }]));
  });
  const endpoint = await startCallbackEndpoint();
  const service = await startWeatherService(
    {
      openMeteoUrl,
      metarUrl,
      provider: 'open-meteo',
      clockStart: new Date(start).toISOString(),
      accessTokenSeconds: 31_536_000,
    },
    patientClock,
  );
  const behindMs = systemClock.now() - start;
  let aheadMs = 0;
  now = () => systemClock.now() - behindMs + aheadMs;
  const moveTo = async (instant: number) => {
    const moveMs = Math.round((instant - now()) / 1000) * 1000;
    aheadMs += moveMs;
    await service.sandbox('POST', 'clock', { kind: 'advance', seconds: moveMs / 1000 });
  };

  const headers = { ...service.authorization, 'content-type': 'application/json' };
  const ids = await Promise.all(
    places.map(async (geo) => {
      const body = JSON.stringify({ monitor_type: 'precipitation', callback_uri: endpoint.url, geo });
      const answer = await fetch(`${service.baseUrl}/v2/monitors/`, { method: 'POST', headers, body });
      return ((await answer.json()) as { id: string }).id;
    }),
  );
  const verifications = async () => {
    const lists = await Promise.all(
      ids.map(async (id) => {
        const [events, explanation] = await Promise.all(
          [`events/?monitor=${id}`, `monitors/${id}/explanation/`].map(async (path) =>
            (await fetch(`${service.baseUrl}/v2/${path}`, { headers })).json(),
          ),
        );
        return {
          ...(events as {
            objects: { outcome: { verdict: string; lead_time_seconds: number | null; evidence: object } | null }[];
          }),
          ...(explanation as { verification: Record<string, number> }),
        };
      }),
    );
    const sum = (name: string) => lists.reduce((total, { verification }) => total + (verification[name] ?? NaN), 0);
    const counts = {
      hits: sum('confirmed'),
      falseAlarms: sum('not_confirmed'),
      without: sum('no_evidence'),
      misses: sum('missed'),
    };
    return { counts, outcomes: lists.flatMap(({ objects }) => objects.map(({ outcome }) => outcome)) };
  };
  const verified = async () => {
    const { hits, falseAlarms, without } = (await verifications()).counts;
    return hits + falseAlarms + without;
  };
  let sent = 0;
  for (const [index, episodes] of halfDays.entries()) {
    const noon = start + (index + 1) * 12 * 60 * minuteMs;
    for (const minutes of stepsMinutes) {
      current = { episodes, minutes };
      await moveTo(noon + minutes * minuteMs);
      if (minutes > 0) continue;
      // In reality, no event is stored after its window and no evidence is a day old when it is read, as on a busy machine
      // whose clock runs ahead.
      const before = sent;
      await expect.poll(verified, { timeout: 60_000, interval: 20 }).toBe(before);
      sent += episodes.filter(({ hasEvent }) => hasEvent).length;
      await endpoint.waitFor(sent);
    }
  }
  current = { episodes: [], minutes: 0 };
  await moveTo(now() + 120 * minuteMs);

  const drawn = halfDays.flat();
  const hits = drawn.filter(({ hasEvent, rainsAfter }) => hasEvent && rainsAfter !== undefined);
  const falseAlarms = drawn.filter(({ hasEvent, rainsAfter }) => hasEvent && rainsAfter === undefined);
  const misses = drawn.filter(({ hasEvent, rainsAfter }) => !hasEvent && rainsAfter !== undefined);

  const expected = { hits: hits.length, falseAlarms: falseAlarms.length, without: 0, misses: misses.length };
  const later = async () => {
    // Events are verified as the service's time passes; the last of them may have been stored after the last look.
    await moveTo(now() + 10 * minuteMs);
    return (await verifications()).counts;
  };
  await expect.poll(later, { timeout: 60_000, interval: 500 }).toEqual(expected);

  // Within three standard deviations of what was put in.
  const found = expected;
  const pod = found.hits / (found.hits + found.misses);
  const far = found.falseAlarms / (found.hits + found.falseAlarms);
  const [alarms, detected] = [(1 - put.rain) * put.alarmWhenDry, put.rain * put.pod];
  const putFar = alarms / (alarms + detected);
  const spread = (share: number, count: number) => 3 * Math.sqrt((share * (1 - share)) / count);
  expect(Math.abs(pod - put.pod)).toBeLessThan(spread(put.pod, found.hits + found.misses));
  expect(Math.abs(far - putFar)).toBeLessThan(spread(putFar, found.hits + found.falseAlarms));
  const { outcomes } = await verifications();
  const leads = outcomes.flatMap((outcome) => outcome?.lead_time_seconds ?? []).toSorted((one, other) => one - other);
  const putLeads = hits.map(({ rainsAfter }) => (rainsAfter ?? 0) * 60).toSorted((one, other) => one - other);
  expect(leads).toHaveLength(putLeads.length);
  for (const [index, lead] of leads.entries()) expect(Math.abs(lead - (putLeads[index] ?? 0))).toBeLessThan(30);
  expect(outcomes.find((outcome) => outcome?.verdict === 'confirmed')?.evidence).toMatchObject({
    kind: 'station',
    distance_km: 13.3,
    text: '-RA BR',
  });
});
