// Loads what the strips draw, after the first screen.
import { rangeSeconds } from '#renderer/features/callbacks/common/callback-view.ts';
import type { OtherSlices } from '#renderer/store/app-state.ts';
import { oneAtATime } from '#renderer/store/one-at-a-time.ts';
import { runRequest } from '#renderer/store/request.ts';
import type { SliceTools } from '#renderer/store/slice.ts';
import type { CallbackStripsActions, CallbackStripsSlice } from './strips-slice.ts';

const hoursSpanMs = 8 * 3_600_000;
/** Between two counts, and of a slow one so many times what it took. */
const pauseMs = 300;
const pauseTimes = 8;
/** Time that core spends on verdicts in each count. */
const validatingMs = 40;
const farAheadMs = 86_400_000;

export function createCallbackStripsActions(
  { client, change }: SliceTools<CallbackStripsSlice>,
  { get }: OtherSlices,
): CallbackStripsActions {
  const instant = (at: number) => new Date(at).toISOString();
  return {
    loadHistogram: oneAtATime(async () => {
      let unvalidated: number;
      do {
        const startedAt = Date.now();
        const { query, range, filter } = get().callbackSearch;
        const { from, to = instant(startedAt + farAheadMs) } = filter;
        // Each count knows more verdicts than the one before.
        // oxlint-disable-next-line no-await-in-loop
        const histogram = await runRequest(
          (histogramRequest) => change({ histogramRequest }),
          () =>
            client.callbacks.histogram({
              query,
              seconds: rangeSeconds[range],
              selected: from === undefined ? null : { from, to },
            }),
        );
        if (histogram) change({ histogram });
        unvalidated = histogram?.unvalidated ?? 0;
        const pause = Math.max(unvalidated > 0 ? 50 : pauseMs, pauseTimes * (Date.now() - startedAt - validatingMs));
        // oxlint-disable-next-line no-await-in-loop
        await new Promise((resolve) => setTimeout(resolve, pause));
      } while (unvalidated > 0 && get().frame.screen === 'callbacks');
    }),
    async loadHours(monitorId) {
      const to = Date.now();
      const from = to - hoursSpanMs;
      const result = await runRequest(
        (hoursRequest) => change({ hoursRequest }),
        () => client.callbacks.hours({ from: instant(from), to: instant(to), monitorId }),
      );
      if (!result) return;
      const callbacks = result.monitors.find((one) => one.monitorId === monitorId)?.callbacks ?? [];
      change({ hours: { monitorId, from, to, callbacks } });
    },
  };
}
