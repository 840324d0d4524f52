// The radar minutes of the place that is shown, from a service that offers them. A failed request leaves the old minutes on screen.
import type { LatLng } from '@rainbell/contract/service-api';
import type { RadarMinutes } from '@rainbell/contract/app-rpc';
import type { AppState } from '../../../store/app-state.ts';
import { idle } from '../../../store/request.ts';
import type { SliceTools } from '../../../store/slice.ts';
import { selectServiceOffers } from '../../monitors/selectors.ts';

export interface RadarSlice extends ReturnType<typeof createRadarSlice> {}

export function createRadarSlice({ client, read, change, runCancelable }: SliceTools<RadarSlice>) {
  let newest = 0;
  return {
    onConnectionChange: { does: 'reset', keeping: [] } as const,
    minutes: null as RadarMinutes | null,
    request: idle,
    async load({ lat, lng }: LatLng): Promise<void> {
      const turn = ++newest;
      const before = read().minutes?.query;
      if (before && (before.lat !== lat || before.lng !== lng)) change({ minutes: null });
      const minutes = await runCancelable('request', (signal) => client.radar.minutes({ lat, lng }, { signal }), {
        isCurrent: () => turn === newest,
      });
      if (minutes) change({ minutes });
    },
  };
}

export function isRadarOffered(state: AppState): boolean {
  return selectServiceOffers(state)?.hasRadarMinutes === true;
}
