import { IconPlugConnected } from '@tabler/icons-react';
import { lazy } from 'react';
import type { Feature } from '../../store/app-state.ts';
import type { SlicesOf } from '../../store/slice.ts';
import { connectionsLink } from './connections-link.ts';
import { createConnectionsSlice } from './connections-slice.ts';

const slices = { connections: createConnectionsSlice };
declare module '../../store/app-state.ts' {
  interface AppState extends SlicesOf<typeof slices> {}
}

export const connections: Feature = {
  slices,
  screen: {
    name: 'connections',
    title: 'Connections',
    View: lazy(async () => ({ default: (await import('./ConnectionsScreen.tsx')).ConnectionsScreen })),
    link: connectionsLink,
    navigation: { order: 70, Icon: IconPlugConnected, place: 'end' },
  },
  dialogs: [
    {
      isOpen: (state) => state.connections.editor !== null,
      View: lazy(async () => ({ default: (await import('./ConnectionDialog.tsx')).ConnectionDialog })),
    },
  ],
  commands: (store) => ({ 'connections.new': () => store.getState().connections.openEditor({ kind: 'create' }) }),
  notices: { connections: (store) => void store.getState().connections.load() },
  readFromApp: (state) => void state.connections.load(),
};
