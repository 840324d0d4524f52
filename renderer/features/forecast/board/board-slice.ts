// The forecasts of the saved places, four at a time, each with its own request. One younger than ten minutes is not requested
// again, and a failed one only after a pause.
import type { Forecast, Place } from '@rainbell/contract/app-rpc';
import { idle, type Request, runRequest } from '../../../store/request.ts';
import type { OtherSlices } from '../../../store/app-state.ts';
import type { SliceTools } from '../../../store/slice.ts';
import { isRefreshDue } from '../common/auto-refresh.ts';

export type BoardEntry = { forecast: Forecast | null; request: Request };

export interface BoardSlice extends ReturnType<typeof createBoardSlice> {}

export function boardKey({ lat, lng }: { lat: number; lng: number }): string {
  return `${lat},${lng}`;
}

const sideBySide = 4;

export function createBoardSlice({ client, read, change }: SliceTools<BoardSlice>, { get }: OtherSlices) {
  const changeEntry = (key: string, part: Partial<BoardEntry>) => {
    const { entries } = read();
    change({ entries: { ...entries, [key]: { ...(entries[key] ?? { forecast: null, request: idle }), ...part } } });
  };
  const fetchOne = async ({ lat, lng }: Place) => {
    const key = boardKey({ lat, lng });
    const forecast = await runRequest(
      (request) => changeEntry(key, { request }),
      () => client.forecast.get({ lat, lng }),
    );
    if (forecast) changeEntry(key, { forecast });
  };
  const isDue = (place: Place) => {
    const request = read().entries[boardKey(place)]?.request ?? idle;
    return request.state === 'idle' || isRefreshDue(request, 1, Date.now());
  };
  return {
    onConnectionChange: { does: 'reset', keeping: ['isOpen'] } as const,
    entries: {} as Readonly<Record<string, BoardEntry>>,
    isOpen: false,
    toggle: (isOpen: boolean): void => change({ isOpen }),
    /** Fetches what is missing, old, or failed a while ago; `isForced` fetches all. */
    async load(places: readonly Place[], isForced = false): Promise<void> {
      const waiting = places.filter((place) => isForced || isDue(place));
      if (waiting.length > 0) get().icons.retryFailed();
      const work = async () => {
        for (let place = waiting.shift(); place; place = waiting.shift()) await fetchOne(place);
      };
      await Promise.all(Array.from({ length: sideBySide }, work));
    },
  };
}
