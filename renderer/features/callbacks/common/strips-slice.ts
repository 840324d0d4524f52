// The strips' data: how many callbacks arrived when, by verdict, and when one monitor's arrived.
import type { CallbackHistogram, HourMark } from '@rainbell/contract/app-rpc';
import type { OtherSlices } from '../../../store/app-state.ts';
import { idle } from '../../../store/request.ts';
import type { SliceTools } from '../../../store/slice.ts';
import { rangeSeconds } from './callback-view.ts';
import { oneAtATime } from '../../../store/one-at-a-time.ts';

export interface CallbackStripsSlice extends ReturnType<typeof createCallbackStripsSlice> {}

const hoursSpanMs = 8 * 3_600_000;
/** Between two counts, and of a slow one so many times what it took. */
const pauseMs = 300;
const pauseTimes = 8;
/** Time that core spends on verdicts in each count. */
const validatingMs = 40;
const farAheadMs = 86_400_000;

export function createCallbackStripsSlice(
  { client, change, run }: SliceTools<CallbackStripsSlice>,
  { get }: OtherSlices,
) {
  const instant = (at: number) => new Date(at).toISOString();
  return {
    onConnectionChange: { does: 'keep', because: 'the counts come from the receiver' } as const,
    histogram: null as CallbackHistogram | null,
    histogramRequest: idle,
    hours: null as { monitorId: string; from: number; to: number; callbacks: readonly HourMark[] } | null,
    hoursRequest: idle,
    /** Of the view of the list. Goes on while verdicts are still being found and the list is on show. */
    loadHistogram: oneAtATime(async (): Promise<void> => {
      let unvalidated: number;
      do {
        const startedAt = Date.now();
        const { query, range, filter } = get().callbackSearch;
        const { from, to = instant(startedAt + farAheadMs) } = filter;
        // Each count knows more verdicts than the one before.
        const histogram = await run('histogramRequest', () =>
          client.callbacks.histogram({
            query,
            seconds: rangeSeconds[range],
            selected: from === undefined ? null : { from, to },
          }),
        );
        if (histogram) change({ histogram });
        unvalidated = histogram?.unvalidated ?? 0;
        const pause = Math.max(unvalidated > 0 ? 50 : pauseMs, pauseTimes * (Date.now() - startedAt - validatingMs));
        await new Promise((resolve) => setTimeout(resolve, pause));
      } while (unvalidated > 0 && get().frame.screen === 'callbacks');
    }),
    async loadHours(monitorId: string): Promise<void> {
      const to = Date.now();
      const from = to - hoursSpanMs;
      const result = await run('hoursRequest', () => client.callbacks.hours({ monitorId, from: instant(from) }));
      if (result) change({ hours: { monitorId, from, to, callbacks: result.callbacks } });
    },
  };
}
