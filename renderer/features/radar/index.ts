import type { Feature } from '../../store/app-state.ts';
import type { SlicesOf } from '../../store/slice.ts';
import { RadarLayer, RadarMinutes } from './RadarMinutes.tsx';
import { createRadarSlice } from './radar-slice.ts';

const slices = { radar: createRadarSlice };
declare module '../../store/app-state.ts' {
  interface AppState extends SlicesOf<typeof slices> {}
}

export const radar: Feature = {
  slices,
  parts: {
    'chart layers': RadarLayer,
    'chart foot': RadarMinutes,
  },
};
