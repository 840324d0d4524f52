// The two clicks to the first callback: a monitor, and rain there. The second is offered as soon as any monitor exists.
import { openCallback } from '../callbacks/selectors.ts';
import { createMonitor, selectMonitors, selectMonitorsReadAt } from '../monitors/selectors.ts';
import { makeRain } from '../sandbox/selectors.ts';
import type { AppState, OtherSlices } from '../../store/app-state.ts';
import type { SliceTools } from '../../store/slice.ts';

export interface FirstMinuteSlice extends ReturnType<typeof createFirstMinuteSlice> {}

export function firstMonitor(state: AppState) {
  const monitors = selectMonitors(state);
  return monitors.find(({ id }) => id === state.firstMinute.monitorId) ?? monitors.find(({ toThisApp }) => toThisApp);
}

/** Whether the steps concern this connection and this user: a sandbox without monitors, or with the one of the first click. */
export function isFirstMinute(state: AppState): boolean {
  const { firstMinute, frame, settings } = state;
  if (frame.status?.connection.isSandbox !== true || selectMonitorsReadAt(state) === null) return false;
  if (!settings.isKnown) return false;
  if (firstMinute.isWanted || firstMinute.monitorId !== null) return true;
  return settings.values.getStarted !== 'done' && selectMonitors(state).length === 0;
}

const rainMinutes = 20;
const doneSeconds = 10;

export function createFirstMinuteSlice({ read, change }: SliceTools<FirstMinuteSlice>, { get, show }: OtherSlices) {
  return {
    onConnectionChange: { does: 'reset', keeping: [] } as const,
    /** The user opened the steps although there are monitors. */
    isWanted: false,
    monitorId: null as string | null,
    /** When it began to rain, epoch milliseconds. */
    rainAt: null as number | null,
    async createMonitor(): Promise<void> {
      const { lat, lng } = get().settings.values.place;
      // The steps stay although there is a monitor now.
      change({ isWanted: true });
      await createMonitor(get(), { geo: { lat, lng }, callback: { kind: 'this-app' } });
    },
    async makeRain(): Promise<void> {
      const monitor = firstMonitor(get());
      if (!monitor) return;
      change({ monitorId: monitor.id, rainAt: Date.now() });
      const { name } = get().settings.values.place;
      const isRaining = await makeRain(get, { center: monitor.geo, minutes: rainMinutes }, name);
      // It may have been faster than the response.
      if (isRaining) read().openCallback();
      else change({ rainAt: null });
    },
    /** The monitors changed: opens its callback once it has arrived. */
    openCallback(): void {
      const { rainAt } = read();
      const callback = firstMonitor(get())?.lastCallback;
      if (rainAt === null || !callback) return;
      const spentMs = Date.parse(callback.receivedAt) - rainAt;
      if (spentMs < 0) return;
      change({ rainAt: null, monitorId: null, isWanted: false });
      void get().settings.update({ getStarted: 'done' });
      openCallback(get(), callback.id);
      show({
        tone: 'good',
        message: `All set. Callback arrived after ${spentMs < 1000 ? `${spentMs} ms` : `${(spentMs / 1000).toFixed(1)} s`}`,
        seconds: doneSeconds,
      });
    },
    /** Hides the steps until the user opens them again. */
    close: (): void => void get().settings.update({ getStarted: 'closed' }),
    open(): void {
      change({ isWanted: true });
      get().frame.goTo('forecast');
      void get().settings.update({ getStarted: 'open' });
    },
  };
}
