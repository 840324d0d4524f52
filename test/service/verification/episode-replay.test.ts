// Sixty simulated days at twelve places, and recorded responses of the providers: the episodes are those that an independent reading of
// the same amounts and reports finds.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type EventRules, eventRulesOf } from '#contract/service-api/rain-event.ts';
import { decideEpisode, lookAt, noEpisode } from '#service/monitors/sweep/decide-episode.ts';
import { stationsNear } from '#service/weather/metar/metar.ts';
import { readMetars } from '#service/weather/metar/read-metar.ts';
import { readOpenMeteo } from '#service/weather/providers/open-meteo/read-open-meteo.ts';
import type { CellWeather, Rainfall } from '#service/weather/reading/reading.ts';
import { createSimulation } from '#service/weather/simulation/simulation.ts';
import { weatherAt } from '#service/weather/sources/observations.ts';
import { type Timeline, timelineOf, type TimelineStep } from '#service/weather/timeline.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

const minute = 60_000;
const from = Date.parse('2026-09-01T00:00:00Z');
const until = from + 60 * 24 * 60 * minute;
const places = [
  [45.1, 7.7],
  [59.9, 10.8],
  [51.5, -0.1],
  [40.7, -74],
  [35.7, 139.7],
  [-33.9, 151.2],
  [1.3, 103.8],
  [64.1, -21.9],
  [19.4, -99.1],
  [-1.3, 36.8],
  [55.8, 37.6],
  [-34.6, -58.4],
] as const;

type Found = [kind: string, at: number];

/** What the service decides, with a look every five minutes. */
function decided(rainfall: readonly Rainfall[], rules: EventRules): Found[] {
  const found: Found[] = [];
  let state = noEpisode;
  let startGate = 0;
  for (const { from: at, mmPerHour } of rainfall) {
    for (const now of [at, at + 5 * minute, at + 10 * minute]) {
      const step: TimelineStep = {
        from: at,
        until: at + 15 * minute,
        mmPerHour,
        kind: 'rain',
        basis: 'forecast',
        source: 'simulation',
        updatedAt: now,
        place: null,
        slackMs: 0,
      };
      const timeline: Timeline = { steps: [step], ruling: undefined, isKnown: true, updatedAt: now };
      const decision = decideEpisode(state, lookAt(timeline, rules, now), { rules, startGate, newId: () => 'ep' });
      ({ state } = decision);
      if (decision.event?.kind === 'started') startGate = now + 60 * minute;
      if (decision.event) found.push([decision.event.kind, now]);
    }
  }
  return found;
}

/** The rules in other words, over the amounts as one list with a value for every five minutes. */
function read(rainfall: readonly Rainfall[], min: number, dryMinutes: number): Found[] {
  const rates = rainfall.flatMap(({ mmPerHour: rate }) => [rate, rate, rate]);
  const timeOf = (index: number) => from + index * 5 * minute;
  const found: Found[] = [];
  let lastStart = -Infinity;
  let index = 0;
  while (index < rates.length) {
    const start = rates.findIndex((rate, at) => at >= index && at >= lastStart + 12 && rate >= min);
    if (start === -1) break;
    // It may have been wet since before, while the hour lasted.
    let wetSince = start;
    while (wetSince > index && (rates[wetSince - 1] ?? 0) >= min) wetSince -= 1;
    const limit = wetSince + 24 * 12;
    let end = start;
    let dry = -1;
    while (end < limit && end < rates.length && (dry === -1 || (end - dry) * 5 < dryMinutes)) {
      end += 1;
      if ((rates[end] ?? 0) >= Math.max(0.1, min / 2)) dry = -1;
      else if (dry === -1) dry = end;
    }
    found.push(['started', timeOf(start)]);
    if (end < rates.length) found.push(['ended', timeOf(end)]);
    lastStart = start;
    index = end + 1;
  }
  return found;
}

it.each([
  [0.1, 60],
  [0.5, 60],
  [2, 15],
])('from %s mm/h with %s dry minutes', (min, dry_minutes) => {
  const rules = eventRulesOf({
    payload: 'event',
    events: ['precipitation.started', 'precipitation.ended'],
    conditions: { min_precipitation_rate: min, dry_minutes },
  });
  if (!rules) throw new Error('A monitor with a payload has rules.');
  const simulation = createSimulation({ clock: createManualClock(until) });
  let count = 0;
  for (const [lat, lng] of places) {
    const rainfall = simulation.pastRainfall({ lat, lng }, from, until, 15 * minute);
    const found = decided(rainfall, rules);
    expect(found).toEqual(read(rainfall, min, dry_minutes));
    count += found.length;
  }
  expect(count).toBeGreaterThan(300);
});

