// The radar's next two hours, from our own service (contract/service-api/nowcast.ts): an addition to the interface. Screens ask only a
// service that offers them.
import { z } from 'zod';
import { formatInstant, parseTimestamp, writeDegrees } from '@rainbell/shared';
import { nowcastMetaSchema, nowcastStepSchema } from '@rainbell/contract/service-api';
import type { Feature, Parts } from '../app/feature.ts';
import { readAs } from '../connection/api-client.ts';

const maxSteps = 300;
const minutesSchema = z.object({
  objects: z.array(nowcastStepSchema).max(maxSteps),
  meta: nowcastMetaSchema.extend({
    source: z.string().max(200).nullable(),
    step_minutes: z.number().positive().max(60),
  }),
});

export function radar({ activeConnection, clock }: Parts): Feature<'radar'> {
  return {
    handlers: {
      radar: {
        /** Throws AppFailure PROTOCOL if the response has another form. Steps without a readable time are left out. */
        async minutes({ input: query, signal }) {
          const connection = await activeConnection.current();
          const path = `/v2/nowcast/?location_lat=${writeDegrees(query.lat)}&location_lng=${writeDegrees(query.lng)}`;
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
        },
      },
    },
  };
}
