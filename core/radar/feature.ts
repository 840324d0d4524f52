import type { Feature, Parts } from '../app/feature.ts';
import { getRadarMinutes } from './radar-minutes.ts';

/** The radar's next two hours, from a service that offers them. */
export function radar({ activeConnection, clock }: Parts): Feature<'radar'> {
  return {
    handlers: {
      radar: {
        minutes: async ({ input, signal }) =>
          getRadarMinutes(await activeConnection.current(), input, { clock, signal }),
      },
    },
  };
}
