import type { Feature, Parts } from '../app/feature.ts';
import { createReplay } from './replay.ts';

export function traffic(parts: Parts): Feature<'traffic'> {
  const { traffic: log } = parts;
  const replay = createReplay(parts);
  return {
    handlers: {
      traffic: {
        list: ({ input }) => log.list(input),
        get: ({ input }) => log.get(input.id),
        clear: log.clear,
        replay: ({ input }) => replay(input.id),
      },
    },
    notices: () => [{ topic: 'traffic', newestId: log.newestId() }],
  };
}
