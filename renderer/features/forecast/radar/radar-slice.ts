// The radar minutes of the place that is shown, from a service that offers them. A failed request leaves the old minutes on screen.
import type { LatLng } from '#contract/service-api/geo.ts';
import type { RadarMinutes } from '#contract/app-rpc/forecast.ts';
import { idle, type Request, runRequest } from '#renderer/store/request.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';

export type RadarSlice = {
  minutes: RadarMinutes | null;
  request: Request;
  load(place: LatLng): Promise<void>;
};

export function createRadarSlice({ client, read, change }: SliceTools<RadarSlice>): Slice<RadarSlice> {
  let newest = 0;
  return {
    onConnectionChange: { does: 'reset', keeping: [] },
    minutes: null,
    request: idle,
    async load({ lat, lng }) {
      const turn = ++newest;
      const before = read().minutes?.query;
      if (before && (before.lat !== lat || before.lng !== lng)) change({ minutes: null });
      const minutes = await runRequest(
        (request) => {
          if (turn === newest) change({ request });
        },
        () => client.forecast.minutes({ lat, lng }),
      );
      if (minutes && turn === newest) change({ minutes });
    },
  };
}
