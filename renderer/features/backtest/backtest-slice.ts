// What a monitor would have done in the last 30 days, for the most recent question.
import type { AppBacktest, BacktestQuestion } from '@rainbell/contract/app-rpc';
import { idle, runCancelableRequest } from '../../store/request.ts';
import type { SliceTools } from '../../store/slice.ts';

export interface BacktestSlice extends ReturnType<typeof createBacktestSlice> {}

export function createBacktestSlice({ client, read, change }: SliceTools<BacktestSlice>) {
  return {
    onConnectionChange: { does: 'reset', keeping: [] } as const,
    question: null as BacktestQuestion | null,
    request: idle,
    result: null as AppBacktest | null,
    async load(question: BacktestQuestion): Promise<void> {
      const isCurrent = () => read().question === question;
      const before = read().request;
      // A newer question makes an older one void.
      if (before.state === 'loading') before.cancel?.();
      change({ question, request: idle, result: null });
      const result = await runCancelableRequest(
        (request) => {
          if (isCurrent()) change({ request });
        },
        (signal) => client.backtest.run(question, { signal }),
      );
      if (result && isCurrent()) change({ request: idle, result });
    },
  };
}
