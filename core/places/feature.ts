import type { Feature, Parts } from '../app/feature.ts';

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
