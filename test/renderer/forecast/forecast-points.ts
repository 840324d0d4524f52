// Points and forecasts as core hands them to the screens, one per hour.
import type { Forecast, ForecastPoint } from '#contract/app-rpc/forecast.ts';
import { formatInstant, formatTimestamp } from '#shared/time/timestamp.ts';
import { timedForecast } from '#renderer/features/forecast/common/timed-points.ts';

export const hour = 3_600_000;
export const start = Date.UTC(2026, 10, 21);

export function pointsOf(
  from: number,
  statuses: readonly string[],
  change: (point: ForecastPoint, index: number) => ForecastPoint = (point) => point,
): ForecastPoint[] {
  return statuses.map((status, index) => change(point(from + index * hour, status, index), index));
}

function point(at: number, status: string, index: number): ForecastPoint {
  return {
    index,
    timestamp: formatTimestamp(at),
    at: formatInstant(at),
    status,
    iconName: status,
    iconUrl: `http://127.0.0.1:1/v2/icons/${status}`,
    sunAltitude: 10,
    isDay: true,
    geo: { lat: 45, lng: 7 },
    distanceKm: 1,
    bearingDegrees: 90,
    location: null,
    sources: ['simulation'],
    measured: null,
    textRange: [0, 0],
    problems: [],
  };
}

export function forecastOf(points: readonly ForecastPoint[]): Forecast {
  return {
    query: { lat: 45, lng: 7 },
    timeZone: 'UTC',
    connectionName: 'Sandbox',
    fetchedAt: '2026-11-21T00:00:00.000Z',
    tookMs: 1,
    request: { method: 'GET', url: 'http://127.0.0.1:1/v2/weather/', headers: [] },
    response: { status: 200, headers: [], bodyText: '', sizeBytes: 0 },
    points: [...points],
    problems: [],
  };
}

/** One of an hour with sun, at `start`. */
export const sunny = point(start, 'sunny', 0);

export function timed(points: readonly ForecastPoint[]) {
  const forecast = timedForecast(points);
  if (!forecast) throw new Error('No point has a time.');
  return forecast;
}
