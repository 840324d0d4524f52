// Points and forecasts as core hands them to the screens, one per hour.
import type { Forecast, ForecastPoint } from '#contract/app-rpc/forecast.ts';
import { formatInstant, formatTimestamp } from '#contract/service-api/timestamp.ts';

export function pointsOf(
  start: number,
  statuses: readonly string[],
  change: (point: ForecastPoint, index: number) => ForecastPoint = (point) => point,
): ForecastPoint[] {
  return statuses.map((status, index) => change(point(start + index * 3_600_000, status, index), index));
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
