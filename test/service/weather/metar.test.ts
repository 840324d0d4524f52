// Airport observations: each recorded report becomes the word that test/fixtures/expected-status.json names, and the first
// point of an answer carries what a near station saw.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readMetars } from '#service/weather/metar/read-metar.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { serveWeatherOf, startWeatherService } from './weather-harness.ts';

const fixtures = new URL('../../fixtures/', import.meta.url);
const recorded = (name: string) => readFileSync(new URL(name, fixtures), 'utf8');

type Expected = { icaoId: string; wx: string | null; status: string; precipitation: boolean };
const expected = Object.entries(JSON.parse(recorded('expected-status.json')) as Record<string, unknown>).filter(
  (entry): entry is [string, Expected[]] => entry[0].startsWith('aviationweather/'),
);

it.each(expected)('the recorded report %s is read as expected', (name, rows) => {
  const observations = readMetars(JSON.parse(recorded(name))) ?? [];
  expect(observations.map(({ station, status, isPrecipitating }) => [station, status, isPrecipitating])).toEqual(
    rows.map((row) => [row.icaoId, row.status, row.precipitation]),
  );
});

it('a near airport decides the first point, filled in by the provider, until a scenario lies over it at once', async () => {
  const forecast = recorded('open-meteo/clear-night-then-overcast-alps.json');
  const openMeteoUrl = await serveWeatherOf((_request, response) => response.end(forecast));
  const obsTime = Date.parse('2025-02-05T20:00:00Z') / 1000;
  const report = { icaoId: 'LOWL', lat: 48.05, lon: 15, obsTime, wxString: '-SN', cover: 'OVC', temp: -1, dewp: -3 };
  const metarUrl = await serveWeatherOf((_request, response) => response.end(JSON.stringify([report])));
  const clock = createManualClock(Date.parse('2025-02-05T20:15:42Z'));
  const service = await startWeatherService({ openMeteoUrl, metarUrl }, clock);
  const [first, ...rest] = await service.points(48, 15);
  // The recording has 68 %, at another temperature.
  expect(first).toMatchObject({
    timestamp: '2025-02-05T20:15:00',
    weather: { status: 'snow flurries', measured: { temperature: 272.15, humidity: 86.29 } },
    sources: ['metar:LOWL', 'open-meteo'],
  });
  expect(rest.every(({ sources }) => sources?.join() === 'open-meteo')).toBe(true);
  await service.sandbox('POST', 'scenarios', { center: { lat: 48, lng: 15 }, status: 'rainy', minutes: 20 });
  const [laid] = await service.points(48, 15);
  expect([laid?.weather.status, laid?.sources]).toEqual(['rainy', ['metar:LOWL', 'open-meteo', 'scenario']]);
});
