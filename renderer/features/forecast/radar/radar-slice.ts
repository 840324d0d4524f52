// The radar minutes of the place that is shown, from a service that offers them. A failed request leaves the old minutes on screen.
import type { LatLng } from '#contract/service-api/geo.ts';
import type { RadarMinutes } from '#contract/app-rpc/forecast.ts';
import { idle, type Request } from '#renderer/store/request.ts';
import { laterModule } from '#renderer/ui/hooks/load-later.ts';
import { laterActions } from '#renderer/store/later-actions.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';

export type RadarSlice = RadarActions & {
  minutes: RadarMinutes | null;
  request: Request;
};

export type RadarActions = {
  load(place: LatLng): Promise<void>;
};

const loadActions = laterModule(() => import('./radar-actions.ts'));

export function createRadarSlice(tools: SliceTools<RadarSlice>): Slice<RadarSlice> {
  return {
    onConnectionChange: { does: 'reset', keeping: [] },
    minutes: null,
    request: idle,
    ...laterActions({ load: true }, loadActions, ({ createRadarActions }) => createRadarActions(tools)),
  };
}
