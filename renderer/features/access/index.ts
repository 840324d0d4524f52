import { IconKey } from '@tabler/icons-react';
import { lazy } from 'react';
import type { Feature } from '../../store/app-state.ts';
import type { SlicesOf } from '../../store/slice.ts';
import { accessLink } from './access-link.ts';
import { createSessionSlice } from './session-slice.ts';

const slices = { session: createSessionSlice };
declare module '../../store/app-state.ts' {
  interface AppState extends SlicesOf<typeof slices> {}
}

export const access: Feature = {
  slices,
  screen: {
    name: 'access',
    title: 'Access',
    View: lazy(async () => ({ default: (await import('./AccessScreen.tsx')).AccessScreen })),
    link: accessLink,
    isOfService: true,
    navigation: { order: 40, Icon: IconKey, place: 'rest' },
  },
  notices: {
    session(store) {
      const { frame, session } = store.getState();
      if (frame.screen === 'access') void session.load();
    },
  },
};
