// Fetches the forecasts of the saved places: loaded after the first screen.
import type { Place } from '#contract/app-rpc/places.ts';
import { isRefreshDue } from '#renderer/features/forecast/common/auto-refresh.ts';
import type { OtherSlices } from '#renderer/store/app-state.ts';
import { idle, runRequest } from '#renderer/store/request.ts';
import type { SliceTools } from '#renderer/store/slice.ts';
import { type BoardActions, type BoardEntry, boardKey, type BoardSlice } from './board-slice.ts';

const sideBySide = 4;

export function createBoardActions(
  { client, read, change }: SliceTools<BoardSlice>,
  get: OtherSlices['get'],
): BoardActions {
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
    const entry = read().entries[boardKey(place)];
    if (!entry || entry.request.state === 'idle') return true;
    if (entry.request.state === 'loading') return false;
    const failure = entry.request.state === 'failed' ? entry.request.failure : null;
    return isRefreshDue({ lastAt: entry.request.at, failures: 1, failure }, Date.now());
  };
  return {
    async load(places, isForced = false) {
      const waiting = places.filter((place) => isForced || isDue(place));
      if (waiting.length > 0) get().icons.retryFailed();
      const work = async () => {
        for (let place = waiting.shift(); place; place = waiting.shift()) await fetchOne(place);
      };
      await Promise.all(Array.from({ length: sideBySide }, work));
    },
  };
}