type Recorded = {
  file: string;
  /** As the service reads it, and as its text says: undefined if it says nothing of that time. */
  weatherAt: (now: number) => CellWeather;
  isWetAt: (now: number) => boolean | undefined;
  from: number;
  until: number;
};

const raw = (file: string): unknown => JSON.parse(readFileSync(`test/fixtures/${file}`, 'utf8'));
const instantOf = (time: string, offsetSeconds: number) => Date.parse(`${time.slice(0, 16)}Z`) - offsetSeconds * 1000;

/** Each row stands for the time until it is as old. */
function lastOf<Row extends { at: number }>(rows: readonly Row[], now: number, minutes: number): Row | undefined {
  return rows.findLast(({ at }) => at <= now && now - at < minutes * minute);
}

/** By the WMO code of each hour, and by the amount of the 15 minutes before the response. */
function openMeteo(name: string): Recorded {
  const file = `open-meteo/${name}.json`;
  const body = raw(file) as {
    utc_offset_seconds: number;
    current: { time: string; precipitation?: number };
    hourly: { time: string[]; weather_code: number[] };
  };
  const hours = body.hourly.time.map((time, index) => ({
    at: instantOf(time, body.utc_offset_seconds),
    code: body.hourly.weather_code[index] ?? 0,
  }));
  const now = instantOf(body.current.time, body.utc_offset_seconds);
  const weather = readOpenMeteo(body, now);
  return {
    file,
    weatherAt: () => weather,
    isWetAt(at) {
      if (at < now + 15 * minute && body.current.precipitation !== undefined) return body.current.precipitation > 0;
      const hour = lastOf(hours, at, 60);
      // Thunder without an amount may be dry.
      return hour && hour.code !== 95 ? hour.code >= 51 : undefined;
    },
    from: now,
    until: (hours.at(-1)?.at ?? 0) + 55 * minute,
  };
}

/** A report stands for 90 minutes; the provider is unreachable. */
function metar(name: string): Recorded {
  const file = `aviationweather/${name}.json`;
  const body = raw(file) as { obsTime: number; wxString?: string; lat: number; lon: number }[];
  const reports = body
    .map(({ obsTime, wxString = '' }) => ({ at: obsTime * 1000, isWet: /RA|SN|DZ|PL|GR|GS|UP/.test(wxString) }))
    .toSorted((one, other) => one.at - other.at);
  const place = { lat: body[0]?.lat ?? 0, lng: body[0]?.lon ?? 0 };
  const observations = readMetars(body) ?? [];
  const start = reports[0]?.at ?? 0;
  const none: CellWeather = {
    source: 'simulation',
    grid: place,
    fetchedAt: start,
    isFallback: true,
    steps: [],
    rainfall: [],
  };
  return {
    file,
    weatherAt: (now) => weatherAt({ ...none, stations: stationsNear(observations, place, now, 10) }, place, now),
    isWetAt: (now) => lastOf(reports, now, 90.1)?.isWet,
    from: start,
    until: (reports.at(-1)?.at ?? 0) + 240 * minute,
  };
}

it.each([
  { recorded: openMeteo('thunder-night-equatorial-sea'), kinds: ['started'] },
  { recorded: openMeteo('clear-night-then-overcast-alps'), kinds: [] },
  { recorded: metar('metar-rain-sequence-kmss'), kinds: ['started', 'ended'] },
])('$recorded.file', ({ recorded: { weatherAt, isWetAt, from: start, until: end }, kinds }) => {
  const events = ['precipitation.started', 'precipitation.ended'] as const;
  const rules = eventRulesOf({ payload: 'event', events: [...events] });
  if (!rules) throw new Error('A monitor with a payload has rules.');
  const found: Found[] = [];
  const read: Found[] = [];
  let state = noEpisode;
  let wetSince: number | undefined;
  let [known, dry] = [start, 0];
  for (let now = start; now <= end; now += 5 * minute) {
    const timeline = timelineOf({ weather: weatherAt(now), here: [] }, now);
    const decision = decideEpisode(state, lookAt(timeline, rules, now), { rules, startGate: 0, newId: () => 'ep' });
    ({ state } = decision);
    if (decision.event) found.push([decision.event.kind, now]);

    const isWet = isWetAt(now);
    if (isWet !== undefined) [known, dry] = [now, isWet ? 0 : dry + 1];
    const isOver = dry * 5 > 60 || now - known > 120 * minute;
    if (isWet && wetSince === undefined) read.push(['started', (wetSince = now)]);
    else if (wetSince !== undefined && isOver) {
      read.push(['ended', now]);
      wetSince = undefined;
    }
  }
  expect(found).toEqual(read);
  expect(found.map(([kind]) => kind)).toEqual(kinds);
});
