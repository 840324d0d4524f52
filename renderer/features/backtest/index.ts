import { lazy } from 'react';
import type { BacktestQuestion } from '@rainbell/contract/app-rpc';
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
    sentence: null as string | null,
    async load(question: BacktestQuestion): Promise<void> {
      const before = read().request;
      // A newer question makes an older one void.
      if (before.state === 'loading') before.cancel?.();
      change({ question, request: idle, sentence: null });
      const sentence = await runCancelable('request', (signal) => client.backtest.run(question, { signal }), {
        isCurrent: () => read().question === question,
      });
      if (sentence !== undefined) change({ request: idle, sentence });
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
