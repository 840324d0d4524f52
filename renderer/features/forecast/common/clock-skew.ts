// Whether the service's clock and this computer's disagree, by the response's Date header.
import { parseHttpDate } from '@rainbell/contract/service-api';
import type { Forecast } from '@rainbell/contract/app-rpc';

const tolerableSeconds = 60;

/** Seconds that the service is ahead; null within a minute, or if the service does not say. */
export function clockSkew({ fetchedAt, response }: Pick<Forecast, 'fetchedAt' | 'response'>): number | null {
  const seconds = Math.round(((dateOf(response) ?? NaN) - Date.parse(fetchedAt)) / 1000);
  return Math.abs(seconds) > tolerableSeconds ? seconds : null;
}

/** The service's clock when it responded. */
export function dateOf({ headers }: Forecast['response']): number | undefined {
  return parseHttpDate(headers.find(([name]) => name.toLowerCase() === 'date')?.[1]);
}
