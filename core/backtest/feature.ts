// What a monitor at a location would have done, by our own service (contract/service-api/backtest.ts), an addition to the interface.
// Screens ask only a service that offers it.
import { z } from 'zod';
import { writeDegrees } from '@rainbell/shared';
import type { BacktestQuestion } from '@rainbell/contract/app-rpc';
import type { Feature, Parts } from '../app/feature.ts';
import { readAs } from '../connection/api-client.ts';
import type { Connection } from '../connection/connection.ts';

export function backtest({ activeConnection }: Parts): Feature<'backtest'> {
  return {
    handlers: {
      backtest: {
        run: async ({ input, signal }) => getBacktest(await activeConnection.current(), input, signal),
      },
    },
  };
}

/** Bounded, because it comes from outside. */
const responseSchema = z.object({ sentence: z.string().min(1).max(1_000) });

/** Throws AppFailure PROTOCOL if the response has another form. */
export async function getBacktest(
  connection: Connection,
  { lat, lng, conditions }: BacktestQuestion,
  signal: AbortSignal | undefined,
): Promise<string> {
  const query = new URLSearchParams({ location_lat: writeDegrees(lat), location_lng: writeDegrees(lng) });
  for (const [name, value] of Object.entries(conditions ?? {}))
    for (const each of [value].flat()) query.append(name, String(each));
  const path = `/v2/backtest/?${query.toString()}`;
  const response = await connection.api.call({ method: 'GET', path, signal });
  return (await readAs(response, responseSchema, 'a backtest in an unknown format')).sentence;
}
