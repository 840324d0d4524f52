// What the strips draw: how many callbacks came when, and when one monitor's came. Read again at most every two seconds
// however many arrive.
import type { AppClient } from '#contract/app-rpc/contract.ts';
import { oneAtATime } from '#renderer/store/one-at-a-time.ts';
import { idle, type Request, runRequest } from '#renderer/store/request.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';

type Rate = Awaited<ReturnType<AppClient['callbacks']['rate']>>['buckets'];
type Hours = Awaited<ReturnType<AppClient['callbacks']['hours']>>['monitors'][number]['callbacks'];

export type CallbackStripsSlice = {
  /** `from` and `to` in epoch milliseconds; empty buckets are left out. */
  rate: { from: number; to: number; buckets: Rate } | null;
  rateRequest: Request;
  hours: { monitorId: string; from: number; to: number; callbacks: Hours } | null;
  hoursRequest: Request;
  loadRate(): Promise<void>;
  loadHours(monitorId: string): Promise<void>;
};

const minuteMs = 60_000;
export const rateBucketMs = 2 * minuteMs;
const rateSpanMs = 180 * minuteMs;
const hoursSpanMs = 8 * 60 * minuteMs;
const pauseMs = 2000;

export function createCallbackStripsSlice({
  client,
  change,
}: SliceTools<CallbackStripsSlice>): Slice<CallbackStripsSlice> {
  const instant = (at: number) => new Date(at).toISOString();
  return {
    onConnectionChange: { does: 'keep', because: 'the counts come from the receiver' },
    rate: null,
    rateRequest: idle,
    hours: null,
    hoursRequest: idle,
    loadRate: oneAtATime(async () => {
      const to = Math.ceil(Date.now() / rateBucketMs) * rateBucketMs;
      const from = to - rateSpanMs;
      const answer = await runRequest(
        (rateRequest) => change({ rateRequest }),
        () => client.callbacks.rate({ from: instant(from), to: instant(to), bucketSeconds: rateBucketMs / 1000 }),
      );
      if (answer) change({ rate: { from, to, buckets: answer.buckets } });
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }),
    async loadHours(monitorId) {
      const to = Date.now();
      const from = to - hoursSpanMs;
      const answer = await runRequest(
        (hoursRequest) => change({ hoursRequest }),
        () => client.callbacks.hours({ from: instant(from), to: instant(to), monitorId }),
      );
      if (!answer) return;
      const callbacks = answer.monitors.find((one) => one.monitorId === monitorId)?.callbacks ?? [];
      change({ hours: { monitorId, from, to, callbacks } });
    },
  };
}
