// From one cell's weather to the points of the answer (§2.3, §4.3): now first, then ascending steps up to 72 hours ahead.
// Pure: everything it needs is given.
import { type LatLng, toGeoPoint } from '#contract/geo.ts';
import { formatTimestamp } from '#contract/timestamp.ts';
import { iconName } from '#contract/vocabulary.ts';
import { forecastHorizonHours, type Location, type WeatherPoint } from '#contract/weather.ts';
import type { CellWeather, Reading } from './reading.ts';
import { presentReading } from './present-reading.ts';
import { scenarioSource } from './scenarios.ts';
import { sunAltitudeDegrees } from './sun.ts';

const hourMs = 3_600_000;

export type AssemblyInput = {
  weather: CellWeather;
  now: number;
  baseUrl: string;
  location: Location | undefined;
};

export function assemblePoints({ weather, now, baseUrl, location }: AssemblyInput): WeatherPoint[] {
  const horizon = now + forecastHorizonHours * hourMs;
  const present = presentReading(weather, now);
  const ahead = weather.steps.filter(({ at }) => at > (present?.at ?? now) && at > now && at <= horizon);
  const readings = present ? [present, ...ahead] : ahead;
  return readings.map((reading) => pointOf(reading, weather, baseUrl, location));
}

function pointOf(
  reading: Reading,
  { grid, source }: CellWeather,
  baseUrl: string,
  location: Location | undefined,
): WeatherPoint {
  const sun = sunAltitudeDegrees(grid, reading.at);
  const { status, measured, sources = [source] } = reading;
  return {
    timestamp: formatTimestamp(reading.at),
    weather: { status, ...(measured ? { measured } : {}) },
    geo: toGeoPoint(grid satisfies LatLng),
    ...(location ? { location } : {}),
    icon: `${baseUrl}/v2/icons/${iconName(status, sun)}`,
    sun_altitude: sun,
    sources: reading.isScenario ? [...sources, scenarioSource] : [...sources],
  };
}
