// From one cell's weather to the points of the answer (§2.3, §4.3): now first, then ascending steps up to 72 hours ahead.
// Pure: everything it needs is given.
import { toGeoPoint } from '#contract/geo.ts';
import { iconName } from '#contract/vocabulary.ts';
import { forecastHorizonHours, type Location, type WeatherPoint } from '#contract/weather.ts';
import type { CellWeather, Reading } from './reading.ts';
import { presentReading } from './present-reading.ts';
import { scenarioSource } from './scenarios.ts';
import { createSun, type SunAltitude } from './sun.ts';
import { createTimestamps } from './timestamps.ts';

const hourMs = 3_600_000;

export type AssemblyInput = {
  weather: CellWeather;
  now: number;
  baseUrl: string;
  location: Location | undefined;
};

/** What the points of all places share; one per service. */
export type SharedTerms = { sunAltitude: SunAltitude; timestampOf: (instant: number) => string };

export function createSharedTerms(): SharedTerms {
  return { sunAltitude: createSun(), timestampOf: createTimestamps() };
}

export function assemblePoints(
  { weather, now, baseUrl, location }: AssemblyInput,
  { sunAltitude, timestampOf }: SharedTerms = createSharedTerms(),
): WeatherPoint[] {
  const horizon = now + forecastHorizonHours * hourMs;
  const present = presentReading(weather, now);
  const ahead = weather.steps.filter(({ at }) => at > (present?.at ?? now) && at > now && at <= horizon);
  const readings = present ? [present, ...ahead] : ahead;
  // Shared by the points, so that the serialiser can see that they are the same.
  const geo = toGeoPoint(weather.grid);
  const plainSources = [weather.source];
  const iconBase = `${baseUrl}/v2/icons/`;
  return readings.map((reading) => {
    const sun = sunAltitude(weather.grid, reading.at);
    const { status, measured } = reading;
    return {
      timestamp: timestampOf(reading.at),
      weather: { status, ...(measured ? { measured } : {}) },
      geo,
      ...(location ? { location } : {}),
      icon: iconBase + iconName(status, sun),
      sun_altitude: sun,
      sources: sourcesOf(reading, plainSources),
    };
  });
}

function sourcesOf({ sources, isScenario }: Reading, plainSources: string[]): string[] {
  if (isScenario) return [...(sources ?? plainSources), scenarioSource];
  return sources ? [...sources] : plainSources;
}
