import type { Feature, Parts } from '../app/feature.ts';

/** Places by name, and the nearest one to a location. */
export function places({ places: search }: Parts): Feature<'places'> {
  return {
    handlers: {
      places: {
        search: ({ input }) => search.search(input.text, input.limit),
        within: ({ input: { limit, ...box } }) => search.within(box, limit),
        nearest: ({ input }) => search.nearest(input.locations),
      },
    },
  };
}
