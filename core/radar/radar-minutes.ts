// The radar minutes of our own service (contract/service-api/nowcast.ts), an addition to the interface. Screens ask only a service
// that offers them.
import { z } from 'zod';
import { type Clock, formatInstant, parseTimestamp } from '@rainbell/shared';
import { type LatLng, nowcastMetaSchema, nowcastStepSchema } from '@rainbell/contract/service-api';
import type { RadarMinutes } from '@rainbell/contract/app-rpc';
import { readAs } from '../connection/api-client.ts';
import type { Connection } from '../connection/connection.ts';
import { decimalDegrees } from '../forecast/get-forecast.ts';

const maxSteps = 300;
const minutesSchema = z.object({
  objects: z.array(nowcastStepSchema).max(maxSteps),
  meta: nowcastMetaSchema.extend({
    source: z.string().max(200).nullable(),
    step_minutes: z.number().positive().max(60),
  }),
});

/** Throws AppFailure PROTOCOL if the response has another form. Steps without a readable time are left out. */
export async function getRadarMinutes(
  connection: Connection,
  query: LatLng,
  { clock, signal }: { clock: Clock; signal?: AbortSignal | undefined },
): Promise<RadarMinutes> {
  const path = `/v2/nowcast/?location_lat=${decimalDegrees(query.lat)}&location_lng=${decimalDegrees(query.lng)}`;
  const response = await connection.api.call({ method: 'GET', path, signal });
  const { objects, meta } = await readAs(response, minutesSchema, 'a radar nowcast in an unknown format');
  const [updatedAt, now] = [meta.updated_at, meta.now].map((text) =>
    text === null ? undefined : parseTimestamp(text),
  );
  return {
    query,
    source: meta.source,
    stepMinutes: meta.step_minutes,
    ageMs: updatedAt === undefined || now === undefined ? null : Math.max(0, now - updatedAt),
    fetchedAt: formatInstant(clock.now()),
    steps: objects
      .flatMap(({ timestamp, precipitation_rate: rate }) => {
        const at = parseTimestamp(timestamp);
        return at === undefined ? [] : [{ at, rate }];
      })
      .toSorted((one, other) => one.at - other.at)
      .map(({ at, rate }) => ({ at: formatInstant(at), rate })),
  };
}
