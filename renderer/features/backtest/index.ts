import { lazy } from 'react';
import type { AppBacktest, BacktestQuestion } from '@rainbell/contract/app-rpc';
import type { Feature } from '../../store/app-state.ts';
import { idle } from '../../store/request.ts';
import type { SlicesOf, SliceTools } from '../../store/slice.ts';

interface BacktestSlice extends ReturnType<typeof createBacktestSlice> {}

/** What a monitor would have done in the last 30 days, for the most recent question. */
function createBacktestSlice({ client, read, change, runCancelable }: SliceTools<BacktestSlice>) {
  return {
    onConnectionChange: { does: 'reset', keeping: [] } as const,
    question: null as BacktestQuestion | null,
    request: idle,
    result: null as AppBacktest | null,
    async load(question: BacktestQuestion): Promise<void> {
      const before = read().request;
      // A newer question makes an older one void.
      if (before.state === 'loading') before.cancel?.();
      change({ question, request: idle, result: null });
      const result = await runCancelable('request', (signal) => client.backtest.run(question, { signal }), {
        isCurrent: () => read().question === question,
      });
      if (result) change({ request: idle, result });
    },
  };
}

const slices = { backtest: createBacktestSlice };
declare module '../../store/app-state.ts' {
  interface AppState extends SlicesOf<typeof slices> {}
}

export const backtest: Feature = {
  slices,
  parts: { 'new monitor': lazy(async () => ({ default: (await import('./Backtest.tsx')).Backtest })) },
};
