// Fetches the current weather and the next 72 hours (docs/interface.md §4.3) and reads the response without losing any of it: a
// point that deviates from the interface is shown with its errors.
import tzLookup from '@photostructure/tz-lookup';
import type { LatLng } from '@rainbell/contract/service-api';
import type { Forecast, HeaderList } from '@rainbell/contract/app-rpc';
import { type Clock, formatInstant, writeDegrees } from '@rainbell/shared';
import type { Connection } from '../connection/connection.ts';
import { readForecast } from './read-forecast.ts';

export async function getForecast(
  connection: Connection,
  query: LatLng,
  { clock, signal }: { clock: Clock; signal?: AbortSignal | undefined },
): Promise<Forecast> {
  const path = `/v2/weather/?location_lat=${writeDegrees(query.lat)}&location_lng=${writeDegrees(query.lng)}`;
  const response = await connection.api.call({ method: 'GET', path, signal });
  const fetchedAt = clock.now();
  const reading = await response.json();
  const bodyText = response.body.toString('utf8');
  const { method, url, headers } = response.request;
  return {
    query,
    timeZone: tzLookup(query.lat, query.lng),
    connectionName: connection.name,
    fetchedAt: formatInstant(fetchedAt),
    tookMs: response.tookMs,
    request: { method, url, headers: maskToken(headers) },
    response: { status: response.status, headers: response.headers, bodyText, sizeBytes: response.body.length },
    ...readForecast(reading, query),
  };
}

function maskToken(headers: HeaderList): HeaderList {
  return headers.map(([name, value]) =>
    name.toLowerCase() === 'authorization' ? [name, 'Bearer ••••••••'] : [name, value],
  );
}
