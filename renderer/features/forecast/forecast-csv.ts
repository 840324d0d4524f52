// The points of a forecast as CSV (RFC 4180), one line each, with the units in the names.
import { csvCell } from '@rainbell/shared';
import type { Forecast, ForecastPoint } from '@rainbell/contract/app-rpc';

type Cell = string | number | null | undefined;

const columns: readonly (readonly [string, (point: ForecastPoint) => Cell])[] = [
  ['timestamp', (point) => point.timestamp],
  ['status', (point) => point.status],
  ['is_day', (point) => (point.isDay === null ? null : point.isDay ? 1 : 0)],
  ['sun_altitude_degrees', (point) => point.sunAltitude],
  ['lat', (point) => point.geo?.lat],
  ['lng', (point) => point.geo?.lng],
  ['distance_km', (point) => (point.distanceKm === null ? null : Number(point.distanceKm.toFixed(3)))],
  ['locality', (point) => point.location?.locality],
  ['country', (point) => point.location?.country],
  ['icon', (point) => point.iconUrl],
  ['sources', (point) => point.sources?.join(' ')],
  ['temperature_kelvin', (point) => point.measured?.temperature],
  ['dew_point_kelvin', (point) => point.measured?.dew_point],
  ['humidity_percent', (point) => point.measured?.humidity],
  ['pressure_hpa', (point) => point.measured?.pressure],
  ['wind_speed_m_per_s', (point) => point.measured?.wind_speed],
  ['wind_direction_degrees', (point) => point.measured?.wind_direction],
  ['rainfall_mm', (point) => point.measured?.rainfall],
  ['snowfall_mm', (point) => point.measured?.snowfall],
  ['deviations', (point) => point.problems.map(({ field }) => field).join(' ')],
];

export function forecastCsv({ points }: Pick<Forecast, 'points'>): string {
  const lines = points.map((point) => columns.map(([, read]) => csvCell(read(point))).join(','));
  return [columns.map(([name]) => name).join(','), ...lines, ''].join('\r\n');
}

/** `rainbell-torino-2026-11-21T0254Z`, for the name of a file. */
export function forecastFileName(placeName: string, fetchedAt: string): string {
  const plain = placeName
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase();
  return `rainbell-${plain === '' ? 'forecast' : plain}-${fetchedAt.slice(0, 16).replace(':', '')}Z`;
}
