// Which source of a cell decides whether it rains there, by a policy's order (docs/verification.md), to the edges of each rule.
import { describe, expect, it } from 'vitest';
import { standardPolicy, type SweepPolicy } from '#service/watch/policy.ts';
import type { NearObservation } from '#service/weather/metar/choose-observation.ts';
import type { CellWeather } from '#service/weather/reading/reading.ts';
import { combineSources } from '#service/weather/sources/combine-sources.ts';

const now = Date.parse('2026-11-21T06:00:00Z');
const minute = 60_000;
const hour = 60 * minute;
const place = { lat: 60, lng: 10 };

const during = (mmPerHour: number, from: number, until: number) => [
  { from: now + from, until: now + until, mmPerHour },
];
const forecast: CellWeather = {
  source: 'open-meteo',
  grid: place,
  fetchedAt: now,
  current: { at: now, status: 'rainy' },
  isPrecipitating: false,
  steps: [],
  rainfall: during(2, 0, hour),
};
const radar = (until: number) => ({
  rainfall: during(3, until - hour, until),
  updatedAt: now - minute,
  current: undefined,
});
const airport: NearObservation = {
  station: 'ENGM',
  place,
  at: now - 10 * minute,
  status: 'rainy',
  isPrecipitating: true,
  distanceKm: 10,
};

function decision(sources: SweepPolicy['sources'], known: { radarUntil?: number; airport?: NearObservation } = {}) {
  const { isPrecipitating, rainfall, wetBy, rainfallBy } = combineSources(
    {
      forecast,
      nowcast: known.radarUntil === undefined ? undefined : radar(known.radarUntil),
      observation: known.airport,
    },
    { ...standardPolicy, radiusKm: 10, sources },
    now,
  );
  return { isPrecipitating, rainfall, wetBy, rainfallBy };
}

const byForecast = { isPrecipitating: false, rainfall: forecast.rainfall };
const byRadar = { rainfall: during(3, 1 - hour, 1), rainfallBy: { source: 'met-norway-nowcast', at: now - minute } };
const byAirport = {
  isPrecipitating: true,
  rainfall: forecast.rainfall,
  wetBy: { source: 'metar:ENGM', at: airport.at, isObserved: true },
};

describe('an airport that comes first', () => {
  it('decides if it sees precipitation within the radius', () => {
    expect(decision(['observation', 'forecast'], { airport })).toEqual(byAirport);
  });

  it('leaves the decision to the next source beyond the radius, or if it is dry', () => {
    const beyond = { ...airport, distanceKm: 10.1 };
    expect(decision(['observation', 'forecast'], { airport: beyond })).toEqual(byForecast);
    const dry = { ...airport, isPrecipitating: false };
    expect(decision(['observation', 'forecast'], { airport: dry })).toEqual(byForecast);
  });
});

describe('radar that comes first', () => {
  it('decides while one of its steps has not ended, and its amounts replace the forecast’s', () => {
    expect(decision(['radar', 'forecast'], { radarUntil: 1 })).toEqual(byRadar);
  });

  it('leaves the decision to the next source once all of its steps have ended, or without coverage', () => {
    expect(decision(['radar', 'forecast'], { radarUntil: 0 })).toEqual(byForecast);
    expect(decision(['radar', 'forecast'])).toEqual(byForecast);
  });

  it('decides before an airport that comes second', () => {
    expect(decision(['radar', 'observation'], { radarUntil: 1, airport })).toEqual(byRadar);
  });
});

describe('a forecast that comes first', () => {
  it('decides whatever radar and airport report, with the provider’s own flag if it has one', () => {
    expect(decision(['forecast', 'radar', 'observation'], { radarUntil: 1, airport })).toEqual(byForecast);
    const { isPrecipitating: _, ...unflagged } = forecast;
    const policy: SweepPolicy = { ...standardPolicy, sources: ['forecast'] };
    const combined = combineSources({ forecast: unflagged, nowcast: undefined, observation: airport }, policy, now);
    expect('isPrecipitating' in combined).toBe(false);
  });
});

describe('without data from any source that may decide', () => {
  it('there is no precipitation for an hour, although the status is rainy', () => {
    expect(decision(['observation'], { radarUntil: 1 })).toEqual({ rainfall: during(0, 0, hour) });
    expect(decision(['radar'], { airport })).toEqual({ rainfall: during(0, 0, hour) });
  });
});
