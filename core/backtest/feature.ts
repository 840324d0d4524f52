import type { Feature, Parts } from '../app/feature.ts';
import { getBacktest } from './backtest.ts';

/** What a monitor would have done, from a service that offers it. */
export function backtest({ activeConnection }: Parts): Feature<'backtest'> {
  return {
    handlers: {
      backtest: {
        run: async ({ input, signal }) => getBacktest(await activeConnection.current(), input, signal),
      },
    },
  };
}
