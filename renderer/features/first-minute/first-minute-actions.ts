// What the three steps do: loaded after the first screen.
import type { OtherSlices } from '#renderer/store/app-state.ts';
import type { SliceTools } from '#renderer/store/slice.ts';
import { type FirstMinuteActions, type FirstMinuteSlice, firstMonitor } from './first-minute-slice.ts';

const rainMinutes = 20;
const doneSeconds = 10;

export function createFirstMinuteActions(
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
