// The three steps from a forecast to the first callback. A step is done by what happened, not by what was pressed.
import type { AppState, OtherSlices } from '../../store/app-state.ts';
import type { Slice, SliceTools } from '../../store/slice.ts';

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
    ...createFirstMinuteActions(tools, others),
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

const rainMinutes = 20;
const doneSeconds = 10;

function createFirstMinuteActions(
  { read, change }: SliceTools<FirstMinuteSlice>,
  { get, show }: OtherSlices,
): FirstMinuteActions {
  return {
    async createMonitor() {
      const { lat, lng } = get().settings.values.place;
      // The steps stay although there is a monitor now.
      change({ isWanted: true });
      await get().monitors.create({ geo: { lat, lng }, callback: { kind: 'this-app' } });
    },
    async makeRain() {
      const monitor = firstMonitor(get());
      if (!monitor) return;
      change({ monitorId: monitor.id, rainAt: Date.now() });
      const { name } = get().settings.values.place;
      await get().sandbox.addScenario({ center: monitor.geo, minutes: rainMinutes }, name);
      // It may have been faster than the response.
      if (get().sandbox.control.state === 'failed') change({ rainAt: null });
      else read().noteCallback();
    },
    openCallback() {
      const { rainAt } = read();
      const callback = firstMonitor(get())?.lastCallback;
      if (rainAt === null || !callback) return;
      const spentMs = Date.parse(callback.receivedAt) - rainAt;
      if (spentMs < 0) return;
      change({ rainAt: null, monitorId: null, isWanted: false });
      void get().settings.update({ getStarted: 'done' });
      get().frame.goTo('callbacks');
      void get().callbacks.select(callback.id);
      show({
        tone: 'good',
        message: `All set. Callback arrived after ${(spentMs / 1000).toFixed(1)} s`,
        seconds: doneSeconds,
      });
    },
    close: () => void get().settings.update({ getStarted: 'closed' }),
    open() {
      change({ isWanted: true });
      get().frame.goTo('forecast');
      void get().settings.update({ getStarted: 'open' });
    },
  };
}
