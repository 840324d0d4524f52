// What an airport's observation does to a cell's weather: it is shown first, fills in without inventing, and its rain fires events.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { withObservation } from '#service/weather/sources/observations.ts';
import { isPrecipitatingNear } from '#service/monitors/sweep/precipitation.ts';
import type { CellWeather } from '#service/weather/reading/reading.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { serveWeatherOf, startWeatherService } from './weather-harness.ts';

const alone = { neighbours: [], here: [], near: [] };

const now = Date.parse('2026-11-21T06:00:00Z');
const minute = 60_000;
const place = { lat: 45.1, lng: 7.7 };

const forecast: CellWeather = {
  source: 'open-meteo',
  grid: place,
  fetchedAt: now,
  current: {
    at: now - 10 * minute,
    status: 'sunny',
    measured: { temperature: 280, humidity: 70, pressure: 1_010, rainfall: 0 },
  },
  steps: [{ at: now + 60 * minute, status: 'cloudy' }],
  rainfall: [{ from: now, until: now + 15 * minute, mmPerHour: 0 }],
};

const rain = {
  station: 'LIMF',
  place,
  at: now - 20 * minute,
  status: 'rainy' as const,
  isPrecipitating: true,
  measured: { temperature: 278.15 },
  distanceKm: 4,
};

const options = { now, triggerRadiusKm: 10 };

describe('an observation near by', () => {
  it('counts as rain within the trigger radius, and not beyond', () => {
    const rings = (distanceKm: number) =>
      isPrecipitatingNear({ weather: withObservation(forecast, { ...rain, distanceKm }, options), ...alone }, now);
    expect([rings(4), rings(10), rings(10.1)]).toEqual([true, true, false]);
  });

  it('does not silence the rain that the provider measures here', () => {
    const wet = { ...forecast, rainfall: [{ from: now, until: now + 15 * minute, mmPerHour: 2 }] };
    const dry = { ...rain, status: 'sunny' as const, isPrecipitating: false };
    expect(isPrecipitatingNear({ weather: withObservation(wet, dry, options), ...alone }, now)).toBe(true);
  });
});

describe('a service with a live provider and an airport near by', () => {
  it('names both in the first point, in the order of contribution, and the provider in the others', async () => {
    const recording = new URL('../fixtures/open-meteo/clear-night-then-overcast-alps.json', import.meta.url);
    const openMeteoUrl = await serveWeatherOf((_request, response) => response.end(readFileSync(recording)));
    const obsTime = Date.parse('2025-02-05T20:00:00Z') / 1000;
    const report = { icaoId: 'LOWL', lat: 48.1, lon: 15, obsTime, wxString: '-SN', cover: 'OVC', temp: -1, dewp: -3 };
    const metarUrl = await serveWeatherOf((_request, response) => response.end(JSON.stringify([report])));
    const clock = createManualClock(Date.parse('2025-02-05T20:15:00Z'));
    for (const provider of ['auto', 'open-meteo'] as const) {
      const service = await startWeatherService({ provider, openMeteoUrl, metarUrl }, clock);
      const [first, ...rest] = await service.points(48, 15);
      // The recording has 68 %, at another temperature.
      expect(first).toMatchObject({
        timestamp: '2025-02-05T20:15:00',
        weather: { status: 'snow flurries', measured: { temperature: 272.15, humidity: 86.29 } },
        sources: ['metar:LOWL', 'open-meteo'],
      });
      expect(rest.every(({ sources }) => sources?.join() === 'open-meteo')).toBe(true);
    }
  });
});
