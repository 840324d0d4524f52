// The forecasts of the saved places, four at a time, each with its own request. One younger than ten minutes is not requested
// again, and a failed one only after a pause.
import type { Forecast } from '#contract/app-rpc/forecast.ts';
import type { Place } from '#contract/app-rpc/places.ts';
import type { Request } from '#renderer/store/request.ts';
import { laterModule } from '#renderer/ui/hooks/load-later.ts';
import { laterActions } from '#renderer/store/later-actions.ts';
import type { OtherSlices } from '#renderer/store/app-state.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';

export type BoardEntry = { forecast: Forecast | null; request: Request };

export type BoardSlice = BoardActions & {
  entries: Readonly<Record<string, BoardEntry>>;
  isOpen: boolean;
  toggle(isOpen: boolean): void;
};

export type BoardActions = {
  /** Fetches what is missing, old, or failed a while ago; `isForced` fetches all. */
  load(places: readonly Place[], isForced?: boolean): Promise<void>;
};

export function boardKey({ lat, lng }: { lat: number; lng: number }): string {
  return `${lat},${lng}`;
}

const loadActions = laterModule(() => import('./board-actions.ts'));

export function createBoardSlice(tools: SliceTools<BoardSlice>, { get }: OtherSlices): Slice<BoardSlice> {
  const { change } = tools;
  return {
    onConnectionChange: { does: 'reset', keeping: ['isOpen'] },
    entries: {},
    isOpen: false,
    toggle: (isOpen) => change({ isOpen }),
    ...laterActions({ load: true }, loadActions, ({ createBoardActions }) => createBoardActions(tools, get)),
  };
}
