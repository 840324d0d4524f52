// What an airport's observation does to the first point: it is shown first, and fills in without inventing.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '#test/core/manual-clock.ts';
import { serveWeatherOf, startWeatherService } from './weather-harness.ts';

describe('a service with a live provider and an airport near by', () => {
  it('names both in the first point, in the order of contribution, and the provider in the others', async () => {
    const recording = new URL('../../fixtures/open-meteo/clear-night-then-overcast-alps.json', import.meta.url);
    const openMeteoUrl = await serveWeatherOf((_request, response) => response.end(readFileSync(recording)));
    const obsTime = Date.parse('2025-02-05T20:00:00Z') / 1000;
    const report = { icaoId: 'LOWL', lat: 48.05, lon: 15, obsTime, wxString: '-SN', cover: 'OVC', temp: -1, dewp: -3 };
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
