// What a monitor at a location would have done in the last 30 days, for the most recently requested location.
import type { AppBacktest } from '@rainbell/contract/app-rpc';
import type { LatLng } from '@rainbell/contract/service-api';
import { idle, runCancelableRequest } from '../../store/request.ts';
import type { SliceTools } from '../../store/slice.ts';

export interface BacktestSlice extends ReturnType<typeof createBacktestSlice> {}

export function createBacktestSlice({ client, read, change }: SliceTools<BacktestSlice>) {
  return {
    onConnectionChange: { does: 'reset', keeping: [] } as const,
    place: null as LatLng | null,
    request: idle,
    result: null as AppBacktest | null,
    async load(place: LatLng): Promise<void> {
      const isCurrent = () => read().place === place;
      const before = read().request;
      // A newer question makes an older one void.
      if (before.state === 'loading') before.cancel?.();
      change({ place, request: idle, result: null });
      const result = await runCancelableRequest(
        (request) => {
          if (isCurrent()) change({ request });
        },
        (signal) => client.backtest.run(place, { signal }),
      );
      if (result && isCurrent()) change({ request: idle, result });
    },
  };
}
