import type { Feature, Parts } from '../app/feature.ts';

/** Forecasts, each kept for comparing. */
export function forecast({ forecasts }: Parts): Feature<'forecast'> {
  const { history } = forecasts;
  return {
    handlers: {
      forecast: {
        get: ({ input: { connectionId, ...place }, signal }) => forecasts.fetch(place, connectionId, signal),
        history: ({ input }) => ({ fetches: history.of(input) }),
        stored: ({ input }) => history.get(input.id),
        icon: ({ input }) => forecasts.icon(input.url),
      },
    },
  };
}
