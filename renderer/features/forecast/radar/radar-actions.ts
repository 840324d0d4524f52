// Loads the radar minutes: loaded after the first screen.
import { runCancelableRequest } from '#renderer/store/request.ts';
import type { SliceTools } from '#renderer/store/slice.ts';
import type { RadarActions, RadarSlice } from './radar-slice.ts';

export function createRadarActions({ client, read, change }: SliceTools<RadarSlice>): RadarActions {
  let newest = 0;
  return {
    async load({ lat, lng }) {
      const turn = ++newest;
      const before = read().minutes?.query;
      if (before && (before.lat !== lat || before.lng !== lng)) change({ minutes: null });
      const minutes = await runCancelableRequest(
        (request) => {
          if (turn === newest) change({ request });
        },
        (signal) => client.forecast.minutes({ lat, lng }, { signal }),
      );
      if (minutes && turn === newest) change({ minutes });
    },
  };
}
