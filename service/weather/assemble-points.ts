// From one cell's weather to the points of the answer (§2.3, §4.3): now first, then ascending steps up to 72 hours ahead.
// Pure: everything it needs is given.
import { type LatLng, toGeoPoint } from '#contract/geo.ts';
import { formatTimestamp } from '#contract/timestamp.ts';
import { iconName } from '#contract/vocabulary.ts';
import { forecastHorizonHours, type Location, type WeatherPoint } from '#contract/weather.ts';
import type { CellWeather, Reading } from './reading.ts';
import { scenarioSource } from './scenarios.ts';
import { sunAltitudeDegrees } from './sun.ts';

const minuteMs = 60_000;
const hourMs = 3_600_000;
/** A provider's present is shown as now while it is at most so old; older data keeps its own time. */
const presentForMs = 90 * minuteMs;

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

/**
 * The weather now. The query's time, to the minute, is its timestamp (§2.3) while the reading is fresh; a stale reading keeps
 * the time at which it was true, so that nobody takes it for news.
 */
export function presentReading({ current, steps }: CellWeather, now: number): Reading | undefined {
  const minute = Math.floor(now / minuteMs) * minuteMs;
  const isPresent = ({ at }: Reading) => at <= now + 15 * minuteMs && at > now - presentForMs;
  const lastStep = steps.findLast(({ at }) => at <= now);
  const candidates = [current, lastStep, steps.find(({ at }) => at > now && at <= now + hourMs)];
  const fresh = candidates.find((reading) => reading !== undefined && isPresent(reading));
  if (fresh) return { ...fresh, at: minute };
  return current !== undefined && current.at <= now ? current : lastStep;
}

function pointOf(
  reading: Reading,
  { grid, source }: CellWeather,
  baseUrl: string,
  location: Location | undefined,
): WeatherPoint {
  const sun = sunAltitudeDegrees(grid, reading.at);
  const { status, measured } = reading;
  return {
    timestamp: formatTimestamp(reading.at),
    weather: { status, ...(measured ? { measured } : {}) },
    geo: toGeoPoint(grid satisfies LatLng),
    ...(location ? { location } : {}),
    icon: `${baseUrl}/v2/icons/${iconName(status, sun)}`,
    sun_altitude: sun,
    sources: reading.isScenario ? [source, scenarioSource] : [source],
  };
}
