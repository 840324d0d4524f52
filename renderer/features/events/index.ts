import { IconHistory } from '@tabler/icons-react';
import { lazy } from 'react';
import type { Feature } from '../../store/app-state.ts';
import type { SlicesOf } from '../../store/slice.ts';
import { selectServiceOffers } from '../monitors/selectors.ts';
import { eventsLink } from './events-link.ts';
import { createEventsSlice } from './events-slice.ts';

const slices = { events: createEventsSlice };
declare module '../../store/app-state.ts' {
  interface AppState extends SlicesOf<typeof slices> {}
}

export const events: Feature = {
  slices,
  screen: {
    name: 'events',
    title: 'Events',
    View: lazy(async () => ({ default: (await import('./EventsScreen.tsx')).EventsScreen })),
    link: eventsLink,
    isOfService: true,
    navigation: {
      order: 25,
      Icon: IconHistory,
      place: 'rest',
      isShown: (state) => selectServiceOffers(state) !== null,
    },
  },
  dialogs: [
    {
      isOpen: (state) => state.events.resending !== null,
      View: lazy(async () => ({ default: (await import('./ResendDialog.tsx')).ResendDialog })),
    },
  ],
  afterChange(state, before) {
    const isNew = selectServiceOffers(state)?.byMonitor !== selectServiceOffers(before)?.byMonitor;
    if (isNew && state.frame.screen === 'events') void state.events.refresh();
  },
};
