import { lazy } from 'react';
import type { Feature } from '../../store/app-state.ts';
import type { SlicesOf } from '../../store/slice.ts';
import { createBacktestSlice } from './backtest-slice.ts';

const slices = { backtest: createBacktestSlice };
declare module '../../store/app-state.ts' {
  interface AppState extends SlicesOf<typeof slices> {}
}

export const backtest: Feature = {
  slices,
  parts: { 'new monitor': lazy(async () => ({ default: (await import('./Backtest.tsx')).Backtest })) },
};
