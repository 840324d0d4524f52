// The three steps from a forecast to the first callback. A step is done by what happened, not by what was pressed.
import type { AppState, OtherSlices } from '#renderer/store/app-state.ts';
import { laterActions } from '#renderer/store/later-actions.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';
import { laterModule } from '#renderer/ui/hooks/load-later.ts';

export type FirstMinuteSlice = FirstMinuteActions & {
  /** The user opened the steps although there are monitors. */
  isWanted: boolean;
  /** The monitor of step 2. */
  monitorId: string | null;
  /** When step 3 began, epoch milliseconds. */
  rainAt: number | null;
  /** The monitors changed: opens the callback of step 3 once it has arrived. */
  noteCallback(): void;
};

export type FirstMinuteActions = {
  createMonitor(): Promise<void>;
  makeRain(): Promise<void>;
  openCallback(): void;
  /** Hides the steps until the user opens them again. */
  close(): void;
  open(): void;
};

const loadActions = laterModule(() => import('./first-minute-actions.ts'));

export function createFirstMinuteSlice(
  tools: SliceTools<FirstMinuteSlice>,
  others: OtherSlices,
): Slice<FirstMinuteSlice> {
  const { read } = tools;
  return {
    onConnectionChange: { does: 'reset', keeping: [] },
    isWanted: false,
    monitorId: null,
    rainAt: null,
    noteCallback() {
      if (read().rainAt !== null) read().openCallback();
    },
    ...laterActions(
      { createMonitor: true, makeRain: true, openCallback: true, close: true, open: true },
      loadActions,
      ({ createFirstMinuteActions }) => createFirstMinuteActions(tools, others),
    ),
  };
}

/** The monitor of the steps. */
export function firstMonitor({ firstMinute, monitors }: AppState) {
  return (
    monitors.items.find(({ id }) => id === firstMinute.monitorId) ?? monitors.items.find(({ toThisApp }) => toThisApp)
  );
}

/** Steps that are done, from 0 to 2; after the third the card is gone. */
export function stepsDone(state: AppState): number {
  if (state.forecast.forecast === null) return 0;
  return firstMonitor(state) === undefined ? 1 : 2;
}

/** Whether the steps concern this connection and this user: a sandbox without monitors, or with the one of step 2. */
export function isFirstMinute({ firstMinute, frame, monitors, settings }: AppState): boolean {
  if (frame.status?.connection.isSandbox !== true || monitors.fetchedAt === null) return false;
  if (settings.request.state !== 'done') return false;
  if (firstMinute.isWanted || firstMinute.monitorId !== null) return true;
  return settings.values.getStarted !== 'done' && monitors.items.length === 0;
}
