import { IconArrowsExchange } from '@tabler/icons-react';
import { lazy } from 'react';
import type { Feature } from '../../store/app-state.ts';
import type { SlicesOf } from '../../store/slice.ts';
import { trafficLink } from './traffic-link.ts';
import { createTrafficSlice } from './traffic-slice.ts';

const slices = { traffic: createTrafficSlice };
declare module '../../store/app-state.ts' {
  interface AppState extends SlicesOf<typeof slices> {}
}

export const traffic: Feature = {
  slices,
  screen: {
    name: 'traffic',
    title: 'Traffic',
    View: lazy(async () => ({ default: (await import('./TrafficScreen.tsx')).TrafficScreen })),
    link: trafficLink,
    navigation: { order: 50, Icon: IconArrowsExchange },
  },
  notices: {
    traffic(store) {
      const { frame, traffic } = store.getState();
      if (frame.screen === 'traffic') void traffic.loadNew();
    },
  },
};
