// The radar minutes of the place that is shown, from a service that offers them. A failed request leaves the old minutes on screen.
import type { LatLng } from '@rainbell/contract/service-api';
import type { RadarMinutes } from '@rainbell/contract/app-rpc';
import { idle, type Request, runCancelableRequest } from '../../../store/request.ts';
import type { Slice, SliceTools } from '../../../store/slice.ts';

export type RadarSlice = RadarActions & {
  minutes: RadarMinutes | null;
  request: Request;
};

export type RadarActions = {
  load(place: LatLng): Promise<void>;
};

export function createRadarSlice(tools: SliceTools<RadarSlice>): Slice<RadarSlice> {
  return {
    onConnectionChange: { does: 'reset', keeping: [] },
    minutes: null,
    request: idle,
    ...createRadarActions(tools),
  };
}

function createRadarActions({ client, read, change }: SliceTools<RadarSlice>): RadarActions {
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
        (signal) => client.radar.minutes({ lat, lng }, { signal }),
      );
      if (minutes && turn === newest) change({ minutes });
    },
  };
}
